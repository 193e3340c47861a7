package dev.statectl.inmemory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.statectl.port.StateFailure;
import dev.statectl.state.StateId;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SnapshotWriteFailureTest {
  private static final String ONE = "{\"a\": {\"completed\": {\"x\":1}, \"partial\": {}}}\n";

  @TempDir private Path directory;

  @Test
  void aFullDiskLeavesMapAndFileAsTheyWere() throws Exception {
    Path file = Files.writeString(directory.resolve("state.json"), ONE);
    String large = "{\"x\":\"" + "y".repeat(100_000) + "\"}";

    assertThat(
            OtherProgram.run(
                OtherProgram.withFilesOfAtMost(16), file.toString(), "0", "set", "a", large))
        .containsExactly(
            "UNAVAILABLE the snapshot file "
                + file
                + " could not be written: File too large; nothing was changed: see that the disk has"
                + " room and "
                + directory
                + " is there, then try again",
            "{\"x\":1}");
    assertThat(file).hasContent(ONE);
    assertThat(names()).containsExactly("state.json", "state.json.lock");
  }

  @Test
  void aDirectoryThatMayOnlyBeReadIsReadWithoutALockAndDeniesWrites() throws Exception {
    Path file = Files.writeString(directory.resolve("state.json"), ONE);
    Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("r-xr-xr-x"));
    try {
      assertThat(
              OtherProgram.run(
                  OtherProgram.obeyingPermissions(), file.toString(), "0", "set", "a", "{}"))
          .containsExactly(
              "DENIED the snapshot file "
                  + file
                  + " could not be written: permission denied: "
                  + file
                  + ".lock; nothing was changed: this needs the right to read and write in the"
                  + " directory "
                  + directory,
              "{\"x\":1}");
      assertThat(file).hasContent(ONE);
      assertThat(names()).containsExactly("state.json");
    } finally {
      Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwxr-xr-x"));
    }
  }

  @Test
  void aDirectoryThatIsNotThereAndMayNotBeMadeDeniesWrites() throws Exception {
    Path file = directory.resolve(".statectl/state.json");
    Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("r-xr-xr-x"));
    try {
      assertThat(
              OtherProgram.run(
                  OtherProgram.obeyingPermissions(), file.toString(), "0", "set", "a", "{}"))
          .containsExactly(
              "DENIED the snapshot file "
                  + file
                  + " could not be written: permission denied: "
                  + directory
                  + "/.statectl; nothing was changed: this needs the right to read and write in the"
                  + " directory "
                  + directory
                  + "/.statectl",
              "none");
    } finally {
      Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwxr-xr-x"));
    }
  }

  @Test
  void aDirectoryThatMayNotBeListedDeniesWrites() throws Exception {
    Path file = Files.writeString(directory.resolve("state.json"), ONE);
    Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("-wx------"));
    try {
      assertThat(
              OtherProgram.run(
                  OtherProgram.obeyingPermissions(), file.toString(), "0", "set", "a", "{}"))
          .containsExactly(
              "DENIED the snapshot file "
                  + file
                  + " could not be written: permission denied: "
                  + directory
                  + "; nothing was changed: this needs the right to read and write in the directory "
                  + directory,
              "{\"x\":1}");
    } finally {
      Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwxr-xr-x"));
    }
    assertThat(file).hasContent(ONE);
    assertThat(names()).containsExactly("state.json", "state.json.lock");
  }

  @Test
  void aFileThatMayNotBeReadIsDenied() throws Exception {
    Path file = Files.writeString(directory.resolve("state.json"), ONE);
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("---------"));

    assertThat(
            OtherProgram.run(OtherProgram.obeyingPermissions(), file.toString(), "0", "get", "a"))
        .containsExactly(
            "DENIED the snapshot file "
                + file
                + " could not be read: permission denied: "
                + file
                + ": this needs the right to read the file and to enter its directory");
  }

  @Test
  void aTemporaryFileThatCannotBeMadeLeavesAllAsItWas() throws IOException {
    Path file = Files.writeString(directory.resolve("state.json"), ONE);
    Path inTheWay = Files.createDirectory(directory.resolve("state.json.tmp"));
    try (InMemoryBackend backend = InMemoryBackend.open(file, Fixtures.CLOCK)) {
      for (int attempt = 0; attempt < 2; attempt++) {
        assertThatThrownBy(() -> backend.states().save(Fixtures.state("b", "{}")))
            .isInstanceOf(StateFailure.Unavailable.class)
            .hasMessage(
                "the snapshot file "
                    + file
                    + " could not be written: "
                    + inTheWay
                    + " is in the way; nothing was changed: see that the disk has room and "
                    + directory
                    + " is there, then try again");
        assertThatThrownBy(() -> backend.states().delete(StateId.of("a")))
            .isInstanceOf(StateFailure.Unavailable.class);
        assertThatThrownBy(() -> backend.states().deleteAll())
            .isInstanceOf(StateFailure.Unavailable.class);
      }
      assertThat(backend.states().find(StateId.of("a")).orElseThrow().completed().text())
          .isEqualTo("{\"x\":1}");
      assertThat(backend.states().find(StateId.of("b"))).isEmpty();
      assertThat(file).hasContent(ONE);
      assertThat(inTheWay).isEmptyDirectory();

      Files.delete(inTheWay);
      assertThat(backend.states().deleteAll()).isEqualTo(1);
      assertThat(file).hasContent("{}\n");
    }
  }

  @Test
  void anInterruptedThreadWritesNothingAndStaysInterrupted() throws IOException {
    Path file = Files.writeString(directory.resolve("state.json"), ONE);
    try (InMemoryBackend backend = InMemoryBackend.open(file, Fixtures.CLOCK)) {
      Thread.currentThread().interrupt();
      assertThatThrownBy(() -> backend.states().save(Fixtures.state("a", "{}")))
          .isInstanceOf(StateFailure.Unavailable.class)
          .hasMessage(
              "the snapshot file "
                  + file
                  + " could not be written: the thread was interrupted; nothing was changed: see"
                  + " that the disk has room and "
                  + directory
                  + " is there, then try again");
      assertThat(Thread.interrupted()).isTrue();
      assertThat(file).hasContent(ONE);
      assertThat(names()).containsExactly("state.json", "state.json.lock");

      backend.states().save(Fixtures.state("a", "{}"));
      assertThat(file).hasContent("{\"a\": {\"completed\": {}, \"partial\": {}}}\n");
    }
  }

  @Test
  void aDiskThatIsFullKeepsWhatWasStored() throws Exception {
    requireDisk();
    Path file = directory.resolve("state.json");
    assertThat(
            OtherProgram.run(
                OtherProgram.withDisk(directory, "true"),
                SnapshotWriter.UntilFull.class,
                file.toString()))
        .containsExactly(
            "UNAVAILABLE the snapshot file "
                + file
                + " could not be written: No space left on device; nothing was changed: see that"
                + " the disk has room and "
                + directory
                + " is there, then try again",
            "all are there",
            "deleted",
            "room again");
  }

  @Test
  void aDiskThatMayOnlyBeReadIsReadAndDeniesWrites() throws Exception {
    requireDisk();
    Path file = directory.resolve("state.json");
    String preparation =
        "printf '%s' '" + ONE + "' > \"$1/state.json\"; mount -o remount,ro \"$1\"";
    assertThat(
            OtherProgram.run(
                OtherProgram.withDisk(directory, preparation),
                file.toString(),
                "0",
                "set",
                "a",
                "{}"))
        .containsExactly(
            "DENIED the snapshot file "
                + file
                + " could not be written: Read-only file system; nothing was changed: this needs"
                + " the right to read and write in the directory "
                + directory,
            "{\"x\":1}");
  }

  private void requireDisk() throws Exception {
    boolean may = OtherProgram.mayHaveDisk(directory);
    if (!may) {
      System.out.println(
          "NOT RUN: a full disk and one that may only be read; they need unshare(1) of util-linux"
              + " and the right to make user namespaces");
    }
    assumeTrue(may, "no file system of our own");
  }

  private List<String> names() throws IOException {
    try (Stream<Path> files = Files.list(directory)) {
      return files.map(path -> path.getFileName().toString()).sorted().toList();
    }
  }
}
