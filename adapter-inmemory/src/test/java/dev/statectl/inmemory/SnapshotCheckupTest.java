package dev.statectl.inmemory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.statectl.json.JsonObject;
import dev.statectl.port.Finding;
import dev.statectl.state.State;
import dev.statectl.state.StateId;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Clock;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SnapshotCheckupTest {
  @TempDir private Path directory;

  @Test
  void aSnapshotIsToldWithItsSizeAndLock() {
    Path file = directory.resolve("states.json");
    try (InMemoryBackend backend = InMemoryBackend.open(file, Clock.systemUTC())) {
      backend
          .states()
          .save(State.of(StateId.of("a"), JsonObject.parse("{\"n\":1}"), JsonObject.EMPTY));

      assertThat(backend.checkup().examine())
          .containsExactly(
              Finding.ok("snapshot-file", file.toString(), "the file has " + size(file) + " bytes"),
              Finding.ok(
                  "snapshot-directory",
                  directory.toString(),
                  "states can be stored; this program holds the lock " + file + ".lock"));
    }
  }

  @Test
  void aMissingFileIsWorthKnowingAndNotMade() {
    Path file = directory.resolve("not/there.json");
    try (InMemoryBackend backend = InMemoryBackend.open(file, Clock.systemUTC())) {
      List<Finding> findings = backend.checkup().examine();

      assertThat(findings.get(0))
          .isEqualTo(
              Finding.info(
                  "snapshot-file",
                  file.toString(),
                  "the file does not exist",
                  "nothing is stored here yet; if there should be states, the path is another one"));
      assertThat(findings.get(1).what()).isEqualTo("states can be stored");
    }
    assertThat(directory).isEmptyDirectory();
  }

  @Test
  void whatEverybodyMayWriteAndWhatACrashLeftAreFound() throws IOException {
    Path file = directory.resolve("it's.json");
    Files.writeString(file, "{}");
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-rw-rw-"));
    Files.writeString(directory.resolve("it's.json.tmp"), "{\"a\": {");
    try (InMemoryBackend backend = InMemoryBackend.open(file, Clock.systemUTC())) {
      List<Finding> findings = backend.checkup().examine();

      assertThat(findings)
          .extracting(Finding::level, Finding::check)
          .containsExactly(
              tuple(Finding.Level.OK, "snapshot-file"),
              tuple(Finding.Level.OK, "snapshot-directory"),
              tuple(Finding.Level.WARNING, "snapshot-rights"),
              tuple(Finding.Level.INFO, "snapshot-leftover"));
      assertThat(findings.get(2).mend().orElseThrow().steps())
          .containsExactly("chmod o-w '" + directory + "/it'\\''s.json'");
    }
  }

  /** Judged from facts, since tests may run as a user who may write everywhere. */
  @Test
  void aDirectoryThatMayNotBeWrittenIsWorthKnowing() {
    SnapshotFacts facts =
        new SnapshotFacts(Path.of("/srv/states.json"), Optional.of(7L), false, false, false, false);

    Finding finding = SnapshotFindings.of(facts).get(1);

    assertThat(finding.level()).isEqualTo(Finding.Level.INFO);
    assertThat(finding.subject()).isEqualTo("/srv");
    assertThat(finding.what()).isEqualTo("no file can be made in the directory");
  }

  @Test
  void aLargeSnapshotIsWorthKnowingAndOneThatIsNearlyFullADanger() {
    assertThat(sized((64L << 20) - 1).level()).isEqualTo(Finding.Level.OK);
    assertThat(sized(64L << 20).level()).isEqualTo(Finding.Level.INFO);
    assertThat(sized(SnapshotFile.MAX_BYTES / 10 * 9).level()).isEqualTo(Finding.Level.WARNING);
    assertThat(sized(1L << 30).why()).isEqualTo("from 1073741824 bytes on no state can be stored");
  }

  private static Finding sized(long bytes) {
    return SnapshotFindings.of(
            new SnapshotFacts(
                Path.of("/srv/states.json"), Optional.of(bytes), false, true, true, false))
        .get(0);
  }

  private static long size(Path file) {
    try {
      return Files.size(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
