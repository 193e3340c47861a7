package dev.statectl.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The launcher without sources, which so builds nothing, and with a script in place of Java. */
class LauncherScriptTest {
  private static final String FAKE_JAVA =
      """
      #!/bin/bash
      closed=
      for fd in 0 1 2; do [[ -e /dev/fd/$fd ]] || closed+=" $fd"; done
      in=failed out=failed
      read -r line && in=$line
      echo data && out=written
      printf '%s\n' "closed:$closed" "in: $in" "out: $out" "arguments: ${*: -2}" >"$PROBE"
      """;

  @TempDir private Path directory;

  @BeforeEach
  void install() throws IOException {
    Path launcher = Files.copy(Path.of("..", "statectl"), directory.resolve("statectl"));
    Path java = directory.resolve("jdk/bin/java");
    Files.createDirectories(java.getParent());
    Files.writeString(java, FAKE_JAVA);
    Files.writeString(directory.resolve("jdk/release"), "JAVA_VERSION=\"17.0.1\"\n");
    for (Path script : new Path[] {launcher, java}) {
      Files.setPosixFilePermissions(script, PosixFilePermissions.fromString("rwx------"));
    }
  }

  @Test
  void passesStreamsAndArgumentsOn() throws Exception {
    assertThat(probe("./statectl get 'a  b' <<<hello"))
        .containsExactly("closed:", "in: hello", "out: written", "arguments: get a  b");
  }

  @Test
  void aClosedStandardInputCannotBeRead() throws Exception {
    assertThat(probe("./statectl get a <&-"))
        .containsExactly("closed:", "in: failed", "out: written", "arguments: get a");
  }

  @Test
  void aClosedStandardOutputCannotBeWritten() throws Exception {
    assertThat(probe("./statectl get a <<<hello >&-"))
        .containsExactly("closed:", "in: hello", "out: failed", "arguments: get a");
  }

  @Test
  void closedStandardErrorDoesNotMatter() throws Exception {
    assertThat(probe("./statectl get a <<<hello 2>&-"))
        .containsExactly("closed:", "in: hello", "out: written", "arguments: get a");
  }

  private Iterable<String> probe(String command) throws Exception {
    Path probe = directory.resolve("probe");
    ProcessBuilder builder =
        new ProcessBuilder("bash", "-c", command)
            .directory(directory.toFile())
            .redirectErrorStream(true)
            .redirectOutput(directory.resolve("output").toFile());
    builder.environment().put("JAVA_HOME", directory.resolve("jdk").toString());
    builder.environment().put("PROBE", probe.toString());
    Process process = builder.start();
    assertThat(process.waitFor(30, TimeUnit.SECONDS)).isTrue();
    return Files.readAllLines(probe, StandardCharsets.UTF_8);
  }
}
