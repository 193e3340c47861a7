package dev.statectl.clickhouse;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import dev.statectl.clickhouse.engine.ClickHouseEndpoint;
import dev.statectl.clickhouse.engine.EngineConfiguration;
import dev.statectl.clickhouse.engine.LocalClickHouse;
import dev.statectl.clickhouse.engine.TestClickHouse;
import dev.statectl.lock.LockId;
import dev.statectl.port.Finding;
import dev.statectl.port.StateFailure;
import dev.statectl.state.StateId;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** On an engine that is told of clusters, though it can reach none. */
class TopologyTest {
  private static final StateId ID = StateId.of("a");
  private static final String SERVER = "127.0.0.1:9000";

  @TempDir private static Path directory;

  private static LocalClickHouse engine;
  private static int schemas;

  private final String schema = "s" + schemas++;

  @BeforeAll
  static void start() {
    engine =
        LocalClickHouse.start(
            directory.resolve("engine"),
            EngineConfiguration.none()
                .withMacro("replica", "r1")
                .withMacro("cluster", "single")
                .withCluster("default", List.of(List.of(SERVER, "127.0.0.2:9000")))
                .withCluster("single", List.of(List.of(SERVER)))
                .withCluster(
                    "sharded", List.of(List.of(SERVER), List.of("b:9000"), List.of("c:9000"))));
  }

  @AfterAll
  static void stop() {
    engine.close();
  }

  @Nested
  class OfPlainTablesOnReplicas {
    private final String refusal =
        "cannot write to %1$s.state at %2$s: %1$s.state and %1$s.state_lock are not replicated, but"
                .formatted(schema, place())
            + " the cluster default has 2 replicas, and each would keep states and locks of its"
            + " own; look at statectl doctor, and replicate what is there with statectl migrate --to"
            + " replicated, or, if everybody connects to this one server, set"
            + " state_backend.clickhouse.replicated to off";

    @Test
    void everyWriteIsRefusedAndReadsAreNot() {
      plantTables();
      try (ClickHouseBackend backend = open(ReplicationSettings.DEFAULT)) {
        assertThat(backend.states().find(ID)).isPresent();
        assertThat(backend.locks().look(ID)).isEmpty();
        for (ThrowingCallable write :
            List.<ThrowingCallable>of(
                () -> backend.states().save(TestStores.state("a", "{\"b\":2}")),
                () -> backend.states().saveAll(List.of(TestStores.state("a", "{\"b\":2}"))),
                () -> backend.states().delete(ID),
                () -> backend.states().deleteAll(),
                () -> backend.locks().announce(ID, new LockId("l"), "me"),
                () -> backend.history().enable(Duration.ofDays(1)))) {
          assertThatThrownBy(write)
              .isInstanceOf(StateFailure.WrongSchema.class)
              .hasMessage(refusal)
              .extracting(e -> ((StateFailure) e).advice().orElseThrow())
              .isEqualTo(refusal.substring(refusal.indexOf("; ") + 2));
        }
        assertThat(TestStores.completedOf(backend.states(), "a")).isEqualTo("{\"b\":1}");
        assertThat(engine("SELECT count() FROM system.tables WHERE database = '" + schema + "'"))
            .isEqualTo("2");
      }
    }

    @Test
    void whatIsMendedMeanwhileIsSeen() {
      plantTables();
      try (ClickHouseBackend backend = open(ReplicationSettings.DEFAULT)) {
        assertThatThrownBy(() -> backend.states().save(TestStores.state("a", "{}")))
            .hasMessage(refusal);
        engine("DROP TABLE " + schema + ".state");
        engine("DROP TABLE " + schema + ".state_lock");
        assertThatThrownBy(() -> backend.states().save(TestStores.state("a", "{}")))
            .hasMessageContaining("the server has no macro shard");
      }
    }

    /** A long life begins with a read, and what it saw is not what is there when it writes. */
    @Test
    void whatIsMendedBetweenAReadAndTheFirstWriteIsSeen() {
      plantTables();
      try (ClickHouseBackend backend = open(ReplicationSettings.DEFAULT)) {
        backend.states().find(ID);
        backend.locks().look(ID);
        engine("DROP TABLE " + schema + ".state");
        engine("DROP TABLE " + schema + ".state_lock");
        assertThatThrownBy(() -> backend.states().save(TestStores.state("a", "{}")))
            .hasMessageContaining("the server has no macro shard");
      }
    }

    @Test
    void nothingIsAskedWhereReplicatedIsOff() {
      plantTables();
      try (Relay relay = Relay.to(engine.endpoint());
          ClickHouseBackend backend =
              ClickHouseBackend.open(
                  TestStores.settings(relay.endpoint(), schema)
                      .withReplication(asked("", Replicated.OFF)))) {
        backend.states().save(TestStores.state("a", "{\"b\":2}"));

        assertThat(relay.allStatements()).noneMatch(sql -> sql.contains("system.clusters"));
        assertThat(TestStores.completedOf(backend.states(), "a")).isEqualTo("{\"b\":2}");
      }
    }

    @Test
    void aClusterOfOneServerIsAsOneServer() {
      plantTables();
      for (String cluster : List.of("single", "{cluster}")) {
        try (ClickHouseBackend backend = open(asked(cluster, Replicated.AUTO))) {
          backend.states().save(TestStores.state("a", "{\"b\":3}"));
        }
      }
    }
  }

  @Test
  void aConnectionThatIsGuardedStaysSoInEveryForm() {
    ClickHouseSettings settings = TestStores.settings(engine.endpoint(), schema);
    TableNames names = TableNames.of(settings);
    ClickHouseErrors errors = new ClickHouseErrors(settings, names);
    try (ClickHouseConnection connection =
        ClickHouseConnection.open(settings, names, errors, Backoff.ofMachine())) {
      ClickHouseConnection guarded =
          connection.guarded(
              () -> {
                throw new IllegalStateException("guarded");
              });
      for (ClickHouseConnection form :
          List.of(
              guarded,
              guarded.within(settings, errors),
              guarded.consistent(ReplicaConsistency.NONE))) {
        assertThatThrownBy(
                () -> form.execute(Operation.CREATE_DATABASE, SchemaSql.EXISTS, update -> {}))
            .hasMessage("guarded");
      }
    }
  }

  @Test
  void severalShardsAreRefused() {
    assertRefused(
        asked("sharded", Replicated.AUTO),
        "the cluster sharded has 3 shards, and each would keep states and locks of its own; name a"
            + " cluster of one shard in state_backend.clickhouse.cluster, or, if everybody connects"
            + " to this one server, set state_backend.clickhouse.replicated to off");
  }

  @Test
  void aClusterThatIsNotThereIsToldBeforeAnythingIsMade() {
    for (String cluster : List.of("other", "{other}")) {
      for (Replicated replicated : List.of(Replicated.AUTO, Replicated.ON)) {
        assertRefused(
            asked(cluster, replicated),
            "the server knows no cluster "
                + cluster
                + "; correct state_backend.clickhouse.cluster; SELECT DISTINCT cluster FROM"
                + " system.clusters shows all");
      }
    }
  }

  @Test
  void aServerWithoutTheMacrosOfThePathIsTold() {
    assertRefused(
        ReplicationSettings.DEFAULT,
        "the server has no macro shard, of which it makes the path of a replicated table; an"
            + " administrator sets macros in the configuration of each server"
            + " (https://clickhouse.com/docs/operations/server-configuration-parameters/settings#macros)");
    try (ClickHouseBackend backend = open(ReplicationSettings.DEFAULT)) {
      assertThat(backend.checkup().examine())
          .filteredOn(finding -> finding.check().equals("macros"))
          .extracting(Finding::level, Finding::what)
          .containsExactly(
              tuple(
                  Finding.Level.ERROR,
                  "the server has no macro shard, of which it makes the path of a replicated"
                      + " table"));
      assertThat(backend.checkup().examine())
          .filteredOn(finding -> finding.check().equals("tables-missing"))
          .flatExtracting(finding -> finding.mend().orElseThrow().steps())
          .allMatch(step -> step.contains(" ON CLUSTER 'default'"));
    }
  }

  /** Nothing is replicated there, so what only replicated tables need is no matter. */
  @Test
  void whereReplicatedIsOffDoctorPlansForOneServer() {
    try (ClickHouseBackend backend = open(asked("", Replicated.OFF))) {
      List<Finding> findings = backend.checkup().examine();

      assertThat(findings).noneMatch(finding -> finding.check().equals("macros"));
      assertThat(findings)
          .filteredOn(finding -> finding.check().equals("tables-missing"))
          .flatExtracting(finding -> finding.mend().orElseThrow().steps())
          .isNotEmpty()
          .noneMatch(step -> step.contains("ON CLUSTER") || step.contains("Replicated"));
    }
  }

  @Test
  void aDistributedTableIsRefusedAlsoWhereNoClusterIs() {
    engine("CREATE DATABASE " + schema);
    engine(
        "CREATE TABLE %s.state (state_id String, partial_state Nullable(String), completed_state"
                .formatted(schema)
            + " Nullable(String), updated_at DateTime64(3)) ENGINE = Distributed('single', 'x',"
            + " 'y')");
    try (ClickHouseBackend backend = open(asked("single", Replicated.AUTO))) {
      assertThatThrownBy(() -> backend.locks().announce(ID, new LockId("l"), "me"))
          .isInstanceOf(StateFailure.WrongSchema.class)
          .hasMessageContaining(
              ": the engine of "
                  + schema
                  + ".state is Distributed, which sends rows on later and to several servers, so"
                  + " that a state or a lock may not be there yet for the next who looks; name the"
                  + " tables behind it in state_backend.clickhouse.schema and table");
    }
  }

  @Test
  void replicatedIsOnNowhereWithoutACluster() {
    TestClickHouse plain = TestClickHouse.shared();
    String fresh = plain.freshSchema();
    try (ClickHouseBackend backend =
        ClickHouseBackend.open(
            TestStores.settings(plain.endpoint(), fresh)
                .withReplication(asked("", Replicated.ON)))) {
      assertThatThrownBy(() -> backend.states().save(TestStores.state("a", "{}")))
          .isInstanceOf(StateFailure.WrongSchema.class)
          .hasMessageEndingWith(
              ": state_backend.clickhouse.replicated is on, but the server knows no cluster that is"
                  + " called default; name one in state_backend.clickhouse.cluster, or set"
                  + " state_backend.clickhouse.replicated to auto");
      assertThat(plain.query("EXISTS DATABASE " + fresh)).isEqualTo("0");
    }
  }

  @Test
  void aReadAsksForNoCluster() {
    plantTables();
    try (Relay relay = Relay.to(engine.endpoint());
        ClickHouseBackend backend =
            ClickHouseBackend.open(TestStores.settings(relay.endpoint(), schema))) {
      backend.states().find(ID);
      backend.locks().look(ID);
      backend.history().status();

      assertThat(relay.allStatements()).noneMatch(sql -> sql.contains("system.clusters"));
    }
  }

  @Test
  void allIsAskedOnce() {
    try (Relay relay = Relay.to(engine.endpoint());
        ClickHouseBackend backend =
            ClickHouseBackend.open(
                TestStores.settings(relay.endpoint(), schema)
                    .withReplication(asked("single", Replicated.AUTO)))) {
      for (int i = 0; i < 3; i++) {
        backend.states().save(TestStores.state("a", "{\"i\":" + i + "}"));
        backend.locks().announce(ID, new LockId("l" + i), "me");
      }

      assertThat(relay.allStatements())
          .filteredOn(sql -> sql.contains("system.clusters"))
          .hasSize(1);
    }
  }

  private void assertRefused(ReplicationSettings replication, String why) {
    try (ClickHouseBackend backend = open(replication)) {
      assertThatThrownBy(() -> backend.states().save(TestStores.state("a", "{}")))
          .isInstanceOf(StateFailure.WrongSchema.class)
          .hasMessage("cannot write to " + schema + ".state at " + place() + ": " + why);
      assertThat(engine("EXISTS DATABASE " + schema)).isEqualTo("0");
    }
  }

  private void plantTables() {
    engine("CREATE DATABASE " + schema);
    engine(TestStores.PLUGIN_STATE_TABLE.formatted(schema));
    engine(TestStores.PLUGIN_LOCK_TABLE.formatted(schema));
    engine(
        "INSERT INTO %s.state (state_id, completed_state, updated_at) VALUES ('a', '{\"b\":1}', 0)"
            .formatted(schema));
  }

  private ClickHouseBackend open(ReplicationSettings replication) {
    return ClickHouseBackend.open(
        TestStores.settings(engine.endpoint(), schema).withReplication(replication));
  }

  private static ReplicationSettings asked(String cluster, Replicated replicated) {
    return new ReplicationSettings(cluster, replicated, Consistency.AUTO, KeeperLocks.AUTO);
  }

  private static String place() {
    ClickHouseEndpoint endpoint = engine.endpoint();
    return endpoint.host() + ":" + endpoint.port();
  }

  private static String engine(String sql) {
    return engine.endpoint().query(sql);
  }
}
