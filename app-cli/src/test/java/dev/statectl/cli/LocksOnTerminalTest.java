package dev.statectl.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.statectl.clickhouse.engine.TestClickHouse;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Locks on real terminals. What each terminal showed is printed, and docs/locks-at-the-shell.md
 * shows the same.
 */
class LocksOnTerminalTest {
  private static final Path DOCUMENT = Path.of("..", "docs", "locks-at-the-shell.md");

  private final TestClickHouse clickHouse = TestClickHouse.shared();
  private final String schema = clickHouse.freshSchema();
  private final List<String> scene = new ArrayList<>();

  @TempDir private Path directory;

  @BeforeEach
  void installCommands() throws IOException {
    StatectlOnPath.install(
        directory.resolve("nightly.sh"),
        """
        n=0
        trap 'n=$((n + 1)); echo "nightly: SIGINT"' INT
        echo "nightly: working"
        i=0
        while [ $n -eq 0 ] && [ $i -lt 600 ]; do sleep 0.1; i=$((i + 1)); done
        sleep 0.5
        echo "nightly: ending after $n SIGINT"
        """);
  }

  @Test
  void ctrlCReachesTheCommandOnceAndTheNextOneEntersAtOnce() throws Exception {
    String run = "statectl lock run nightly -- ./nightly.sh; echo \"exit code $?\"";
    String next = "statectl lock run nightly -- echo \"entered\"; echo \"exit code $?\"";
    try (TerminalSession first = shell(300, run)) {
      first.awaits("nightly: working");
      try (TerminalSession second = shell(300, next)) {
        second.awaits(
            "statectl: waiting for the lock of '@run:nightly', held by statectl lock run");
        first.type(TerminalSession.INTERRUPT);

        assertThat(first.end()).isZero();
        assertThat(first.shown())
            .contains("nightly: ending after 1 SIGINT\n")
            .endsWith("exit code 130\n");
        assertThat(second.end()).isZero();
        assertThat(second.shown())
            .doesNotContain("its holder did not renew it")
            .endsWith("entered\nexit code 0\n");
        shows("Ctrl-C in the first terminal; the second goes on");
        terminal(1, run, first);
        terminal(2, next, second);
      }
    }
    assertThat(rows()).isEqualTo("0");
    theDocumentShowsTheScene();
  }

  @Test
  void afterKillTheNextOneEntersWhenTheLockIsStaleAndSaysSo() throws Exception {
    String run = "statectl lock run nightly -- ./nightly.sh";
    String next = "statectl lock run nightly -- echo \"entered\"; echo \"exit code $?\"";
    try (TerminalSession first =
        TerminalSession.statectl(
            directory, environment(5), "lock", "run", "nightly", "--", "./nightly.sh")) {
      first.awaits("nightly: working");
      first.send("KILL");
      assertThat(first.end()).isEqualTo(137);
      try (TerminalSession second = shell(5, next)) {
        assertThat(second.end()).isZero();
        assertThat(second.shown())
            .contains("; its holder did not renew it\n")
            .endsWith("entered\nexit code 0\n");
        shows(
            "kill -9 of the first, with lock_stale set to 5; the second enters when 5 s are over");
        terminal(1, run, first);
        terminal(2, next, second);
      }
    }
    assertThat(rows()).isEqualTo("0");
    theDocumentShowsTheScene();
  }

  @Test
  void ctrlCEndsTheWaitingAndLeavesNothingBehind() throws Exception {
    String set = "statectl set nightly '{\"singer_state\": {}}'; echo \"exit code $?\"";
    statectl("lock", "run", "other", "--", "true");
    plant("nightly");
    try (TerminalSession session = shell(300, set)) {
      session.awaits("giving up in ").type(TerminalSession.INTERRUPT);

      assertThat(session.end()).isZero();
      assertThat(session.shown())
          .endsWith("^Cstatectl: interrupted while waiting for a lock\nexit code 130\n");
      shows("Ctrl-C while a command waits for a lock");
      terminal(1, set, session);
    }
    assertThat(rows()).isEqualTo("1");
    assertThat(clickHouse.query("SELECT count() FROM " + schema + ".state")).isEqualTo("0");
    theDocumentShowsTheScene();
  }

  @Test
  void termEndsTheWaitingOfEveryCommandThatWrites() throws Exception {
    statectl("set", "nightly", "{\"singer_state\": {}}");
    plant("nightly");
    plant("@run:nightly");
    for (List<String> command :
        List.of(
            List.of("set", "-y", "nightly", "{\"singer_state\": {\"a\": 1}}"),
            List.of("edit", "nightly"),
            List.of("clear", "nightly", "-y"),
            List.of("clear", "--pattern=night*", "-y"),
            List.of("lock", "run", "--wait=20", "nightly", "--", "true"))) {
      try (TerminalSession session =
          TerminalSession.statectl(directory, environment(300), command.toArray(String[]::new))) {
        session.awaits("giving up in ").send("TERM");

        assertThat(session.end()).as("%s", command).isEqualTo(143);
      }
    }
    assertThat(
            clickHouse.query("SELECT count() FROM " + schema + ".state_lock WHERE lock_id != 'x'"))
        .isEqualTo("0");
  }

  private void plant(String id) {
    clickHouse.execute(
        "INSERT INTO " + schema + ".state_lock (state_id, lock_id) VALUES ('" + id + "', 'x')");
  }

  private void statectl(String... args) {
    RunStatectl statectl = RunStatectl.in(directory);
    environment(300).forEach(statectl::variable);
    assertThat(statectl.run(args).code()).isZero();
  }

  private TerminalSession shell(int stale, String script) throws IOException {
    return TerminalSession.shell(
        directory, StatectlOnPath.in(directory, environment(stale)), script);
  }

  private Map<String, String> environment(int stale) {
    return Map.of(
        "MELTANO_STATE_BACKEND_URI",
        clickHouse.endpoint().uri(),
        "MELTANO_STATE_BACKEND_CLICKHOUSE_SCHEMA",
        schema,
        "EDITOR",
        "sed -i 's/{}/{\"a\": 1}/'",
        "MELTANO_STATE_BACKEND_CLICKHOUSE_LOCK_STALE",
        String.valueOf(stale));
  }

  private String rows() throws InterruptedException {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(5);
    String query = "SELECT count() FROM " + schema + ".state_lock";
    String rows = clickHouse.query(query);
    while (!rows.equals("0") && System.nanoTime() < deadline) {
      Thread.sleep(50);
      rows = clickHouse.query(query);
    }
    return rows;
  }

  private void shows(String title) {
    scene.add("# " + title);
  }

  private void terminal(int number, String command, TerminalSession session) {
    scene.add("terminal " + number + " $ " + command);
    scene.addAll(session.shown().lines().toList());
  }

  private void theDocumentShowsTheScene() throws IOException {
    String transcript = String.join("\n", scene) + "\n";
    System.out.println(transcript);
    assertThat(plain(Files.readString(DOCUMENT))).contains(plain(transcript));
  }

  // Without what differs from run to run.
  private static String plain(String text) {
    return text.replaceAll("\\S+@\\S+ pid \\d+", "SOMEBODY")
        .replaceAll("\\d{4}-\\d\\d-\\d\\dT[0-9:.]+Z", "TIME")
        .replaceAll("(\\d+ min )?\\d+ s\\b", "SECONDS");
  }
}
