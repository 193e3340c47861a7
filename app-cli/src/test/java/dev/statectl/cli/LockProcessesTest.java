package dev.statectl.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.statectl.cli.RunStatectl.Outcome;
import dev.statectl.clickhouse.Relay;
import dev.statectl.clickhouse.engine.ClickHouseEndpoint;
import dev.statectl.clickhouse.engine.TestClickHouse;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Locks between real processes on ClickHouse, which end in every way that processes end. */
class LockProcessesTest {
  private final TestClickHouse clickHouse = TestClickHouse.shared();
  private final String schema = clickHouse.freshSchema();

  @TempDir private Path directory;

  @Test
  void aSecondRunWaitsForTheFirst() throws Exception {
    try (StatectlProcess first =
        run(Main.class, 300, "echo first > log; touch ready; sleep 2; echo ended >> log")) {
      await("ready");
      try (StatectlProcess second = run(Main.class, 300, "echo second >> log")) {
        assertThat(first.end()).isEqualTo(new Outcome(0, "", ""));
        assertThat(second.end()).isEqualTo(new Outcome(0, "", ""));
      }
    }
    assertThat(directory.resolve("log")).hasContent("first\nended\nsecond");
    assertThat(rows()).isEqualTo("0");
  }

  @Test
  void afterAKillTheNextOneEntersWhenTheLockIsStale() throws Exception {
    try (StatectlProcess first = run(Main.class, 5, "touch ready; sleep 60")) {
      await("ready");
      first.send("KILL");
      assertThat(first.end().code()).isEqualTo(137);
      long killed = System.nanoTime();
      try (StatectlProcess second = run(StatectlOnTerminal.class, 5, "echo entered")) {
        Outcome outcome = second.end();

        assertThat(System.nanoTime() - killed).isGreaterThan(TimeUnit.SECONDS.toNanos(1));
        assertThat(outcome.code()).isZero();
        assertThat(outcome.out()).isEqualTo("entered\n");
        assertThat(outcome.err())
            .matches(
                "statectl: waiting for the lock of '@run:dev:a', held by statectl lock run by \\S+"
                    + " pid "
                    + first.pid()
                    + " since \\S+Z; it expires in \\d s unless it is renewed; giving up in \\d+ s\n"
                    + "statectl: took the lock of '@run:dev:a' after \\d+ s; its holder did not"
                    + " renew it\n");
      }
    }
  }

  @Test
  void termReleasesTheLockAtOnce() throws Exception {
    try (StatectlProcess first = run(Main.class, 300, "touch ready; sleep 60")) {
      await("ready");
      assertThat(rows()).isEqualTo("1");

      first.send("TERM");

      assertThat(first.end()).isEqualTo(new Outcome(143, "", ""));
      assertThat(rows()).isEqualTo("0");
    }
  }

  @Test
  void aLostLockEndsTheCommand() throws Exception {
    try (StatectlProcess first = run(Main.class, 4, "touch ready; sleep 60; touch survived")) {
      await("ready");
      clickHouse.execute("DELETE FROM " + schema + ".state_lock WHERE state_id = '@run:dev:a'");

      assertThat(first.end())
          .isEqualTo(
              new Outcome(
                  4,
                  "",
                  "statectl: the lock of '@run:dev:a' was lost: its row was removed or became stale;"
                      + " ending the command\n"
                      + "statectl: the command was ended with 143\n"));
      assertThat(directory.resolve("survived")).doesNotExist();
    }
  }

  @Test
  void aCommandThatIgnoresTermIsKilledWhenTheLockIsLost() throws Exception {
    try (StatectlProcess first =
        run(Main.class, 4, "trap '' TERM; touch ready; sleep 60; touch survived")) {
      await("ready");
      clickHouse.execute("DELETE FROM " + schema + ".state_lock WHERE state_id = '@run:dev:a'");

      Outcome outcome = first.end();

      assertThat(outcome.code()).isEqualTo(4);
      assertThat(outcome.err()).endsWith("statectl: the command was ended with 137\n");
    }
  }

  @Test
  void aWriterThatWasStoppedDoesNotOverwriteItsSuccessor() throws Exception {
    set(clickHouse.endpoint(), "{\"singer_state\": {\"by\": \"nobody\"}}").end();
    CountDownLatch writing = new CountDownLatch(1);
    CountDownLatch succeeded = new CountDownLatch(1);
    try (Relay relay = Relay.to(clickHouse.endpoint())) {
      relay.holdNext(
          "INSERT INTO \"" + schema + "\".\"state\"",
          () -> {
            writing.countDown();
            try {
              succeeded.await();
            } catch (InterruptedException e) {
              Thread.currentThread().interrupt();
            }
          });
      try (StatectlProcess stopped =
          set(relay.endpoint(), "{\"singer_state\": {\"by\": \"the stopped\"}}")) {
        assertThat(writing.await(60, TimeUnit.SECONDS)).isTrue();
        stopped.send("STOP");
        try (StatectlProcess successor =
            set(clickHouse.endpoint(), "{\"singer_state\": {\"by\": \"its successor\"}}")) {
          assertThat(successor.end().code()).isZero();
        }
        succeeded.countDown();
        stopped.send("CONT");

        Outcome outcome = stopped.end();

        assertThat(outcome.code()).isEqualTo(4);
        assertThat(outcome.err()).startsWith("statectl: the lock of 'dev:a' was lost: ");
      }
    }
    assertThat(
            clickHouse.query(
                "SELECT completed_state FROM " + schema + ".state FINAL FORMAT TSVRaw"))
        .isEqualTo("{\"singer_state\": {\"by\": \"its successor\"}}");
    assertThat(rows()).isEqualTo("0");
  }

  private StatectlProcess run(Class<?> main, int stale, String script) throws IOException {
    return StatectlProcess.start(
        main,
        directory,
        environment(clickHouse.endpoint(), stale),
        "lock",
        "run",
        "dev:a",
        "--",
        "sh",
        "-c",
        script);
  }

  private StatectlProcess set(ClickHouseEndpoint endpoint, String document) throws IOException {
    return StatectlProcess.start(
        Main.class, directory, environment(endpoint, 3), "set", "--force", "dev:a", document);
  }

  private Map<String, String> environment(ClickHouseEndpoint endpoint, int stale) {
    return new HashMap<>(
        Map.of(
            "MELTANO_STATE_BACKEND_URI",
            endpoint.uri(),
            "MELTANO_STATE_BACKEND_CLICKHOUSE_SCHEMA",
            schema,
            "MELTANO_STATE_BACKEND_CLICKHOUSE_LOCK_STALE",
            String.valueOf(stale)));
  }

  private String rows() {
    return clickHouse.query("SELECT count() FROM " + schema + ".state_lock");
  }

  private void await(String file) throws Exception {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
    while (!Files.exists(directory.resolve(file))) {
      assertThat(System.nanoTime()).as("waiting for %s", file).isLessThan(deadline);
      Thread.sleep(20);
    }
  }
}
