package dev.statectl.inmemory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.statectl.lock.LockId;
import dev.statectl.port.StateFailure;
import dev.statectl.state.StateId;
import dev.statectl.usecase.Pause;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SnapshotLockTest {
  @TempDir private Path directory;
  private Path file;
  private Path lockFile;

  @BeforeEach
  void name() {
    file = directory.resolve("state.json");
    lockFile = directory.resolve("state.json.lock");
  }

  @Test
  void theSecondProgramIsToldWhoHoldsTheSnapshot() throws Exception {
    try (OtherProgram other = OtherProgram.holding(file)) {
      String holder = describe(other.process.toHandle());
      assertThat(lockFile).hasContent(holder + "\n");

      assertHeldBy(holder, () -> open(Duration.ZERO), "0 s");
    }
  }

  @Test
  void theSecondOpeningInOneProgramIsToldTheSame() throws IOException {
    try (InMemoryBackend first = open(Duration.ZERO)) {
      assertHeldBy(describe(ProcessHandle.current()), () -> open(Duration.ZERO), "0 s");
      first.states().save(Fixtures.state("a", "{}"));
    }
    open(Duration.ZERO).close();
  }

  @Test
  void aLockOfAStateKeepsOthersFromASnapshotThatIsStillToCome() {
    Path later = directory.resolve("new/state.json");
    LockId lockId = LockId.of(Fixtures.CLOCK.instant(), 1);
    try (InMemoryBackend first = InMemoryBackend.open(later, Fixtures.CLOCK, Duration.ZERO);
        InMemoryBackend second = InMemoryBackend.open(later, Fixtures.CLOCK, Duration.ZERO)) {
      first.locks().announce(StateId.of("a"), lockId, "first");

      assertThatThrownBy(() -> second.locks().announce(StateId.of("a"), lockId, "second"))
          .isInstanceOf(StateFailure.StoreHeld.class)
          .hasMessageContaining(" is in use by pid ");
    }
  }

  @Test
  void aVainSecondOpeningInOneProgramDoesNotFreeTheLock() throws Exception {
    try (InMemoryBackend first = open(Duration.ZERO)) {
      assertThatThrownBy(() -> open(Duration.ZERO)).isInstanceOf(StateFailure.StoreHeld.class);

      assertThat(OtherProgram.run(List.of(), file.toString(), "0", "get", "a"))
          .containsExactly("LOCK_HELD " + heldMessage(describe(ProcessHandle.current()), "0 s"));
      assertThat(first.states().deleteAll()).isZero();
    }
  }

  @Test
  void aLinkToTheDirectoryLeadsToTheSameLock() throws IOException {
    Path real = Files.createDirectory(directory.resolve("real"));
    Path link = Files.createSymbolicLink(directory.resolve("link"), real);
    try (InMemoryBackend first =
        InMemoryBackend.open(real.resolve("s.json"), Fixtures.CLOCK, Duration.ZERO)) {
      assertThatThrownBy(
              () -> InMemoryBackend.open(link.resolve("s.json"), Fixtures.CLOCK, Duration.ZERO))
          .isInstanceOf(StateFailure.StoreHeld.class)
          .hasMessageContaining(" is in use by pid ");
      assertThat(first.states().deleteAll()).isZero();
    }
  }

  @Test
  void theSecondGetsInWhenTheFirstCloses() throws Exception {
    try (OtherProgram other = OtherProgram.holding(file)) {
      List<Duration> pauses = new ArrayList<>();
      Pause closing =
          duration -> {
            pauses.add(duration);
            if (pauses.size() == 3) {
              end(other);
            }
          };
      InMemoryBackend.open(file, Fixtures.CLOCK, Duration.ofSeconds(10), closing).close();
      assertThat(pauses)
          .containsExactly(Duration.ofMillis(50), Duration.ofMillis(50), Duration.ofMillis(50));
    }
  }

  private static void end(OtherProgram other) {
    try {
      assertThat(other.lines()).isEmpty();
    } catch (Exception e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void theWaitEndsWithTheTimeout() throws IOException {
    List<Duration> pauses = new ArrayList<>();
    try (InMemoryBackend first = open(Duration.ZERO)) {
      assertHeldBy(
          describe(ProcessHandle.current()),
          () -> InMemoryBackend.open(file, Fixtures.CLOCK, Duration.ofMillis(1120), pauses::add),
          "1.12 s");
      assertThat(first.states().deleteAll()).isZero();
    }
    assertThat(pauses).hasSize(23);
    assertThat(pauses.subList(0, 22)).containsOnly(Duration.ofMillis(50));
    assertThat(pauses.get(22)).isEqualTo(Duration.ofMillis(20));
  }

  @Test
  void anInterruptEndsTheWait() {
    try (InMemoryBackend first = open(Duration.ZERO)) {
      Thread.currentThread().interrupt();
      assertThatThrownBy(() -> open(Duration.ofSeconds(10)))
          .isInstanceOf(StateFailure.Unavailable.class)
          .hasMessage(
              "the wait for the snapshot file " + file + " was interrupted; nothing was changed");
      assertThat(Thread.interrupted()).isTrue();
      assertThat(first.states().deleteAll()).isZero();
    }
  }

  @Test
  void aKilledProgramHoldsNothing() throws Exception {
    try (OtherProgram other = OtherProgram.holding(file)) {
      other.kill();
      assertThat(lockFile).content().startsWith("pid " + other.process.pid() + ", ");

      try (InMemoryBackend next = open(Duration.ZERO)) {
        next.states().save(Fixtures.state("a", "{}"));
        assertThat(lockFile).hasContent(describe(ProcessHandle.current()) + "\n");
      }
    }
  }

  @Test
  void theFirstWriteToANewDirectoryWaitsForTheLockToo() throws Exception {
    Path later = directory.resolve("new/state.json");
    try (InMemoryBackend backend = InMemoryBackend.open(later, Fixtures.CLOCK, Duration.ZERO)) {
      Files.createDirectory(later.getParent());
      try (OtherProgram other = OtherProgram.holding(later)) {
        assertThatThrownBy(() -> backend.states().save(Fixtures.state("a", "{}")))
            .isInstanceOf(StateFailure.StoreHeld.class)
            .hasMessageStartingWith(
                "the snapshot file " + later + " is in use by pid " + other.process.pid() + ", ");
      }
      assertThat(later).doesNotExist();
      backend.states().save(Fixtures.state("a", "{}"));
      assertThat(later).exists();
    }
  }

  @Test
  void aLockFileThatWasRemovedStopsTheNextWrite() throws IOException {
    try (InMemoryBackend backend = open(Duration.ZERO)) {
      backend.states().save(Fixtures.state("a", "{}"));
      Files.delete(lockFile);

      for (int attempt = 0; attempt < 2; attempt++) {
        assertThatThrownBy(() -> backend.states().save(Fixtures.state("b", "{}")))
            .isInstanceOf(StateFailure.Unavailable.class)
            .hasMessage(
                "the lock file "
                    + lockFile
                    + " was removed or replaced while this program held it; nothing was changed:"
                    + " see that no other program uses the snapshot file "
                    + file
                    + ", then start this one again");
        assertThat(file).hasContent("{\"a\": {\"completed\": {}, \"partial\": {}}}\n");
        Files.writeString(lockFile, "");
      }
    }
  }

  @Test
  void aLinkInPlaceOfTheLockFileIsNotFollowed() throws IOException {
    Path victim = Files.writeString(directory.resolve("victim"), "precious");
    Files.createSymbolicLink(lockFile, victim);

    assertThatThrownBy(() -> open(Duration.ZERO))
        .isInstanceOf(StateFailure.Unavailable.class)
        .hasMessageStartingWith("the snapshot file " + file + " could not be locked: " + lockFile)
        .hasMessageEndingWith(
            "; nothing was changed: see that this can be a regular file on a file system with"
                + " locks, then try again");
    assertThat(victim).hasContent("precious");
  }

  @Test
  void whatStandsInTheLockFileIsShownOnOneLine() throws Exception {
    try (OtherProgram other = OtherProgram.holding(file)) {
      Files.writeString(lockFile, "\u001b[2J who\t?\nsecond line");
      assertHeldBy("?[2J who??", () -> open(Duration.ZERO), "0 s");

      Files.writeString(lockFile, "");
      assertHeldBy("another program", () -> open(Duration.ZERO), "0 s");
      assertThat(other.process.isAlive()).isTrue();
    }
  }

  @Test
  void programsAndThreadsThatCountInOneSnapshotLoseNoStep() throws Exception {
    List<OtherProgram> others = new ArrayList<>();
    for (int i = 0; i < 2; i++) {
      others.add(
          OtherProgram.start(List.of(), SnapshotProgram.Counting.class, file.toString(), "40"));
    }
    List<Throwable> failures = new ArrayList<>();
    Thread thread = new Thread(() -> SnapshotProgram.count(file, 40));
    thread.setUncaughtExceptionHandler((t, e) -> failures.add(e));
    thread.start();
    SnapshotProgram.count(file, 40);
    thread.join();
    for (OtherProgram other : others) {
      try (other) {
        assertThat(other.lines()).containsExactly("counted");
      }
    }

    assertThat(failures).isEmpty();
    try (InMemoryBackend backend = open(Duration.ZERO)) {
      assertThat(SnapshotProgram.counted(backend.states())).isEqualTo(160);
    }
  }

  private InMemoryBackend open(Duration timeout) {
    return InMemoryBackend.open(file, Fixtures.CLOCK, timeout);
  }

  private void assertHeldBy(String holder, ThrowingCallable opening, String waited) {
    assertThatThrownBy(opening)
        .isInstanceOf(StateFailure.StoreHeld.class)
        .hasMessage(heldMessage(holder, waited));
  }

  private String heldMessage(String holder, String waited) {
    return "the snapshot file "
        + file
        + " is in use by "
        + holder
        + " (waited "
        + waited
        + "); nothing was changed: wait until that program ends, or end it, then try again; do not"
        + " remove "
        + lockFile
        + ", it is freed by itself";
  }

  private static String describe(ProcessHandle process) throws IOException {
    return "pid "
        + process.pid()
        + ", "
        + System.getProperty("user.name")
        + "@"
        + hostName()
        + ", since 2026-03-04T05:06:07Z, program started "
        + process.info().startInstant().orElseThrow().truncatedTo(ChronoUnit.SECONDS);
  }

  private static String hostName() throws IOException {
    Process uname = new ProcessBuilder("uname", "-n").start();
    return new String(uname.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
  }
}
