package dev.statectl.clickhouse.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class EngineLibraryTest {
  private static final String WHAT_TO_DO =
      "Install Node.js with npm and let it reach a registry, or start Docker, or name a server in"
          + " STATECTL_TEST_CLICKHOUSE_URL.";

  @Test
  void missingNpmFailsWithAnInstruction(@TempDir Path cache) throws IOException {
    assertThatThrownBy(() -> new EngineLibrary(cache, "no-such-npm").find())
        .isInstanceOf(IllegalStateException.class)
        .hasMessageStartingWith(
            "The ClickHouse engine for tests is fetched by npm, which does not start (")
        .hasMessageEndingWith("). " + WHAT_TO_DO);
    assertOnlyTheLockIsLeftIn(cache);
  }

  @Test
  void failingNpmFailsWithItsOutputAndAnInstruction(@TempDir Path cache, @TempDir Path bin)
      throws IOException {
    Path npm = bin.resolve("npm");
    Files.writeString(npm, "#!/bin/sh\necho no registry answers >&2\nexit 7\n");
    assertThat(npm.toFile().setExecutable(true)).isTrue();

    assertThatThrownBy(() -> new EngineLibrary(cache, npm.toString()).find())
        .isInstanceOf(IllegalStateException.class)
        .hasMessageStartingWith(
            "The ClickHouse engine for tests could not be fetched: " + npm + " ")
        .hasMessageEndingWith(" ended with 7. " + WHAT_TO_DO + "\nno registry answers");
    assertOnlyTheLockIsLeftIn(cache);
  }

  @Test
  void theLockFileNamesTheVersionAndNoRegistry() throws IOException {
    try (InputStream in = EngineLibrary.class.getResourceAsStream("package-lock.json")) {
      assertThat(new String(in.readAllBytes(), StandardCharsets.UTF_8))
          .contains("\"@chdb/lib-linux-x64-gnu\": \"" + EngineLibrary.version() + "\"")
          .contains("\"integrity\": \"sha512-")
          .doesNotContain("resolved")
          .doesNotContain("://");
    }
  }

  private static void assertOnlyTheLockIsLeftIn(Path cache) throws IOException {
    try (Stream<Path> files = Files.list(cache)) {
      List<String> names = files.map(file -> file.getFileName().toString()).toList();
      assertThat(names).singleElement().asString().endsWith(EngineLibrary.version() + ".lock");
    }
  }
}
