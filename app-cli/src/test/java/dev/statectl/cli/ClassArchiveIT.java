package dev.statectl.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.statectl.clickhouse.engine.TestClickHouse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The archive of classes that the launcher makes and uses. */
class ClassArchiveIT {
  private static final Map<String, String> NOW = Map.of("STATECTL_ARCHIVE", "now");
  private static final Map<String, String> AUTO = Map.of("STATECTL_ARCHIVE", "auto");

  @TempDir private Path directory;
  private Distribution distribution;
  private String version;

  @BeforeEach
  void unpack() throws Exception {
    distribution = Distribution.unpack(directory.resolve("installed"));
    version = distribution.run(Map.of(), "--version").output();
  }

  @Test
  void withItAlmostAllClassesComeFromIt() throws Exception {
    assertThat(distribution.run(NOW, "--version")).isEqualTo(new Tool.Result(0, version));

    List<String> loaded = loadedBy(AUTO, "list");

    assertThat(archives()).hasSize(1);
    assertThat(ours(loaded)).hasSizeGreaterThan(200).allMatch(ClassArchiveIT::isShared);
  }

  @Test
  void theDriversClassesComeFromItToo() throws Exception {
    distribution.run(NOW, "--version");

    List<String> loaded =
        loadedBy(
            Map.of(
                "STATECTL_ARCHIVE",
                "auto",
                "MELTANO_STATE_BACKEND_URI",
                TestClickHouse.shared().endpoint().uri()),
            "list");

    List<String> ours = ours(loaded);
    assertThat(ours).hasSizeGreaterThan(1000);
    // A few cannot be there: what they need of optional libraries is missing.
    assertThat(ours.stream().filter(line -> !isShared(line)).toList()).hasSizeLessThan(15);
  }

  @Test
  void oneThatIsBrokenIsIgnoredInSilence() throws Exception {
    distribution.run(NOW, "--version");
    Path archive = archives().get(0);
    Files.delete(archive);
    Files.writeString(archive, "no archive at all\n".repeat(10_000));

    assertThat(distribution.run(AUTO, "--version")).isEqualTo(new Tool.Result(0, version));
  }

  @Test
  void oneThatIsCutIsIgnoredInSilence() throws Exception {
    distribution.run(NOW, "--version");
    Path archive = archives().get(0);
    byte[] whole = Files.readAllBytes(archive);
    Files.delete(archive);
    Files.write(archive, Arrays.copyOf(whole, whole.length / 3));

    assertThat(distribution.run(AUTO, "--version")).isEqualTo(new Tool.Result(0, version));
  }

  @Test
  void oneOfOtherJarsIsIgnoredInSilence() throws Exception {
    distribution.run(NOW, "--version");
    Path jar = distribution.home().resolve("lib/statectl.jar");
    Files.setLastModifiedTime(jar, FileTime.from(Instant.parse("2020-01-01T00:00:00Z")));

    assertThat(distribution.run(AUTO, "--version")).isEqualTo(new Tool.Result(0, version));
    assertThat(ours(loadedBy(AUTO, "list"))).noneMatch(ClassArchiveIT::isShared);
  }

  @Test
  void ofTwoThatMakeItAtOnceBothRunAndOneIsLeft() throws Exception {
    CompletableFuture<Tool.Result> other =
        CompletableFuture.supplyAsync(
            () -> {
              try {
                return distribution.run(NOW, "--version");
              } catch (Exception e) {
                throw new IllegalStateException(e);
              }
            });
    Tool.Result one = distribution.run(NOW, "--version");

    assertThat(one.output()).endsWith(version);
    assertThat(other.get().output()).endsWith(version);
    assertThat(List.of(one.code(), other.get().code())).containsOnly(0);
    assertThat(archives()).hasSize(1);
    assertThat(ours(loadedBy(AUTO, "list"))).allMatch(ClassArchiveIT::isShared);
  }

  @Test
  void itIsMadeByItselfInTheCacheAfterACommand() throws Exception {
    assertThat(distribution.run(AUTO, "--version")).isEqualTo(new Tool.Result(0, version));

    Path cache = directory.resolve("working/cache/statectl/archives");
    for (int i = 0; i < 600 && archivesBelow(cache).isEmpty(); i++) {
      Thread.sleep(100);
    }
    assertThat(archivesBelow(cache)).hasSize(1);
    assertThat(archives()).isEmpty();
    assertThat(ours(loadedBy(AUTO, "list"))).allMatch(ClassArchiveIT::isShared);
  }

  @Test
  void withoutAPlaceForItCommandsWorkAsBefore() throws Exception {
    Map<String, String> nowhere =
        Map.of("STATECTL_ARCHIVE", "auto", "XDG_CACHE_HOME", "/dev/null/cache");

    assertThat(distribution.run(nowhere, "--version")).isEqualTo(new Tool.Result(0, version));
    assertThat(archives()).isEmpty();
  }

  private List<Path> archives() throws Exception {
    return archivesBelow(distribution.home());
  }

  private static List<Path> archivesBelow(Path place) throws Exception {
    if (!Files.isDirectory(place)) {
      return List.of();
    }
    try (Stream<Path> files = Files.walk(place)) {
      return files.filter(file -> file.toString().endsWith(".jsa")).toList();
    }
  }

  private List<String> loadedBy(Map<String, String> variables, String... args) throws Exception {
    Path log = directory.resolve("classes");
    Map<String, String> all = new HashMap<>(variables);
    all.put("STATECTL_JAVA_OPTS", "-Xlog:class+load:file=" + log + "::filecount=0");
    Tool.Result result = distribution.run(all, args);
    assertThat(result.code()).as(result.output()).isZero();
    return Files.readAllLines(log);
  }

  /** Of classes in jars, not those that are made while the JVM runs. */
  private static List<String> ours(List<String> loaded) {
    return loaded.stream()
        .filter(
            line -> line.matches(".*\\] (dev|picocli|org|com|net|dagger|io)\\.[\\w.$]+ source: .*"))
        .filter(line -> !line.matches(".* (com\\.sun|jdk)\\..*"))
        .filter(line -> !line.contains("$$Lambda"))
        .toList();
  }

  private static boolean isShared(String line) {
    return line.contains("source: shared objects file");
  }
}
