package dev.statectl.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.statectl.cli.RunStatectl.Outcome;
import dev.statectl.clickhouse.engine.ClickHouseEndpoint;
import dev.statectl.clickhouse.engine.TestClickHouse;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What is printed is run by the administrator; then a user with these rights alone works. */
class DdlCommandTest {
  private static final String STATE = "{\"singer_state\": {\"n\": 1}}";

  private final TestClickHouse clickHouse = TestClickHouse.shared();
  private final String schema = clickHouse.freshSchema();

  @TempDir private Path directory;

  @Test
  void whatIsPrintedForTheHistoryRecordsIt() {
    ClickHouseEndpoint writer = clickHouse.createUser();
    String printed = run(writer, "my state", "ddl", "--history", "--keep", "7d").out();
    assertThat(printed).contains("TTL toDateTime(recorded_at) + toIntervalSecond(604800)");
    paste(printed);
    paste(printed);

    assertThat(run(clickHouse.endpoint(), "my state", "history", "status").out())
        .isEqualTo("recorded, kept for 7 d\n");
    doesAll(writer, "my state");
    assertThat(run(writer, "my state", "history", "dev:a", "-o", "text").out()).hasLineCount(3);
    assertThat(run(writer, "state", "ddl").out()).doesNotContain("MATERIALIZED VIEW");
    assertThat(run(writer, "state", "ddl", "--keep", "7d"))
        .isEqualTo(new Outcome(2, "", "statectl: --keep goes with --history\n"));
  }

  @Test
  void inAClusterAllServersMakeReplicatedTables() {
    List<String> printed =
        RunStatectl.in(directory)
            .run("ddl", "--for", "etl", "--history", "--cluster", "prod", "--administer")
            .out()
            .lines()
            .toList();

    assertThat(printed)
        .contains(
            "CREATE DATABASE IF NOT EXISTS \"meltano\" ON CLUSTER 'prod';",
            "CREATE TABLE IF NOT EXISTS \"meltano\".\"state\" ON CLUSTER 'prod'",
            "ENGINE = ReplicatedReplacingMergeTree(updated_at)",
            "CREATE TABLE IF NOT EXISTS \"meltano\".\"state_lock\" ON CLUSTER 'prod'",
            "ENGINE = ReplicatedReplacingMergeTree(locked_at)",
            "CREATE TABLE IF NOT EXISTS \"meltano\".\"state_history\" ON CLUSTER 'prod'",
            "ENGINE = ReplicatedMergeTree",
            "CREATE MATERIALIZED VIEW IF NOT EXISTS \"meltano\".\"state_history_view\" ON CLUSTER"
                + " 'prod' TO \"meltano\".\"state_history\"",
            "CREATE TABLE IF NOT EXISTS \"meltano\".\"state_claim\" ON CLUSTER 'prod'",
            "ENGINE = KeeperMap('/statectl/meltano/state_claim')",
            "GRANT SELECT, INSERT, ALTER UPDATE ON \"meltano\".\"state_claim\" TO \"etl\";",
            "GRANT CLUSTER, REMOTE, CREATE TEMPORARY TABLE ON *.* TO \"etl\";");
    assertThat(RunStatectl.in(directory).run("ddl", "--for", "etl", "--lock-mode", "keeper").out())
        .contains("CREATE TABLE IF NOT EXISTS \"meltano\".\"state_claim\"\n");
    assertThat(
            RunStatectl.in(directory)
                .run("ddl", "--for", "etl", "--cluster", "prod", "--lock-mode", "immediate")
                .out())
        .doesNotContain("state_claim");
    assertThat(RunStatectl.in(directory).run("ddl", "--for", "etl", "--replicated", "yes").out())
        .contains(
            "CREATE TABLE IF NOT EXISTS \"meltano\".\"state\"\n",
            "ENGINE = ReplicatedReplacingMergeTree(updated_at)\n",
            ", SYSTEM SYNC REPLICA ON \"meltano\".\"state\" TO \"etl\";\n",
            "GRANT SELECT ON system.clusters TO \"etl\";\n")
        .doesNotContain("ON CLUSTER", "GRANT CLUSTER");
    assertThat(
            RunStatectl.in(directory)
                .run("ddl", "--for", "etl", "--cluster", "prod", "--replicated", "off")
                .out())
        .isEqualTo(RunStatectl.in(directory).run("ddl", "--for", "etl").out());
  }

  @Test
  void theTextIsWhatTheAdapterRuns() {
    assertThat(RunStatectl.in(directory).run("ddl", "--for", "o\"brien"))
        .isEqualTo(
            new Outcome(
                0,
                """
                -- The database and the two tables, unless they exist.
                CREATE DATABASE IF NOT EXISTS "meltano";
                CREATE TABLE IF NOT EXISTS "meltano"."state"
                (
                    state_id String,
                    partial_state Nullable(String),
                    completed_state Nullable(String),
                    updated_at DateTime64(3) DEFAULT now64(3)
                )
                ENGINE = ReplacingMergeTree(updated_at)
                ORDER BY state_id;
                CREATE TABLE IF NOT EXISTS "meltano"."state_lock"
                (
                    state_id String,
                    lock_id String,
                    locked_at DateTime DEFAULT now(),
                    candidate String DEFAULT lock_id,
                    holder String,
                    released UInt8
                )
                ENGINE = ReplacingMergeTree(locked_at)
                ORDER BY (state_id, candidate)
                TTL locked_at + INTERVAL 300 SECOND;
                -- What a lock table lacks that the Meltano plugin made; nothing, if it is made above.
                ALTER TABLE "meltano"."state_lock"
                    ADD COLUMN IF NOT EXISTS candidate String,
                    ADD COLUMN IF NOT EXISTS holder String,
                    ADD COLUMN IF NOT EXISTS released UInt8,
                    MODIFY ORDER BY (state_id, candidate);
                ALTER TABLE "meltano"."state_lock"
                    MODIFY COLUMN candidate String DEFAULT lock_id;
                -- The rights to read and write.
                GRANT SELECT, INSERT, ALTER DELETE, TRUNCATE ON "meltano"."state" TO "o""brien";
                GRANT SELECT, INSERT, ALTER DELETE ON "meltano"."state_lock" TO "o""brien";
                GRANT SELECT, INSERT ON "meltano"."state_history" TO "o""brien";
                """,
                ""));
    assertThat(RunStatectl.in(directory).run("ddl", "--for=etl", "--read-only").out())
        .endsWith(
            """
            -- The rights to read.
            GRANT SELECT ON "meltano"."state" TO "etl";
            GRANT SELECT ON "meltano"."state_lock" TO "etl";
            GRANT SELECT ON "meltano"."state_history" TO "etl";
            """);
  }

  @Test
  void anAdministratorNeedsNoTables() {
    ClickHouseEndpoint user = clickHouse.createUser();
    String grants = run(user, "state", "ddl", "--administer").out();
    paste(grants.substring(grants.indexOf("-- All rights.")));

    assertThat(run(user, "state", "history", "enable", "--yes").code()).isZero();
    doesAll(user, "state");
    Outcome examined = run(user, "state", "doctor", "--fix", "--yes");
    assertThat(examined.out())
        .contains("has every right to read and write states, locks and history", "\n0 errors,")
        .doesNotContain("could not be examined");
    assertThat(run(user, "state", "ddl", "--administer", "--read-only"))
        .isEqualTo(
            new Outcome(2, "", "statectl: give either --read-only or --administer, not both\n"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"state", "my state", "a.b"})
  void aWriterWithNoOtherRightsCanDoAll(String table) {
    ClickHouseEndpoint writer = clickHouse.createUser();
    paste(run(writer, table, "ddl").out());

    doesAll(writer, table);
  }

  @Test
  void aWriterCanDoAllOnTablesOfThePlugin() {
    clickHouse.execute(
        "CREATE DATABASE " + schema,
        "CREATE TABLE %s.state (state_id String, partial_state Nullable(String), completed_state Nullable(String), updated_at DateTime64(3) DEFAULT now64(3)) ENGINE = ReplacingMergeTree(updated_at) ORDER BY state_id"
            .formatted(schema),
        "CREATE TABLE %s.state_lock (state_id String, lock_id String, locked_at DateTime DEFAULT now()) ENGINE = ReplacingMergeTree(locked_at) ORDER BY state_id TTL locked_at + INTERVAL 300 SECOND"
            .formatted(schema));
    ClickHouseEndpoint writer = clickHouse.createUser();
    String printed = run(writer, "state", "ddl").out();
    paste(printed);
    paste(printed);

    doesAll(writer, "state");
    assertThat(
            clickHouse.query(
                "SELECT sorting_key FROM system.tables WHERE database = '%s' AND name = 'state_lock'"
                    .formatted(schema)))
        .isEqualTo("state_id, candidate");
  }

  @ParameterizedTest
  @ValueSource(strings = {"state", "my state"})
  void aWriterWithNoOtherRightsCanDoAllWhereHistoryIsEnabled(String table) {
    ClickHouseEndpoint writer = clickHouse.createUser();
    paste(run(writer, table, "ddl").out());
    assertThat(run(clickHouse.endpoint(), table, "history", "enable").code()).isZero();

    doesAll(writer, table);
    for (String[] command : new String[][] {{"history", "dev:a"}, {"undo", "dev:a", "--force"}}) {
      Outcome outcome = run(writer, table, command);
      assertThat(outcome.code()).as(outcome.err()).isZero();
    }
  }

  @Test
  void aReaderReadsAndIsRefusedTheRest() {
    ClickHouseEndpoint reader = clickHouse.createUser();
    paste(run(reader, "state", "ddl", "--read-only").out());
    assertThat(run(clickHouse.endpoint(), "state", "set", "dev:a", STATE).code()).isZero();

    assertThat(run(reader, "state", "list")).isEqualTo(new Outcome(0, "dev:a\n", ""));
    assertThat(run(reader, "state", "get", "dev:a")).isEqualTo(new Outcome(0, STATE + "\n", ""));
    assertThat(run(reader, "state", "lock", "list")).isEqualTo(new Outcome(0, "", ""));
    assertThat(run(reader, "state", "lock", "show", "dev:a").code()).isEqualTo(3);
    for (String[] command :
        new String[][] {
          {"set", "dev:a", STATE, "--force"},
          {"clear", "dev:a", "--force"},
          {"clear", "--all", "--force"}
        }) {
      Outcome refused = run(reader, "state", command);
      assertThat(refused.code()).as(refused.err()).isEqualTo(6);
      assertThat(refused.err()).contains("an administrator can grant it: GRANT ");
    }
  }

  @Test
  void theRightsAreThoseOfTheUserOfTheSettingsUnlessAnotherIsNamed() {
    RunStatectl run =
        RunStatectl.in(directory)
            .variable("MELTANO_STATE_BACKEND_URI", "clickhouse://etl@ch/mart?schema=s&table=t");

    assertThat(run.run("ddl").out())
        .endsWith("SELECT, INSERT ON \"s\".\"t_history\" TO \"etl\";\n");
    assertThat(run.run("ddl", "--for", "x").out())
        .endsWith("SELECT, INSERT ON \"s\".\"t_history\" TO \"x\";\n");
  }

  @Test
  void whatOnlyConnectingNeedsMayBeMissing() {
    Outcome outcome =
        RunStatectl.in(directory).run("ddl", "--for", "etl", "--schema", "s", "--table", "t");

    assertThat(outcome.err()).isEmpty();
    assertThat(outcome.out()).endsWith("SELECT, INSERT ON \"s\".\"t_history\" TO \"etl\";\n");
  }

  @Test
  void withoutAUserOrWithAWrongNameNothingIsPrinted() {
    RunStatectl run = RunStatectl.in(directory);

    assertThat(run.run("ddl"))
        .isEqualTo(
            new Outcome(
                2, "", "statectl: for whom are the rights? no user is set; give --for USER\n"));
    assertThat(run.run("ddl", "--for", "a`b").err())
        .startsWith("statectl: user must not hold a backtick: ");
    assertThat(run.run("ddl", "--for", "etl", "--table", "a`b").err())
        .startsWith("statectl: --table: table must not hold a backtick: ");
    assertThat(run.run("ddl", "--for", "etl", "--table", "a`b").code()).isEqualTo(2);
    assertThat(directory).isEmptyDirectory();
  }

  /** As clickhouse-client would take it: statement by statement, ended by semicolons. */
  private void paste(String text) {
    String statements = text.replaceAll("(?m)^--.*\n", "");
    assertThat(statements).endsWith(";\n");
    Arrays.stream(statements.split(";\n")).forEach(clickHouse::execute);
  }

  private void doesAll(ClickHouseEndpoint writer, String table) {
    for (List<String> command :
        List.of(
            List.of("set", "dev:a", STATE),
            List.of("set", "dev:b", STATE),
            List.of("set", "dev:a", STATE, "--force"),
            List.of("get", "dev:a"),
            List.of("list"),
            List.of("lock", "list"),
            List.of("lock", "run", "dev:a", "--", "true"),
            List.of("clear", "dev:a", "--force"),
            List.of("clear", "--all", "--force"))) {
      Outcome done = run(writer, table, command.toArray(String[]::new));
      assertThat(done.code()).as("%s: %s", command, done.err()).isZero();
      assertThat(done.err()).doesNotContain("cannot");
    }
    assertThat(run(writer, table, "list")).isEqualTo(new Outcome(0, "", ""));
  }

  private Outcome run(ClickHouseEndpoint user, String table, String... args) {
    return RunStatectl.in(directory)
        .variable("MELTANO_STATE_BACKEND_URI", user.uri())
        .variable("MELTANO_STATE_BACKEND_CLICKHOUSE_SCHEMA", schema)
        .variable("MELTANO_STATE_BACKEND_CLICKHOUSE_TABLE", table)
        .run(args);
  }
}
