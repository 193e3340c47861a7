package dev.statectl.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.statectl.cli.RunStatectl.Outcome;
import dev.statectl.clickhouse.engine.ClickHouseEndpoint;
import dev.statectl.clickhouse.engine.TestClickHouse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The commands that see and meet locks, on ClickHouse, with rows planted past the product. */
class LockCommandsTest {
  private static final String DOCUMENT = "{\"singer_state\": {}}";
  private static final String OURS = "00000000-0000-716f-5e66-e80069539bfe";
  // When OURS was made.
  private static final String MADE = "2020-01-01T00:00:00Z";
  private static final String PLUGINS = "6f1d3c5e-2b1a-4c3d-9e8f-0a1b2c3d4e5f";

  private final TestClickHouse clickHouse = TestClickHouse.shared();
  private final String schema = clickHouse.freshSchema();
  private final String target =
      clickHouse.endpoint().host() + ":" + clickHouse.endpoint().port() + " " + schema + ".state";

  @TempDir private Path directory;

  @Nested
  class NobodyHoldsALock {
    @Test
    void andNothingIsCreated() {
      assertThat(run("lock", "list")).isEqualTo(new Outcome(0, "", ""));
      assertThat(run("lock", "show", "dev:a"))
          .isEqualTo(new Outcome(3, "", "statectl: nobody holds the lock of 'dev:a'\n"));
      assertThat(run("lock", "break", "dev:a", "--force"))
          .isEqualTo(new Outcome(3, "", "statectl: nobody holds the lock of 'dev:a'\n"));
      assertThat(run("lock", "break", "dev:a", "--lock-id", "x"))
          .isEqualTo(
              new Outcome(
                  5,
                  "",
                  "statectl: the lock of 'dev:a' in "
                      + target
                      + " is not held with the lock id x any more; nobody holds it; nothing was"
                      + " changed\n"));
      assertThat(
              clickHouse.query(
                  "SELECT count() FROM system.databases WHERE name = '" + schema + "'"))
          .isEqualTo("0");
    }

    @Test
    void onTheEmbeddedStoreEither() {
      RunStatectl embedded =
          RunStatectl.in(directory).variable("MELTANO_STATE_BACKEND_URI", "memory:s.json");

      assertThat(embedded.run("lock", "list")).isEqualTo(new Outcome(0, "", ""));
      assertThat(embedded.run("lock", "show", "dev:a").code()).isEqualTo(3);
      assertThat(embedded.run("lock", "break", "dev:a", "--force").code()).isEqualTo(3);
      assertThat(embedded.run("lock", "break", "dev:a", "--lock-id=x"))
          .isEqualTo(
              new Outcome(
                  5,
                  "",
                  "statectl: the lock of 'dev:a' in memory:"
                      + directory.resolve("s.json")
                      + " is not held with the lock id x any more;"
                      + " nobody holds it; nothing was changed\n"));
    }

    @Test
    void afterAWriteEither() {
      assertThat(run("set", "dev:a", DOCUMENT).code()).isZero();
      assertThat(run("clear", "dev:a", "--force").code()).isZero();

      assertThat(run("lock", "list")).isEqualTo(new Outcome(0, "", ""));
    }
  }

  @Nested
  class Shown {
    @Test
    void inATable() {
      plant("dev:a", PLUGINS, 100, "");
      plant("dev:b", OURS, 0, "statectl set by etl@worker pid 7");
      plant("prod:a", PLUGINS, 200, "");

      Outcome outcome = stale150().run("lock", "list", "--pattern", "*:*");

      assertThat(outcome.code()).isZero();
      assertThat(outcome.err()).isEmpty();
      assertThat(outcome.out().lines())
          .satisfiesExactly(
              line ->
                  assertThat(line).matches("ID +HOLDER +SINCE +AGE +EXPIRES IN +WHOSE +LOCK ID"),
              line ->
                  assertThat(line)
                      .matches(
                          "dev:a   the Meltano plugin                "
                              + lockedAt("dev:a")
                              + "  1 min [45]\\d s +([34]\\d|50) s +plugin's  "
                              + PLUGINS),
              line ->
                  assertThat(line)
                      .matches(
                          "dev:b   statectl set by etl@worker pid 7  "
                              + MADE
                              + "  .* +2 min [123]\\d s +ours      "
                              + OURS),
              line ->
                  assertThat(line)
                      .matches(
                          "prod:a  the Meltano plugin                "
                              + lockedAt("prod:a")
                              + "  3 min [23]\\d s +expired +plugin's  "
                              + PLUGINS));
      assertThat(run("lock", "show", "dev:a").out().lines().skip(1))
          .singleElement()
          .asString()
          .startsWith("dev:a  the Meltano plugin  ");
    }

    @Test
    void asJson() {
      plant("dev:\n\"a\"", PLUGINS, 100, "");
      plant("dev:b", OURS, 10, "statectl set by etl@worker pid 7");

      assertThat(run("lock", "list", "--format=ndjson").out())
          .matches(
              "\\{\"id\":\"dev:\\\\n\\\\\"a\\\\\"\",\"holder\":\"\",\"since\":\""
                  + lockedAt("dev:\n\"a\"")
                  + "\",\"age_seconds\":10\\d,\"expires_in_seconds\":(200|19\\d),\"whose\":\"plugin\","
                  + "\"lock_id\":\""
                  + PLUGINS
                  + "\"}\n"
                  + "\\{\"id\":\"dev:b\",\"holder\":\"statectl set by etl@worker pid 7\","
                  + "\"since\":\""
                  + MADE
                  + "\",\"age_seconds\":-?\\d+,\"expires_in_seconds\":2[89]\\d,\"whose\":\"ours\","
                  + "\"lock_id\":\""
                  + OURS
                  + "\"}\n");
      assertThat(run("lock", "show", "dev:b", "-o", "json").out())
          .startsWith("[\n{\"id\":\"dev:b\",")
          .endsWith("}\n]\n");
      assertThat(run("lock", "list", "-ojson", "--pattern=none"))
          .isEqualTo(new Outcome(0, "[]\n", ""));
    }

    @Test
    void onlyByTheirPattern() {
      plant("dev:a", PLUGINS, 0, "");
      plant("prod:a", PLUGINS, 0, "");

      assertThat(run("lock", "list", "--pattern=prod:?").out().lines().skip(1))
          .singleElement()
          .asString()
          .startsWith("prod:a ");
    }

    @Test
    void notWhenExpired() {
      plant("dev:a", PLUGINS, 200, "");

      assertThat(run("lock", "show", "dev:a").code()).isZero();
      assertThat(stale150().run("lock", "show", "dev:a"))
          .isEqualTo(new Outcome(3, "", "statectl: nobody holds the lock of 'dev:a'\n"));
    }
  }

  @Nested
  class Broken {
    @Test
    void byItsLockIdOnly() {
      plant("dev:a", PLUGINS, 7, "");

      Outcome other = run("lock", "break", "dev:a", "--lock-id", OURS);

      assertThat(other.code()).isEqualTo(5);
      assertThat(other.err())
          .isEqualTo(
              "statectl: the lock of 'dev:a' in "
                  + target
                  + " is not held with the lock id "
                  + OURS
                  + " any more; it is held by the Meltano plugin since "
                  + lockedAt("dev:a")
                  + " (lock id "
                  + PLUGINS
                  + "); nothing was changed\n");
      assertThat(run("lock", "break", "dev:a", "--lock-id", PLUGINS))
          .isEqualTo(
              new Outcome(
                  0,
                  "",
                  "statectl: broke the lock of 'dev:a' in "
                      + target
                      + " (lock id "
                      + PLUGINS
                      + ")\n"));
      assertThat(run("lock", "show", "dev:a").code()).isEqualTo(3);
    }

    @Test
    void afterAQuestionThatSaysWhoHoldsIt() {
      plant("dev:a", PLUGINS, 7, "");
      String holder =
          "held by the Meltano plugin since " + lockedAt("dev:a") + " (lock id " + PLUGINS + ")";
      RunStatectl no = statectl(clickHouse.endpoint()).answering("n");
      RunStatectl yes = statectl(clickHouse.endpoint()).answering("y");

      assertThat(no.run("lock", "break", "dev:a"))
          .isEqualTo(new Outcome(1, "", "statectl: nothing was changed\n"));
      assertThat(run("lock", "show", "dev:a").code()).isZero();
      assertThat(yes.run("lock", "break", "dev:a"))
          .isEqualTo(
              new Outcome(
                  0,
                  "",
                  "statectl: broke the lock of 'dev:a' in "
                      + target
                      + ", which was "
                      + holder
                      + "\n"));
      assertThat(yes.questions())
          .containsExactly("Break the lock of 'dev:a' in " + target + ", " + holder + "? [y/N] ");
      assertThat(run("lock", "show", "dev:a").code()).isEqualTo(3);
    }

    @Test
    void notInADryRun() {
      plant("dev:a", PLUGINS, 7, "");
      Outcome planned =
          new Outcome(
              0,
              "",
              "statectl: would break the lock of 'dev:a' in "
                  + target
                  + ", held by the Meltano plugin since "
                  + lockedAt("dev:a")
                  + " (lock id "
                  + PLUGINS
                  + ")\nstatectl: dry run: nothing was changed\n");

      assertThat(run("lock", "break", "dev:a", "--dry-run")).isEqualTo(planned);
      assertThat(run("lock", "break", "dev:a", "--dry-run", "--lock-id", PLUGINS))
          .isEqualTo(planned);
      assertThat(run("lock", "break", "dev:a", "--dry-run", "--lock-id", OURS).code()).isEqualTo(5);
      assertThat(run("lock", "show", "dev:a").code()).isZero();
    }

    @Test
    void withoutATerminalByForceOnly() {
      plant("dev:a", OURS, 7, "statectl set by etl@worker pid 7");
      String holder =
          "held by statectl set by etl@worker pid 7 since " + MADE + " (lock id " + OURS + ")";

      assertThat(run("lock", "break", "dev:a"))
          .isEqualTo(
              new Outcome(
                  2,
                  "",
                  "statectl: this would break the lock of 'dev:a' in "
                      + target
                      + ", "
                      + holder
                      + "; give --yes to do it; nothing was changed\n"));
      assertThat(run("lock", "break", "--force", "dev:a"))
          .isEqualTo(
              new Outcome(
                  0,
                  "",
                  "statectl: broke the lock of 'dev:a' in "
                      + target
                      + ", which was "
                      + holder
                      + "\n"));
    }

    @Test
    void withAnIdThatCanBeOne() {
      assertThat(run("lock", "break", "dev:a", "--lock-id", " "))
          .isEqualTo(
              new Outcome(
                  2,
                  "",
                  "statectl: --lock-id must not be blank\n"
                      + "statectl: see 'statectl lock break --help'\n"));
    }
  }

  @Nested
  class InTheWay {
    @Test
    void ofAWriteIsToldWithWhatToDo() {
      plant("dev:a b", PLUGINS, 7, "");

      Outcome outcome = run("set", "dev:a b", DOCUMENT, "--wait", "0");

      assertThat(outcome.code()).isEqualTo(4);
      assertThat(outcome.err())
          .matches(
              "statectl: the lock of 'dev:a b' is held by the Meltano plugin \\(lock id "
                  + PLUGINS
                  + "\\) since "
                  + lockedAt("dev:a b")
                  + ", \\d+ s ago; unless it is renewed, it counts no more after \\S+Z\n"
                  + "statectl: to look at it: statectl lock show 'dev:a b'\n"
                  + "statectl: to break it: statectl lock break --lock-id "
                  + PLUGINS
                  + " 'dev:a b'\n");
      assertThat(run("clear", "--force", "--wait=0", "dev:a b").code()).isEqualTo(4);
      assertThat(run("get", "dev:a b").code()).isEqualTo(3);
      assertThat(run("set", "dev:b", DOCUMENT, "--wait", "0").code()).isZero();
    }

    @Test
    void isToldWithTheOptionsThatLeadThere() {
      plant("dev:a", PLUGINS, 7, "");

      Outcome outcome =
          RunStatectl.in(directory)
              .variable("MELTANO_STATE_BACKEND_CLICKHOUSE_SCHEMA", schema)
              .run("set", "dev:a", DOCUMENT, "--wait", "0", "--uri", clickHouse.uri());

      assertThat(outcome.err())
          .contains("statectl: to look at it: statectl lock show --uri=… dev:a\n");
    }

    @Test
    void ofAWriteThatWaitsIsToldToAPerson() {
      plant("dev:a", PLUGINS, 0, "");

      Outcome outcome =
          statectl(clickHouse.endpoint()).answering().run("set", "dev:a", DOCUMENT, "--wait=4s");

      assertThat(outcome.code()).isEqualTo(4);
      assertThat(outcome.err().lines().findFirst().orElseThrow())
          .matches(
              "statectl: waiting for the lock of 'dev:a', held by the Meltano plugin since "
                  + lockedAt("dev:a")
                  + "; it expires in 4 min 5\\d s unless it is renewed; giving up in [12] s");
      assertThat(outcome.err().lines()).hasSize(4);
    }

    @Test
    void isWaitedForNoLongerWhenASignalComes() throws Exception {
      plant("dev:a", PLUGINS, 0, "");
      RunStatectl statectl = statectl(clickHouse.endpoint());
      CompletableFuture<Outcome> set =
          CompletableFuture.supplyAsync(() -> statectl.run("set", "dev:a", DOCUMENT));

      statectl.send(StopSignal.INT);

      assertThat(set.get(20, TimeUnit.SECONDS))
          .isEqualTo(new Outcome(130, "", "statectl: interrupted while waiting for a lock\n"));
      assertThat(run("lock", "list").out().lines().skip(1)).hasSize(1);
    }

    @Test
    void ofARunIsAnotherRunButNotAWrite() throws Exception {
      String script =
          "echo > ready; i=0; while [ ! -e go ] && [ $i -lt 600 ]; do i=$((i + 1)); sleep 0.1; done";
      CompletableFuture<Outcome> first =
          CompletableFuture.supplyAsync(
              () -> run("lock", "run", "dev:a", "--", "sh", "-c", script));
      while (!Files.exists(directory.resolve("ready"))) {
        Thread.sleep(20);
      }

      Outcome second = run("lock", "run", "--wait", "0", "dev:a", "--", "touch", "entered");

      assertThat(second.code()).isEqualTo(4);
      assertThat(second.err())
          .contains(
              "the lock of '@run:dev:a' is held by statectl lock run by "
                  + RunStatectl.OWNER
                  + " (lock id ",
              "statectl: to look at it: statectl lock show @run:dev:a\n");
      assertThat(directory.resolve("entered")).doesNotExist();
      assertThat(run("set", "dev:a", DOCUMENT, "--wait", "0").code()).isZero();
      assertThat(run("lock", "show", "@run:dev:a").code()).isZero();
      Outcome notFound =
          new Outcome(
              3,
              "",
              "statectl: nobody holds the lock of 'dev:a'; 'lock run' holds another, that of"
                  + " '@run:dev:a'\n");
      assertThat(run("lock", "show", "dev:a")).isEqualTo(notFound);
      assertThat(run("lock", "break", "--force", "dev:a")).isEqualTo(notFound);
      Files.writeString(directory.resolve("go"), "");
      assertThat(first.get(30, TimeUnit.SECONDS)).isEqualTo(new Outcome(0, "", ""));
      assertThat(run("lock", "list")).isEqualTo(new Outcome(0, "", ""));
    }
  }

  @Test
  void whatKeepsLocksFromBeingImmediateIsToldOnce() {
    createPluginsTables();
    ClickHouseEndpoint user =
        clickHouse.createUser("SELECT, INSERT, ALTER DELETE ON " + schema + ".*");

    long started = System.nanoTime();
    Outcome outcome = statectl(user).run("set", "dev:a", DOCUMENT);

    assertThat(System.nanoTime() - started).isGreaterThan(TimeUnit.SECONDS.toNanos(1));
    assertThat(outcome.code()).isZero();
    assertThat(outcome.err().lines())
        .satisfiesExactly(
            line ->
                assertThat(line)
                    .contains(
                        "until then every lock is taken in settle mode, as the Meltano plugin"),
            line -> assertThat(line).startsWith("statectl: set 'dev:a' in "));
    assertThat(
            statectl(user)
                .variable("MELTANO_STATE_BACKEND_CLICKHOUSE_LOCK_MODE", "settle")
                .run("set", "dev:a", DOCUMENT, "--force")
                .err()
                .lines())
        .hasSize(1);
  }

  @Test
  void withoutPeersALockIsReleasedByARow() {
    RunStatectl statectl =
        statectl(clickHouse.endpoint())
            .variable("MELTANO_STATE_BACKEND_CLICKHOUSE_LOCK_PEERS", "none");

    assertThat(statectl.run("set", "dev:a", DOCUMENT).code()).isZero();

    assertThat(
            clickHouse.query(
                "SELECT max(released) FROM " + schema + ".state_lock WHERE state_id = 'dev:a'"))
        .isEqualTo("1");
    assertThat(statectl.run("lock", "list")).isEqualTo(new Outcome(0, "", ""));
  }

  @Test
  void aRunThatMayNotReleaseItsLockSaysWhichAndHowToBreakIt() {
    run("set", "dev:a", DOCUMENT);
    ClickHouseEndpoint user = clickHouse.createUser("SELECT, INSERT ON " + schema + ".*");

    Outcome outcome = statectl(user).run("lock", "run", "dev:a", "--", "true");

    String lockId = clickHouse.query("SELECT lock_id FROM " + schema + ".state_lock");
    assertThat(outcome.code()).isEqualTo(6);
    assertThat(outcome.err().lines())
        .satisfiesExactly(
            line ->
                assertThat(line)
                    .startsWith(
                        "statectl: the command had ended with 0, but the lock of '@run:dev:a' could"
                            + " not be released and keeps others out until it is stale: cannot"
                            + " delete from ")
                    .contains("GRANT ALTER DELETE ON "),
            line ->
                assertThat(line)
                    .isEqualTo(
                        "statectl: to break it: statectl lock break --lock-id "
                            + lockId
                            + " @run:dev:a"));
    assertThat(statectl(user).run("lock", "run", "dev:b", "--", "sh", "-c", "exit 9").code())
        .isEqualTo(9);
  }

  private RunStatectl stale150() {
    return statectl(clickHouse.endpoint())
        .variable("MELTANO_STATE_BACKEND_CLICKHOUSE_LOCK_STALE", "150");
  }

  private void plant(String id, String lockId, int age, String holder) {
    // A first write makes the tables.
    run("set", "planted", DOCUMENT, "--force");
    clickHouse.execute(
        "INSERT INTO "
            + schema
            + ".state_lock (state_id, lock_id, locked_at, holder) SELECT '"
            + id.replace("\n", "\\n")
            + "', '"
            + lockId
            + "', now() - "
            + age
            + ", '"
            + holder
            + "'");
  }

  private String lockedAt(String id) {
    return clickHouse.query(
        "SELECT formatDateTime(max(locked_at), '%Y-%m-%dT%H:%i:%SZ', 'UTC') FROM "
            + schema
            + ".state_lock WHERE state_id = '"
            + id.replace("\n", "\\n")
            + "'");
  }

  private void createPluginsTables() {
    clickHouse.execute(
        "CREATE DATABASE " + schema,
        "CREATE TABLE "
            + schema
            + ".state (state_id String, partial_state Nullable(String), completed_state"
            + " Nullable(String), updated_at DateTime64(3) DEFAULT now64(3)) ENGINE ="
            + " ReplacingMergeTree(updated_at) ORDER BY state_id",
        "CREATE TABLE "
            + schema
            + ".state_lock (state_id String, lock_id String, locked_at DateTime DEFAULT now())"
            + " ENGINE = ReplacingMergeTree(locked_at) ORDER BY state_id"
            + " TTL locked_at + INTERVAL 300 SECOND");
  }

  private Outcome run(String... args) {
    return statectl(clickHouse.endpoint()).run(args);
  }

  private RunStatectl statectl(ClickHouseEndpoint endpoint) {
    return RunStatectl.in(directory)
        .variable("MELTANO_STATE_BACKEND_URI", endpoint.uri())
        .variable("MELTANO_STATE_BACKEND_CLICKHOUSE_SCHEMA", schema);
  }
}
