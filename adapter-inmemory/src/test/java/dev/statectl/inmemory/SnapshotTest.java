package dev.statectl.inmemory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.statectl.port.StateFailure;
import dev.statectl.port.StateStore;
import dev.statectl.state.ExportFormat;
import dev.statectl.state.State;
import dev.statectl.state.StateId;
import dev.statectl.state.StateIdGlob;
import dev.statectl.state.StateVersion;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SnapshotTest {
  @TempDir private Path directory;

  @Test
  void theFileHoldsAfterEachChangeWhatIsStored() throws IOException {
    Path file = directory.resolve("state.json");
    try (InMemoryBackend backend = open(file)) {
      StateStore states = backend.states();

      states.save(Fixtures.state("dev:b", "{\"a\": 1.0}"));
      assertThat(file).hasContent("{\"dev:b\": {\"completed\": {\"a\": 1.0}, \"partial\": {}}}\n");

      states.saveAll(
          List.of(
              Fixtures.state("dev:b", "{\"a\":NaN}", "{\"p\":[1e3, \"\\ud83d\"]}"),
              Fixtures.state("dev:a", "{}")));
      assertThat(Files.readString(file))
          .isEqualTo(
              """
              {"dev:a": {"completed": {}, "partial": {}},
              "dev:b": {"completed": {"a":NaN}, "partial": {"p":[1e3, "\\ud83d"]}}}
              """);

      states.delete(StateId.of("dev:a"));
      assertThat(Files.readString(file))
          .isEqualTo(
              """
              {"dev:b": {"completed": {"a":NaN}, "partial": {"p":[1e3, "\\ud83d"]}}}
              """);

      states.deleteAll();
      assertThat(Files.readString(file)).isEqualTo("{}\n");
    }
  }

  @Test
  void halvesComeBackByteForByteAfterReopening() {
    Path file = directory.resolve("state.json");
    State first =
        Fixtures.state(
            "dev:tap \ud83d\ude80 \"quoted\" \\ \u0000\n",
            "{ \"n\" : 123456789012345678901234567890,\r\n\t\"e\":1e3 }",
            "{\"half\":\"\\ud83d\",\"text\":\"\u00e9\ud83d\ude80\u2028\"}");
    State second = Fixtures.state("\uffff", "{\"a\":-Infinity,\"a\":-0.0}");
    try (InMemoryBackend backend = open(file)) {
      backend.states().saveAll(List.of(second, first));
    }

    try (InMemoryBackend backend = open(file)) {
      assertThat(halves(backend)).containsExactly(first, second);
    }
  }

  @Test
  void manyStatesAreWrittenOnce() throws IOException {
    Path file = directory.resolve("state.json");
    try (InMemoryBackend backend = open(file)) {
      backend.states().save(Fixtures.state("a", "{}"));
      Object before = key(file);
      backend.states().saveAll(List.of());
      assertThat(key(file)).isEqualTo(before);

      // An inode that is in use cannot be given to the second of two new files.
      Path link = Files.createLink(directory.resolve("link"), file);
      backend.states().saveAll(List.of(Fixtures.state("b", "{}"), Fixtures.state("c", "{}")));
      assertThat(key(file)).isNotEqualTo(before);
      assertThat(link).hasContent("{\"a\": {\"completed\": {}, \"partial\": {}}}\n");
    }
  }

  @Test
  void aHandWrittenFileIsRead() throws IOException {
    Path file = directory.resolve("state.json");
    Files.writeString(
        file,
        """
        {
          "dev:a": {"completed": {"singer_state": {"x": 1}}, "partial": null},
          "dev:b": {"partial": {"singer_state": {}}},
          "dev:c": {},
          " ": {"completed": {}}
        }
        """);
    try (InMemoryBackend backend = open(file)) {
      List<String> lines = new ArrayList<>();
      for (State state : states(backend)) {
        lines.add(state.id() + " " + state.completed().text() + " " + state.partial().text());
      }
      assertThat(lines)
          .containsExactly(
              "  {} {}",
              "dev:a {\"singer_state\": {\"x\": 1}} {}",
              "dev:b {} {\"singer_state\": {}}",
              "dev:c {} {}");
    }
  }

  @Test
  void theVersionOfWhatIsReadIsTheFilesModificationTime() throws IOException {
    Path file = directory.resolve("state.json");
    Files.writeString(file, "{\"a\": {}}");
    Files.setLastModifiedTime(file, FileTime.from(Instant.parse("2026-01-02T03:04:05.678912Z")));
    try (InMemoryBackend backend = open(file)) {
      assertThat(states(backend).get(0).version())
          .isEqualTo(new StateVersion(Instant.parse("2026-01-02T03:04:05.678Z")));
      assertThat(backend.states().save(Fixtures.state("a", "{}")))
          .isEqualTo(new StateVersion(Fixtures.NOW));
    }
  }

  @Test
  void aFileFromTheFutureDoesNotShadowWrites() throws IOException {
    Path file = directory.resolve("state.json");
    Files.writeString(file, "{\"a\": {}}");
    Files.setLastModifiedTime(file, FileTime.from(Instant.parse("2199-01-01T00:00:00Z")));
    try (InMemoryBackend backend = open(file)) {
      assertThat(backend.states().save(Fixtures.state("a", "{}")))
          .isEqualTo(new StateVersion(Instant.parse("2199-01-01T00:00:00.001Z")));
    }
  }

  @Test
  void readsLeaveNoDirectoryAndNoFile() throws IOException {
    Path missing = directory.resolve("x/.statectl/state.json");
    try (InMemoryBackend backend = open(missing)) {
      readAndDeleteInVain(backend);
    }
    assertThat(directory).isEmptyDirectory();

    Path snapshot = directory.resolve("state.json");
    try (InMemoryBackend backend = open(snapshot)) {
      readAndDeleteInVain(backend);
      assertThat(names()).containsExactly("state.json.lock");
    }
    assertThat(directory).isEmptyDirectory();

    Files.createFile(directory.resolve("state.json.lock"));
    open(snapshot).close();
    assertThat(names()).as("a side file of others").containsExactly("state.json.lock");
  }

  private static void readAndDeleteInVain(InMemoryBackend backend) {
    assertThat(backend.states().find(StateId.of("a"))).isEmpty();
    assertThat(states(backend)).isEmpty();
    assertThat(backend.states().delete(StateId.of("a"))).isFalse();
    assertThat(backend.states().deleteAll()).isZero();
    backend.states().saveAll(List.of());
  }

  @Test
  void theFirstWriteCreatesTheDirectoryAndLocksIt() throws IOException {
    Path file = directory.resolve("x/.statectl/state.json");
    try (InMemoryBackend backend = open(file)) {
      backend.states().save(Fixtures.state("a", "{}"));

      assertThat(file).hasContent("{\"a\": {\"completed\": {}, \"partial\": {}}}\n");
      assertThat(file.resolveSibling("state.json.lock"))
          .content()
          .startsWith("pid " + ProcessHandle.current().pid() + ", ");
    }
    assertThat(file.resolveSibling("state.json.lock")).isEmptyFile();
  }

  @Test
  void aFileThatAppearedBeforeTheFirstWriteIsReadFirst() throws IOException {
    Path file = directory.resolve(".statectl/state.json");
    try (InMemoryBackend late = open(file)) {
      try (InMemoryBackend early = open(file)) {
        early.states().save(Fixtures.state("early", "{\"a\":1}"));
      }
      assertThat(states(late)).isEmpty();

      late.states().save(Fixtures.state("late", "{}"));

      assertThat(file)
          .hasContent(
              """
              {"early": {"completed": {"a":1}, "partial": {}},
              "late": {"completed": {}, "partial": {}}}
              """);
      assertThat(halves(late))
          .extracting(State::id)
          .map(StateId::text)
          .containsExactly("early", "late");
    }
  }

  @Test
  void aDeleteMeetsAFileThatAppearedAfterOpening() throws IOException {
    Path file = directory.resolve(".statectl/state.json");
    try (InMemoryBackend late = open(file)) {
      try (InMemoryBackend early = open(file)) {
        early.states().save(Fixtures.state("early", "{\"a\":1}"));
      }

      assertThat(late.states().delete(StateId.of("early"))).isTrue();
      assertThat(file).hasContent("{}\n");
    }
  }

  @Test
  void aDamagedFileThatAppearedBeforeTheFirstWriteIsNotOverwritten() throws IOException {
    Path file = directory.resolve(".statectl/state.json");
    try (InMemoryBackend backend = open(file)) {
      Files.createDirectory(file.getParent());
      Files.writeString(file, "{");

      for (int attempt = 0; attempt < 2; attempt++) {
        assertThatThrownBy(() -> backend.states().save(Fixtures.state("a", "{}")))
            .isInstanceOf(StateFailure.WrongSchema.class)
            .hasMessage(
                "the snapshot file "
                    + file
                    + " is damaged: line 1, column 2: the text ends before the JSON does; it was"
                    + " left as it is: mend it, or move it away to start without states");
        assertThat(file).hasContent("{");
      }
      Files.writeString(file, "{\"b\": {}}");
      backend.states().save(Fixtures.state("a", "{}"));
      assertThat(halves(backend)).extracting(s -> s.id().text()).containsExactly("a", "b");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"edited", "replaced", "removed", "appeared"})
  void aFileThatOthersChangedWhileItWasOpenIsNotOverwritten(String how) throws IOException {
    Path file = directory.resolve("state.json");
    if (!how.equals("appeared")) {
      Files.writeString(file, "{\"a\": {}}");
    }
    try (InMemoryBackend backend = open(file)) {
      switch (how) {
        case "edited", "appeared" -> Files.writeString(file, "{\"edited\": {}}");
        case "replaced" -> {
          Path other = Files.writeString(directory.resolve("other"), "{\"b\": {}}");
          Files.setLastModifiedTime(other, Files.getLastModifiedTime(file));
          Files.move(other, file, StandardCopyOption.REPLACE_EXISTING);
        }
        default -> Files.delete(file);
      }
      List<State> before = states(backend);
      String text = Files.exists(file) ? Files.readString(file) : "none";

      assertThatThrownBy(() -> backend.states().save(Fixtures.state("c", "{}")))
          .isInstanceOf(StateFailure.Unavailable.class)
          .hasMessage(
              "the snapshot file "
                  + file
                  + " was changed or removed by another program while this one had it open;"
                  + " nothing was changed here: start this program again to go on from the file as"
                  + " it is now");
      assertThat(states(backend)).isEqualTo(before);
      assertThat(Files.exists(file) ? Files.readString(file) : "none").isEqualTo(text);
    }
  }

  @Test
  void aSymbolicLinkIsFollowedAndStays() throws IOException {
    Path real = Files.createDirectory(directory.resolve("real")).resolve("s.json");
    Path second = Files.createSymbolicLink(directory.resolve("second"), Path.of("real/s.json"));
    Path first = Files.createSymbolicLink(directory.resolve("first"), second);
    try (InMemoryBackend backend = open(first)) {
      backend.states().save(Fixtures.state("a", "{}"));
    }

    assertThat(first).isSymbolicLink();
    assertThat(second).isSymbolicLink();
    assertThat(real).isRegularFile().hasContent("{\"a\": {\"completed\": {}, \"partial\": {}}}\n");
    assertThat(real.resolveSibling("s.json.lock")).exists();
    assertThat(names()).containsExactly("first", "real", "second");
  }

  @Test
  void aNewFileIsItsOwnersOnly() throws IOException {
    Path file = directory.resolve("state.json");
    try (InMemoryBackend backend = open(file)) {
      backend.states().save(Fixtures.state("a", "{}"));
      assertThat(permissions(file)).isEqualTo("rw-------");
      assertThat(permissions(directory.resolve("state.json.lock"))).isEqualTo("rw-------");
      backend.states().save(Fixtures.state("b", "{}"));
      assertThat(permissions(file)).isEqualTo("rw-------");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"rw-rw-rw-", "rw-r-----", "rwx--x--x"})
  void anExistingFileKeepsItsRightsOwnerAndGroup(String rights) throws IOException {
    Path file = Files.writeString(directory.resolve("state.json"), "{}");
    giveAway(file);
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString(rights));
    PosixFileAttributes before = Files.readAttributes(file, PosixFileAttributes.class);
    try (InMemoryBackend backend = open(file)) {
      backend.states().save(Fixtures.state("a", "{}"));
    }

    PosixFileAttributes after = Files.readAttributes(file, PosixFileAttributes.class);
    assertThat(after.fileKey()).isNotEqualTo(before.fileKey());
    assertThat(permissions(file)).isEqualTo(rights);
    assertThat(after.owner()).isEqualTo(before.owner());
    assertThat(after.group()).isEqualTo(before.group());
    assertThat(permissions(directory.resolve("state.json.lock"))).isEqualTo(rights);
  }

  // Only the superuser can; for anybody else the owner is kept without being changed.
  private static void giveAway(Path file) throws IOException {
    if (System.getProperty("user.name").equals("root")) {
      Files.setAttribute(file, "unix:uid", 12345);
      Files.setAttribute(file, "unix:gid", 54321);
    }
  }

  @Test
  void whatACrashLeftBehindIsReplaced() throws IOException {
    Path file = directory.resolve("state.json");
    Path victim = Files.writeString(directory.resolve("victim"), "precious");
    Files.createSymbolicLink(directory.resolve("state.json.tmp"), victim);
    try (InMemoryBackend backend = open(file)) {
      backend.states().save(Fixtures.state("a", "{}"));
    }

    assertThat(victim).hasContent("precious");
    assertThat(names()).containsExactly("state.json", "state.json.lock", "victim");
    assertThat(file).isRegularFile();
  }

  @Test
  void moreThanAGibibyteIsNotWritten() throws IOException {
    Path file = directory.resolve("state.json");
    State large = Fixtures.state("0", "{\"a\":\"" + "x".repeat((1 << 26) - 8) + "\"}");
    List<State> states =
        Stream.iterate(0, n -> n + 1)
            .limit(17)
            .map(n -> State.of(StateId.of("" + n), large.completed(), large.partial()))
            .toList();
    try (SnapshotFile snapshot =
        new SnapshotFile(file, Fixtures.CLOCK, Duration.ZERO, duration -> {})) {
      snapshot.open();
      assertThatThrownBy(() -> snapshot.write(states))
          .isInstanceOf(StateFailure.Unavailable.class)
          .hasMessage(
              "the snapshot file "
                  + file
                  + " would have more than the 1073741824 bytes that are written; nothing was"
                  + " changed: clear states, or keep this many in ClickHouse");
    }
    assertThat(directory).isEmptyDirectory();
  }

  @Test
  void aReaderOfTheFileNeverMeetsHalfAWrite() throws Exception {
    Path file = directory.resolve("state.json");
    try (InMemoryBackend backend = open(file)) {
      backend.states().saveAll(generation(0));
      Thread writer =
          new Thread(
              () -> {
                for (int n = 1; n <= 150; n++) {
                  backend.states().saveAll(generation(n));
                }
              });
      writer.start();
      Set<String> seen = new HashSet<>();
      while (writer.isAlive()) {
        List<State> read = ExportFormat.read(Files.readString(file));
        assertThat(read).hasSize(20);
        String completed = read.get(0).completed().text();
        assertThat(read).allSatisfy(s -> assertThat(s.completed().text()).isEqualTo(completed));
        seen.add(completed);
      }
      writer.join();
      assertThat(seen).hasSizeGreaterThan(5);
      assertThat(ExportFormat.read(Files.readString(file))).hasSameElementsAs(generation(150));
    }
  }

  // Of sizes that go up and down, so that a write in place would leave the end of an older one.
  private static List<State> generation(int n) {
    String completed = "{\"n\":" + n + ",\"fill\":\"" + "x".repeat(n * 7919 % 9000) + "\"}";
    return Stream.iterate(0, i -> i + 1)
        .limit(20)
        .map(i -> Fixtures.state("id-" + i, completed))
        .toList();
  }

  private InMemoryBackend open(Path file) {
    return InMemoryBackend.open(file, Fixtures.CLOCK);
  }

  private static List<State> states(InMemoryBackend backend) {
    List<State> states = new ArrayList<>();
    backend
        .states()
        .forEachId(StateIdGlob.ALL, id -> states.add(backend.states().find(id).orElseThrow()));
    return states;
  }

  private static List<State> halves(InMemoryBackend backend) {
    return states(backend).stream().map(s -> s.withVersion(StateVersion.NONE)).toList();
  }

  private List<String> names() throws IOException {
    try (Stream<Path> files = Files.list(directory)) {
      return files.map(path -> path.getFileName().toString()).sorted().toList();
    }
  }

  private static Object key(Path file) throws IOException {
    return Files.getAttribute(file, "unix:ino");
  }

  private static String permissions(Path file) throws IOException {
    Set<PosixFilePermission> permissions = Files.getPosixFilePermissions(file);
    return PosixFilePermissions.toString(permissions);
  }
}
