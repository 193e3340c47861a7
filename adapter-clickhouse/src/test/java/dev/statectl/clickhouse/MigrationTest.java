package dev.statectl.clickhouse;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.statectl.clickhouse.engine.ClickHouseEndpoint;
import dev.statectl.clickhouse.engine.EngineConfiguration;
import dev.statectl.clickhouse.engine.LocalClickHouse;
import dev.statectl.lock.LockId;
import dev.statectl.port.HistoryEntry;
import dev.statectl.port.MigrationPlan;
import dev.statectl.port.MigrationStep;
import dev.statectl.port.StateFailure;
import dev.statectl.state.StateId;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A migration, statement by statement, on an engine that is each of two replicas itself. Since it
 * cannot replicate, the copies are of the plain engines, nothing is said of a cluster where tables
 * are made, and no replica is waited for; all else is as it is run.
 */
class MigrationTest {
  private static final String CLUSTER = "two";
  private static final Placement REAL = new Placement(CLUSTER, true);

  @TempDir private static Path directory;

  private static LocalClickHouse engine;
  private static int schemas;

  private final String schema = "m" + schemas++;
  private final ClickHouseSettings settings =
      TestStores.settings(engine.endpoint(), schema)
          .withReplication(
              new ReplicationSettings("", Replicated.OFF, Consistency.EVENTUAL, KeeperLocks.OFF));
  private final TableNames names = TableNames.of(settings);
  private final ClickHouseErrors errors = new ClickHouseErrors(settings, names);
  private final ClickHouseConnection connection =
      ClickHouseConnection.open(settings, names, errors, Backoff.ofMachine());
  private final ClickHouseMigration migration =
      new ClickHouseMigration(
          connection,
          errors,
          new Topology(connection, errors, settings, names),
          names,
          new HistoryView(connection, errors, names));
  private final ClickHouseBackend backend = ClickHouseBackend.open(settings);

  @BeforeAll
  static void start() {
    engine =
        LocalClickHouse.start(
            directory.resolve("engine"),
            EngineConfiguration.none()
                .withSetting("tcp_port", "9000")
                .withCluster(CLUSTER, List.of(List.of("127.0.0.1:9000", "localhost:9000"))));
  }

  @AfterAll
  static void stop() {
    engine.close();
  }

  @BeforeEach
  void plant() {
    backend.history().enable(Duration.ofDays(7));
    backend
        .states()
        .saveAll(
            IntStream.range(0, 100)
                .mapToObj(i -> TestStores.state("s" + i, "{\"n\":" + i + "}"))
                .toList());
    backend.states().save(TestStores.state("s1", "{\"n\":\"newer\"}"));
    backend.locks().announce(StateId.of("s2"), new LockId("l"), "me");
  }

  @AfterEach
  void close() {
    backend.close();
    connection.close();
  }

  @Test
  void everythingIsThereAfterwardsWithWhatWasWrittenMeanwhile() {
    long recorded = count("state_history");
    MigrationPlan plan = plan();
    for (MigrationStep step : plan.steps()) {
      if (step.what().startsWith("wait until")) {
        // After the copy, before the exchange.
        backend.states().save(TestStores.state("late", "{}"));
        backend.states().save(TestStores.state("s3", "{\"n\":\"late\"}"));
        backend.locks().announce(StateId.of("s4"), new LockId("late"), "me");
        continue;
      }
      if (step.what().equals("copy what was written meanwhile")) {
        backend.states().save(TestStores.state("new", "{}"));
        backend.states().save(TestStores.state("s3", "{\"n\":\"latest\"}"));
      }
      migration.run(step);
    }

    assertThat(TestStores.ids(backend.states(), "*")).hasSize(102).contains("late", "new", "s99");
    assertThat(TestStores.completedOf(backend.states(), "s1")).isEqualTo("{\"n\":\"newer\"}");
    assertThat(TestStores.completedOf(backend.states(), "s3")).isEqualTo("{\"n\":\"latest\"}");
    assertThat(backend.locks().look(StateId.of("s2"))).hasSize(1);
    assertThat(backend.locks().look(StateId.of("s4"))).hasSize(1);
    // What is brought over passes through the view once more, so both are recorded twice.
    assertThat(count("state_history")).isEqualTo(recorded + 6);
    // The view records what comes, and what was there is kept.
    backend.states().save(TestStores.state("s5", "{\"n\":\"after\"}"));
    List<HistoryEntry> entries = new ArrayList<>();
    backend.history().forEach(StateId.of("s5"), 10, entries::add);
    assertThat(entries).hasSize(2);
    assertThat(count("state_before_migration")).isGreaterThanOrEqualTo(101);
    assertThat(count("state_history_before_migration")).isPositive();
    assertThat(plan.afterwards())
        .containsExactly(
            "DROP TABLE \"%s\".\"state_lock_before_migration\"".formatted(schema),
            "DROP TABLE \"%s\".\"state_before_migration\"".formatted(schema),
            "DROP TABLE \"%s\".\"state_history_before_migration\"".formatted(schema));
  }

  @Test
  void aStateThatIsRemovedAfterTheExchangeDoesNotComeBack() {
    engine(
        "INSERT INTO %s.state (state_id, completed_state, updated_at) VALUES ('old', '{}', 0)"
            .formatted(schema));
    for (MigrationStep step : plan().steps()) {
      if (step.what().equals("copy what was written meanwhile")) {
        assertThat(backend.states().delete(StateId.of("old"))).isTrue();
      }
      if (!step.what().startsWith("wait until") && !step.what().equals("compare the tables")) {
        migration.run(step);
      }
    }

    assertThat(backend.states().find(StateId.of("old"))).isEmpty();
  }

  /** Else what was removed since would come back, or be missed for good. */
  @Test
  void whatWasFinishedIsNotBegunAnewThoughTheOldTablesAreThere() {
    runAll();
    assertThat(backend.states().delete(StateId.of("s5"))).isTrue();

    try (Relay relay = Relay.to(engine.endpoint());
        ClickHouseConnection there = connectionThrough(relay)) {
      // As if the new ones were of the engines that this server does not have.
      relay.replace(
          "    engine,\n",
          "    if(endsWith(name, 'migration'), '', 'Replicated') || tables.engine AS engine,\n");
      assertThat(migrationThrough(there).plan(REAL, CLUSTER).steps()).isEmpty();
    }
  }

  @Test
  void whatAnEarlierMigrationSetAsideIsNotReplaced() {
    runAll();

    assertThatThrownBy(this::plan)
        .isInstanceOf(StateFailure.WrongSchema.class)
        .hasMessageEndingWith(
            ": %1$s.state_lock_before_migration is there from an earlier migration; rename it, or"
                + " drop it when nobody needs it any more",
            schema);
  }

  private void runAll() {
    for (MigrationStep step : plan().steps()) {
      if (!step.what().startsWith("wait until")) {
        migration.run(step);
      }
    }
  }

  @Test
  void everyStepMayBeDoneTwiceUpToTheExchange() {
    for (MigrationStep step : plan().steps()) {
      if (step.what().startsWith("exchange")) {
        break;
      }
      if (!step.what().startsWith("wait until")) {
        migration.run(step);
        migration.run(step);
      }
    }

    assertThat(count("state_history_migration")).isEqualTo(count("state_history"));
  }

  @Test
  void aCopyThatLacksSomethingIsNotExchanged() {
    List<MigrationStep> steps = plan().steps();
    MigrationStep comparison =
        steps.stream().filter(MigrationStep::check).findFirst().orElseThrow();
    for (MigrationStep step : steps.subList(0, steps.indexOf(comparison))) {
      migration.run(step);
    }
    for (String lost :
        List.of("state_id = 's7'", "state_id = 's1' AND completed_state LIKE '%newer%'")) {
      engine("DELETE FROM %s.state_migration WHERE %s".formatted(schema, lost));

      assertThatThrownBy(() -> migration.run(comparison))
          .isInstanceOf(StateFailure.WrongSchema.class)
          .hasMessageMatching(
              "cannot replicate the tables %1$s\\.state and %1$s\\.state_lock at \\S+: to compare the copies found [12] rows that were not copied; stop what writes meanwhile, and run it again; what there is by now is kept"
                  .formatted(schema));
    }
  }

  @Test
  void aCopyWithOtherContentsOfAVersionIsNotExchanged() {
    List<MigrationStep> steps = plan().steps();
    MigrationStep comparison =
        steps.stream().filter(MigrationStep::check).findFirst().orElseThrow();
    for (MigrationStep step : steps.subList(0, steps.indexOf(comparison))) {
      migration.run(step);
    }
    engine(
        ("ALTER TABLE %s.state_migration UPDATE completed_state = NULL WHERE state_id = 's7' SETTINGS"
                + " mutations_sync = 2")
            .formatted(schema));

    assertThatThrownBy(() -> migration.run(comparison))
        .isInstanceOf(StateFailure.WrongSchema.class)
        .hasMessageContaining(" found 1 rows that were not copied; ");
  }

  @Test
  void thePlanSaysWhatEachServerHolds() {
    assertThat(plan().contents()).hasSize(2).allMatch(server -> server.states() == 100);
    assertThat(plan().contents()).allMatch(each -> each.alone() == 0 && each.older() == 0);
  }

  /** Else what is an old table there would be removed with what is a copy here. */
  @Test
  void nothingIsPlannedWhereAServerDidNotExchangeYet() {
    runUpTo("exchange the tables and their copies");
    try (Relay relay = Relay.to(engine.endpoint());
        ClickHouseConnection there = connectionThrough(relay)) {
      relay.replace(
          "    engine,\n    database\n",
          "    if(endsWith(name, '_migration') = (_shard_num = 1), 'Replicated', '')"
              + " || tables.engine AS engine,\n    database\n");

      assertThatThrownBy(() -> migrationThrough(there).plan(REAL, CLUSTER))
          .isInstanceOf(StateFailure.WrongSchema.class)
          .hasMessageMatching(
              "cannot replicate the tables %1$s\\.state and %1$s\\.state_lock at \\S+: the servers differ: %1$s\\.state is ReplacingMergeTree on (\\S+ \\(1\\)) and ReplicatedReplacingMergeTree on (\\S+ \\(2\\)); wait for the ON CLUSTER statement that is still queued there, which system\\.distributed_ddl_queue shows, and run it again; where none is, see what the server has, and make it as the others are"
                  .formatted(schema));
    }
  }

  /** A statement that was queued when this was planned is done by then. */
  @Test
  void aCopyIsNotRemovedThatTurnsOutToBeTheTable() {
    runUpTo("copy what all servers have");
    try (Relay relay = Relay.to(engine.endpoint());
        ClickHouseConnection there = connectionThrough(relay)) {
      relay.replace(
          "    engine,\n",
          "    if(endsWith(name, '_migration'), 'Replicated', '') || tables.engine AS engine,\n");
      List<MigrationStep> steps = migrationThrough(there).plan(REAL, CLUSTER).steps();

      assertThat(steps.subList(0, 4))
          .extracting(MigrationStep::what)
          .containsExactly(
              "make the tables on servers that lack them",
              "see that no table was exchanged meanwhile",
              "remove copies that were not finished",
              "make replicated tables beside them");
      assertThatThrownBy(() -> migration.run(steps.get(1)))
          .isInstanceOf(StateFailure.WrongSchema.class)
          .hasMessageEndingWith(
              ": to see that no table was exchanged meanwhile found 2 that were; run it again, which"
                  + " goes on from there");
    }
  }

  @Test
  void aTableThatOnlyAnotherServerHasIsNotForgotten() {
    try (Relay relay = Relay.to(engine.endpoint());
        ClickHouseConnection there = connectionThrough(relay)) {
      relay.replace(
          "FROM system.tables\nWHERE ", "FROM system.tables\nWHERE name != 'state_history' AND ");

      assertThatThrownBy(() -> migrationThrough(there).plan(REAL, CLUSTER))
          .isInstanceOf(StateFailure.WrongSchema.class)
          .hasMessageMatching(
              ".*: %s\\.state_history is not on this server, but on \\S+ \\(1\\) and \\S+ \\(2\\); run it on one that has all tables"
                  .formatted(schema));
    }
  }

  /** A second one would find the same rows missing as one that still runs. */
  @Test
  void aCopyWhoseAnswerIsLostIsNotSentAgain() {
    List<MigrationStep> steps = plan().steps();
    migration.run(steps.get(0));
    try (Relay relay = Relay.to(engine.endpoint());
        ClickHouseConnection there = connectionThrough(relay)) {
      relay.cut("INSERT INTO ", Relay.Cut.BEFORE_THE_ANSWER);

      assertThatThrownBy(() -> migrationThrough(there).run(steps.get(1)))
          .isInstanceOf(StateFailure.OutcomeUnknown.class)
          .hasMessageStartingWith("whether replicating the tables ")
          .hasMessageEndingWith(
              "; when system.processes does not show it any more, run it again, which goes on with"
                  + " what is there");
      assertThat(relay.statements()).filteredOn(sql -> sql.startsWith("INSERT INTO ")).hasSize(1);
    }
  }

  @Test
  void whatWasCopiedInPartIsWholeAfterwardsAndNotThereTwice() {
    List<MigrationStep> steps = plan().steps();
    migration.run(steps.get(0));
    migration.run(steps.get(1));
    engine(
        "DELETE FROM %s.state_history_migration WHERE state_id IN ('s5', 's6')".formatted(schema));
    engine("DELETE FROM %s.state_migration WHERE state_id = 's5'".formatted(schema));
    long recorded = count("state_history");
    runUpTo("copy what was written meanwhile");
    engine("DELETE FROM %s.state_history WHERE state_id = 's7'".formatted(schema));
    for (MigrationStep step : steps.subList(5, steps.size())) {
      migration.run(step);
    }

    assertThat(count("state_history")).isEqualTo(recorded);
    assertThat(TestStores.ids(backend.states(), "*")).hasSize(100);
  }

  private void runUpTo(String what) {
    for (MigrationStep step : plan().steps()) {
      if (step.what().equals(what)) {
        return;
      }
      if (!step.what().startsWith("wait until")) {
        migration.run(step);
      }
    }
    throw new AssertionError("no step is called " + what);
  }

  private ClickHouseConnection connectionThrough(Relay relay) {
    return ClickHouseConnection.open(
        TestStores.settings(relay.endpoint(), schema), names, errors, Backoff.ofMachine());
  }

  private ClickHouseMigration migrationThrough(ClickHouseConnection there) {
    return new ClickHouseMigration(
        there,
        errors,
        new Topology(there, errors, settings, names),
        names,
        new HistoryView(there, errors, names));
  }

  /** What the engine cannot run, word for word. */
  @Test
  void inAClusterEveryStatementIsForAllServers() {
    List<MigrationStep> steps = migration.plan(REAL, CLUSTER).steps();

    assertThat(steps)
        .extracting(MigrationStep::what)
        .containsExactly(
            "make the tables on servers that lack them",
            "make replicated tables beside them",
            "copy what all servers have",
            "compare the copies",
            "wait until every server has the copies",
            "exchange the tables and their copies",
            "copy what was written meanwhile",
            "have every server record history",
            "compare the tables",
            "set the old tables aside");
    assertThat(statements(steps, 0))
        .contains(
            ("CREATE TABLE IF NOT EXISTS \"%s\".\"state\" ON CLUSTER 'two' (state_id String,"
                    + " partial_state Nullable(String), completed_state Nullable(String), updated_at"
                    + " DateTime64(3) DEFAULT now64(3)) ENGINE = ReplacingMergeTree(updated_at) ORDER"
                    + " BY state_id")
                .formatted(schema));
    assertThat(statements(steps, 1))
        .contains(
            ("CREATE TABLE IF NOT EXISTS \"%s\".\"state_migration\" ON CLUSTER 'two' (state_id String,"
                    + " partial_state Nullable(String), completed_state Nullable(String), updated_at"
                    + " DateTime64(3) DEFAULT now64(3)) ENGINE ="
                    + " ReplicatedReplacingMergeTree(updated_at) ORDER BY state_id")
                .formatted(schema))
        .anyMatch(
            sql ->
                sql.contains(
                    "ENGINE = ReplicatedMergeTree ORDER BY (state_id, updated_at, recorded_at)"
                        + " TTL toDateTime(recorded_at) + toIntervalSecond(604800) SETTINGS"));
    assertThat(statements(steps, 2))
        .contains(
            ("INSERT INTO \"%1$s\".\"state_migration\" (state_id, partial_state, completed_state,"
                    + " updated_at) SETTINGS async_insert = 0 SELECT state_id, partial_state,"
                    + " completed_state, updated_at FROM (SELECT state_id, partial_state,"
                    + " completed_state, updated_at FROM clusterAllReplicas('two',"
                    + " \"%1$s\".\"state\")) ORDER BY state_id, updated_at,"
                    + " sipHash64(ifNull(completed_state, ''), ifNull(partial_state, ''))")
                .formatted(schema));
    assertThat(statements(steps, 4))
        .containsExactly(
            "SYSTEM SYNC REPLICA ON CLUSTER 'two' \"%s\".\"state_lock_migration\""
                .formatted(schema),
            "SYSTEM SYNC REPLICA ON CLUSTER 'two' \"%s\".\"state_migration\"".formatted(schema),
            "SYSTEM SYNC REPLICA ON CLUSTER 'two' \"%s\".\"state_history_migration\""
                .formatted(schema));
    assertThat(statements(steps, 5))
        .containsExactly(
            ("EXCHANGE TABLES \"%1$s\".\"state_lock\" AND \"%1$s\".\"state_lock_migration\","
                    + " \"%1$s\".\"state\" AND \"%1$s\".\"state_migration\", \"%1$s\".\"state_history\""
                    + " AND \"%1$s\".\"state_history_migration\" ON CLUSTER 'two'")
                .formatted(schema));
    assertThat(statements(steps, 9))
        .containsExactly(
            ("RENAME TABLE \"%1$s\".\"state_lock_migration\" TO"
                    + " \"%1$s\".\"state_lock_before_migration\", \"%1$s\".\"state_migration\" TO"
                    + " \"%1$s\".\"state_before_migration\", \"%1$s\".\"state_history_migration\" TO"
                    + " \"%1$s\".\"state_history_before_migration\" ON CLUSTER 'two'")
                .formatted(schema));
    assertThat(statements(steps, 7).get(0))
        .startsWith(
            "CREATE MATERIALIZED VIEW IF NOT EXISTS \"%s\".\"state_history_view\" ON CLUSTER 'two' TO"
                .formatted(schema));
  }

  /** A copy with a rule of ours would drop what the other kept. */
  @Test
  void recordsAreKeptForAsLongAsTheyWere() {
    engine(
        "ALTER TABLE %s.state_history MODIFY TTL toDateTime(recorded_at) + toIntervalYear(5)"
            .formatted(schema));
    assertThat(copyOfHistory())
        .contains(" TTL toDateTime(recorded_at) + toIntervalYear(5) SETTINGS index_granularity");

    engine("ALTER TABLE %s.state_history REMOVE TTL".formatted(schema));
    assertThat(copyOfHistory())
        .contains(" ORDER BY (state_id, updated_at, recorded_at)")
        .doesNotContain("TTL");
    for (MigrationStep step : plan().steps().subList(0, 3)) {
      migration.run(step);
    }
    assertThat(count("state_history_migration")).isEqualTo(count("state_history"));
  }

  private String copyOfHistory() {
    return statements(plan().steps(), 0).get(2);
  }

  @Test
  void aReplicatedDatabasePassesItsStatementsOnItself() {
    List<MigrationStep> steps = migration.plan(new Placement("", true), CLUSTER).steps();

    assertThat(steps.stream().flatMap(step -> step.statements().stream()))
        .noneMatch(sql -> sql.contains(" ON CLUSTER ") && !sql.startsWith("SYSTEM "));
    // It refuses a statement that exchanges several pairs.
    assertThat(statements(steps, 4))
        .containsExactly(
            "EXCHANGE TABLES \"%1$s\".\"state_lock\" AND \"%1$s\".\"state_lock_migration\""
                .formatted(schema),
            "EXCHANGE TABLES \"%1$s\".\"state\" AND \"%1$s\".\"state_migration\"".formatted(schema),
            "EXCHANGE TABLES \"%1$s\".\"state_history\" AND \"%1$s\".\"state_history_migration\""
                .formatted(schema));
    assertThat(statements(steps, 0))
        .allMatch(sql -> sql.startsWith("CREATE TABLE IF NOT EXISTS "))
        .allMatch(sql -> sql.contains(" ENGINE = Replicated"));
    // It takes no two pairs in one statement.
    assertThat(statements(steps, 4))
        .containsExactly(
            "EXCHANGE TABLES \"%1$s\".\"state_lock\" AND \"%1$s\".\"state_lock_migration\""
                .formatted(schema),
            "EXCHANGE TABLES \"%1$s\".\"state\" AND \"%1$s\".\"state_migration\"".formatted(schema),
            ("EXCHANGE TABLES \"%1$s\".\"state_history\" AND"
                    + " \"%1$s\".\"state_history_migration\"")
                .formatted(schema));
  }

  @Test
  void aServerThatIsAloneHasNothingToMigrate() {
    ClickHouseSettings asked = settings.withReplication(ReplicationSettings.DEFAULT);
    try (ClickHouseBackend alone = ClickHouseBackend.open(asked)) {
      assertThatThrownBy(() -> alone.migration().orElseThrow().toReplicated())
          .isInstanceOf(StateFailure.WrongSchema.class)
          .hasMessageEndingWith(
              ": the server knows of no other replicas; name their cluster in"
                  + " state_backend.clickhouse.cluster");
    }
  }

  @Test
  void withoutMacrosNothingIsPlanned() {
    ClickHouseSettings asked =
        settings.withReplication(
            new ReplicationSettings(CLUSTER, Replicated.AUTO, Consistency.AUTO, KeeperLocks.AUTO));
    try (ClickHouseBackend there = ClickHouseBackend.open(asked)) {
      assertThatThrownBy(() -> there.migration().orElseThrow().toReplicated())
          .isInstanceOf(StateFailure.WrongSchema.class)
          .hasMessageStartingWith("cannot replicate the tables ")
          .hasMessageContaining(": the server has no macro shard and replica, of which it makes");
    }
  }

  @Test
  void whoeverUsesTablesAsOneServersReplicatesNone() {
    ClickHouseSettings asked =
        settings.withReplication(
            new ReplicationSettings(CLUSTER, Replicated.OFF, Consistency.AUTO, KeeperLocks.AUTO));
    try (ClickHouseBackend there = ClickHouseBackend.open(asked)) {
      assertThatThrownBy(() -> there.migration().orElseThrow().toReplicated())
          .isInstanceOf(StateFailure.WrongSchema.class)
          .hasMessageEndingWith(
              ": state_backend.clickhouse.replicated is off, and replicated tables would be used as"
                  + " if each server had its own; set it to auto, also for whoever uses the tables"
                  + " afterwards");
    }
  }

  @Test
  void whoeverMayNotSeeClustersIsToldThatAndNotThatThereAreNone() {
    engine("CREATE USER %1$s IDENTIFIED BY 'secret'".formatted(schema));
    engine("GRANT SELECT, INSERT ON %1$s.* TO %1$s".formatted(schema));
    ClickHouseEndpoint user = engine.endpoint().as(schema, "secret");
    for (Replicated replicated : List.of(Replicated.AUTO, Replicated.ON)) {
      ClickHouseSettings asked =
          TestStores.settings(user, schema)
              .withReplication(
                  new ReplicationSettings("", replicated, Consistency.AUTO, KeeperLocks.AUTO));
      try (ClickHouseBackend there = ClickHouseBackend.open(asked)) {
        assertThatThrownBy(() -> there.migration().orElseThrow().toReplicated())
            .isInstanceOf(StateFailure.Denied.class)
            .hasMessageStartingWith("cannot read system.clusters ")
            .hasMessageEndingWith("GRANT SELECT ON system.clusters TO " + schema);
      }
    }
  }

  private MigrationPlan plan() {
    return migration.plan(Placement.PLAIN, CLUSTER);
  }

  private static List<String> statements(List<MigrationStep> steps, int index) {
    return steps.get(index).statements();
  }

  private long count(String table) {
    return Long.parseLong(engine("SELECT count() FROM " + schema + "." + table));
  }

  private static String engine(String sql) {
    return engine.endpoint().query(sql);
  }
}
