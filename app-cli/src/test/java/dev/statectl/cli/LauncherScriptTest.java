package dev.statectl.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.io.TempDirDeletionStrategy;

/** The launcher outside of a checkout, with a script in place of Java. */
class LauncherScriptTest {
  private static final String FAKE_JAVA =
      """
      #!/bin/bash
      [[ "$*" != *Rehearsal* ]] || exit 1
      closed=
      for fd in 0 1 2; do [[ -e /dev/fd/$fd ]] || closed+=" $fd"; done
      in=failed out=failed
      read -r line && in=$line
      echo data && out=written
      printf '%s\n' "closed:$closed" "in: $in" "out: $out" "arguments: ${*: -2}" >"$PROBE"
      printf '%s\n' "$@" >"$PROBE.all"
      """;

  // The launcher may still be about to make an archive there.
  @TempDir(deletionStrategy = TempDirDeletionStrategy.IgnoreFailures.class)
  private Path directory;

  @BeforeEach
  void install() throws IOException {
    Path launcher = directory.resolve("an installation/bin/statectl");
    Files.createDirectories(launcher.getParent());
    Files.copy(Path.of("src/main/dist/bin/statectl"), launcher);
    Files.createSymbolicLink(directory.resolve("linked"), Path.of("an installation/bin/statectl"));
    Files.createSymbolicLink(directory.resolve("statectl"), Path.of("./linked"));
    Path java = directory.resolve("jdk/bin/java");
    Files.createDirectories(java.getParent());
    Files.writeString(java, FAKE_JAVA);
    Files.writeString(
        directory.resolve("jdk/release"), "JAVA_VERSION=\"17.0.1\"\nOS_ARCH=\"x86_64\"\n");
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

  @Test
  void startsWhatLiesBesideItBehindAllLinks() throws Exception {
    probe("./statectl get a <<<x");

    assertThat(arguments())
        .containsSubsequence(
            "-cp",
            directory.toRealPath().resolve("an installation/lib/statectl.jar").toString(),
            "dev.statectl.cli.Main",
            "get",
            "a");
  }

  @Test
  void anArchiveThatIsNewerThanAllJarsIsUsed() throws Exception {
    Path archive = archive("an installation/lib", "2026-01-03T00:00:00Z");

    probe("./statectl get a <<<x");

    assertThat(arguments()).contains("-XX:SharedArchiveFile=" + archive);
  }

  @Test
  void anArchiveThatIsOlderThanAJarIsNotUsed() throws Exception {
    archive("an installation/lib", "2026-01-01T00:00:00Z");

    probe("./statectl get a <<<x");

    assertThat(arguments()).noneMatch(argument -> argument.contains("SharedArchiveFile"));
  }

  @Test
  void anArchiveOfAnotherSizeThanItsNameSaysIsNotUsed() throws Exception {
    Files.writeString(archive("an installation/lib", "2026-01-03T00:00:00Z"), "cut");

    probe("./statectl get a <<<x");

    assertThat(arguments()).noneMatch(argument -> argument.contains("SharedArchiveFile"));
  }

  @Test
  void theArchiveOfTheUserIsUsedWhereTheInstallationHasNone() throws Exception {
    String home = directory.toRealPath().resolve("an installation").toString();
    Path archive = archive("cache/statectl/archives" + home, "2026-01-03T00:00:00Z");

    probe("./statectl get a <<<x");

    assertThat(arguments()).contains("-XX:SharedArchiveFile=" + archive);
  }

  @Test
  void noArchiveIsUsedWhereItIsSwitchedOff() throws Exception {
    archive("an installation/lib", "2026-01-03T00:00:00Z");

    probe("STATECTL_ARCHIVE=off ./statectl get a <<<x");

    assertThat(arguments()).noneMatch(argument -> argument.contains("SharedArchiveFile"));
  }

  @Test
  void javaSaysNothingOnStandardOutput() throws Exception {
    probe("./statectl get a <<<x");

    assertThat(arguments())
        .contains("-Xlog:disable", "-Xlog:all=error:stderr", "-XX:+DisplayVMOutputToStderr");
  }

  /** What the launcher takes for an archive; the jar is of the second of January. */
  private Path archive(String place, String time) throws IOException {
    Path lib = directory.resolve("an installation/lib");
    Files.createDirectories(lib);
    Files.writeString(lib.resolve("version"), "1.2.3\n");
    Path jar = Files.createFile(lib.resolve("statectl.jar"));
    Files.setLastModifiedTime(jar, FileTime.from(Instant.parse("2026-01-02T00:00:00Z")));
    Path archive =
        directory.toRealPath().resolve(place).resolve("statectl-1.2.3-java-17-x86_64.0.jsa");
    Files.createDirectories(archive.getParent());
    Files.createFile(archive);
    Files.setLastModifiedTime(archive, FileTime.from(Instant.parse(time)));
    return archive;
  }

  private List<String> arguments() throws IOException {
    return Files.readAllLines(directory.resolve("probe.all"), StandardCharsets.UTF_8);
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
    builder.environment().put("XDG_CACHE_HOME", directory.toRealPath().resolve("cache").toString());
    builder.environment().remove("STATECTL_ARCHIVE");
    Process process = builder.start();
    assertThat(process.waitFor(30, TimeUnit.SECONDS)).isTrue();
    return Files.readAllLines(probe, StandardCharsets.UTF_8);
  }
}
