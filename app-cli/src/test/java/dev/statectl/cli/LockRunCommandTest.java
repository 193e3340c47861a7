package dev.statectl.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.statectl.cli.RunStatectl.Outcome;
import dev.statectl.inmemory.InMemoryBackend;
import java.io.IOException;
import java.math.BigInteger;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code lock run} in one process, on the embedded store. */
class LockRunCommandTest {
  @TempDir private Path directory;

  @Test
  void anEmbeddedStoreThatAnotherHoldsIsWaitedForAsLongAsAskedFor() {
    Path file = directory.resolve("held.json");
    try (InMemoryBackend other = InMemoryBackend.open(file, Clock.systemUTC())) {
      assertThat(other.target()).isEqualTo("memory:" + file);
      long start = System.nanoTime();

      Outcome outcome =
          RunStatectl.in(directory)
              .run("lock", "run", "--uri=memory:" + file, "--wait", "0", "a", "--", "true");

      assertThat(outcome.code()).isEqualTo(4);
      assertThat(outcome.err())
          .startsWith("statectl: the snapshot file " + file + " is in use by pid ")
          .contains(" (waited 0 s); nothing was changed: ");
      assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(8));
    }
  }

  @Test
  void theCommandsExitCodePassesThrough() {
    assertThat(run("lock", "run", "dev:a", "--", "true")).isEqualTo(new Outcome(0, "", ""));
    assertThat(run("lock", "run", "dev:a", "--", "sh", "-c", "exit 42"))
        .isEqualTo(new Outcome(42, "", ""));
    assertThat(run("lock", "run", "dev:a", "--", "sh", "-c", "kill -9 $$"))
        .isEqualTo(new Outcome(137, "", ""));
  }

  @Test
  void theCommandKnowsTheLockTheIdAndWhereItIs() throws IOException {
    run(
        "lock",
        "run",
        "dev:a b",
        "--",
        "sh",
        "-c",
        "echo \"$STATECTL_LOCK_ID|$STATECTL_STATE_ID|$OTHER|$1\" > seen",
        "sh",
        "--wait");

    assertThat(Files.readString(directory.resolve("seen")))
        .matches("00000000-0000-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}\\|dev:a b\\|o\\|--wait\n");
  }

  @Test
  void aCommandThatCannotBeStartedIsTold() throws IOException {
    Files.writeString(directory.resolve("plain"), "");

    assertThat(run("lock", "run", "dev:a", "--", "no-such-command", "x"))
        .isEqualTo(
            new Outcome(127, "", "statectl: cannot start 'no-such-command': no such command\n"));
    assertThat(run("lock", "run", "dev:a", "--", directory.resolve("plain").toString()))
        .isEqualTo(
            new Outcome(
                126,
                "",
                "statectl: cannot start '"
                    + directory.resolve("plain")
                    + "': not allowed to run it\n"));
  }

  @Test
  void withoutACommandNothingIsDone() {
    assertThat(run("lock", "run", "dev:a"))
        .isEqualTo(
            new Outcome(
                2,
                "",
                "statectl: missing required parameter: 'COMMAND'\nstatectl: see 'statectl lock run"
                    + " --help'\n"));
    assertThat(run("lock", "run", "--wait", "soon", "dev:a", "--", "true"))
        .isEqualTo(
            new Outcome(
                2,
                "",
                "statectl: invalid value for option '--wait': write 0, 500ms, 10s, 2m or 1h, not"
                    + " more than 24h\nstatectl: see 'statectl lock run --help'\n"));
    assertThat(run("lock", "run", " ", "--", "true"))
        .isEqualTo(
            new Outcome(
                2,
                "",
                "statectl: a state id must not be blank\nstatectl: see 'statectl lock run --help'\n"));
    assertThat(directory).isEmptyDirectory();
  }

  @Test
  void aProgramIsNotTakenForTheSystemsErrorByItsName() {
    assertThat(run("lock", "run", "dev:a", "--", "./error=13"))
        .isEqualTo(new Outcome(127, "", "statectl: cannot start './error=13': no such command\n"));
  }

  @Test
  void theNameOfARunsLockIsNoId() {
    assertThat(run("lock", "run", "@run:dev:a", "--", "touch", "entered"))
        .isEqualTo(
            new Outcome(
                2,
                "",
                "statectl: give the id without @run:, which 'lock run' puts in front of it itself\n"
                    + "statectl: see 'statectl lock run --help'\n"));
    assertThat(directory).isEmptyDirectory();
  }

  @Test
  void whatDoesNotEndInTimeIsNamedWhenTheLockIsReleased() throws Exception {
    RunStatectl statectl = statectl();
    CompletableFuture<Outcome> run =
        start(
            statectl,
            "sh -c 'trap \"\" TERM; echo $$ > pid.tmp; mv pid.tmp pid; i=0; while [ $i -lt 150 ]; do sleep 0.1; i=$((i + 1)); done' & wait");
    String stubborn = await("pid").strip();

    statectl.send(StopSignal.TERM);

    Outcome outcome = run.get(60, TimeUnit.SECONDS);
    assertThat(outcome.code()).isEqualTo(143);
    assertThat(outcome.err())
        .matches(
            "statectl: of what the command started this runs on, although it was sent the signal"
                + " 10 s ago: pid( \\d+)*; the lock is released\n")
        .contains(" " + stubborn);
  }

  @Test
  void termEndsTheCommandAndAllThatItStarted() throws Exception {
    RunStatectl statectl = statectl();
    CompletableFuture<Outcome> run =
        start(statectl, "sleep 60 & echo $! > pid.tmp; mv pid.tmp pid; wait; echo more > more");
    long sleep = Long.parseLong(await("pid").strip());

    statectl.send(StopSignal.TERM);

    assertThat(run.get(30, TimeUnit.SECONDS)).isEqualTo(new Outcome(143, "", ""));
    assertThat(ProcessHandle.of(sleep).filter(ProcessHandle::isAlive)).isEmpty();
    assertThat(directory.resolve("more")).doesNotExist();
  }

  @Test
  void theLockIsHeldUntilACommandThatCleansUpHasEnded() throws Exception {
    RunStatectl statectl = statectl();
    CompletableFuture<Outcome> run =
        start(
            statectl,
            "trap 'sleep 0.5; echo clean > cleaned; exit 5' TERM; echo > ready; while :; do sleep"
                + " 0.1; done");
    await("ready");

    statectl.send(StopSignal.TERM);

    assertThat(run.get(30, TimeUnit.SECONDS)).isEqualTo(new Outcome(143, "", ""));
    assertThat(directory.resolve("cleaned")).hasContent("clean");
  }

  @Test
  void intReachesTheCommandUnlessItIgnoresIt() throws Exception {
    RunStatectl statectl = statectl();
    CompletableFuture<Outcome> run =
        start(
            statectl,
            "trap 'echo int > got; exit 0' INT; echo > ready; for i in 1 2 3 4 5 6 7 8 9 10; do"
                + " sleep 0.2; done");
    await("ready");

    statectl.send(StopSignal.INT);

    assertThat(run.get(30, TimeUnit.SECONDS)).isEqualTo(new Outcome(130, "", ""));
    assertThat(Files.exists(directory.resolve("got"))).isEqualTo(!startedToIgnoreInt());
  }

  private CompletableFuture<Outcome> start(RunStatectl statectl, String script) {
    return CompletableFuture.supplyAsync(
        () -> statectl.run("lock", "run", "dev:a", "--", "sh", "-c", script));
  }

  // A background job of a script ignores Ctrl-C, and so do all that it starts.
  private static boolean startedToIgnoreInt() throws IOException {
    Path status = Path.of("/proc/self/status");
    return Files.exists(status)
        && Files.readAllLines(status).stream()
            .filter(line -> line.startsWith("SigIgn:"))
            .anyMatch(line -> new BigInteger(line.substring(7).strip(), 16).testBit(1));
  }

  private String await(String file) throws Exception {
    Path path = directory.resolve(file);
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
    while (!Files.exists(path)) {
      assertThat(System.nanoTime()).as("waiting for %s", file).isLessThan(deadline);
      Thread.sleep(20);
    }
    return Files.readString(path);
  }

  private RunStatectl statectl() {
    return RunStatectl.in(directory)
        .variable("MELTANO_STATE_BACKEND_URI", "memory:s.json")
        .variable("OTHER", "o");
  }

  private Outcome run(String... args) {
    return statectl().run(args);
  }
}
