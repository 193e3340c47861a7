package dev.statectl.clickhouse;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;

/**
 * The statements that make something, word for word, since the engine for tests has neither
 * clusters nor replicated tables.
 */
class PlacementTest {
  private static final TableNames NAMES = TableNames.of("meltano", "state");
  private static final Placement CLUSTER = new Placement("prod", true);
  private static final Placement DATABASE = new Placement("", true);

  @Test
  void onOneServerAndInCloudNothingIsSaidOfServers() {
    assertThat(run(Placement.PLAIN, SchemaSql.CREATE))
        .isEqualTo("CREATE DATABASE IF NOT EXISTS \"meltano\"");
    assertThat(run(Placement.PLAIN, StateTableSql.CREATE))
        .startsWith("CREATE TABLE IF NOT EXISTS \"meltano\".\"state\"\n(")
        .endsWith("\nENGINE = ReplacingMergeTree(updated_at)\nORDER BY state_id");
    assertThat(run(Placement.PLAIN, HistorySql.CREATE_VIEW))
        .startsWith(
            "CREATE MATERIALIZED VIEW IF NOT EXISTS \"meltano\".\"state_history_view\" TO"
                + " \"meltano\".\"state_history\"\n");
  }

  @Test
  void inAClusterAllServersMakeIt() {
    assertThat(run(CLUSTER, SchemaSql.CREATE))
        .isEqualTo("CREATE DATABASE IF NOT EXISTS \"meltano\" ON CLUSTER 'prod'");
    assertThat(run(CLUSTER, StateTableSql.CREATE))
        .isEqualTo(
            """
            CREATE TABLE IF NOT EXISTS "meltano"."state" ON CLUSTER 'prod'
            (
                state_id String,
                partial_state Nullable(String),
                completed_state Nullable(String),
                updated_at DateTime64(3) DEFAULT now64(3)
            )
            ENGINE = ReplicatedReplacingMergeTree(updated_at)
            ORDER BY state_id""");
    assertThat(run(CLUSTER, LockTableSql.CREATE))
        .isEqualTo(
            """
            CREATE TABLE IF NOT EXISTS "meltano"."state_lock" ON CLUSTER 'prod'
            (
                state_id String,
                lock_id String,
                locked_at DateTime DEFAULT now(),
                candidate String DEFAULT lock_id,
                holder String,
                released UInt8
            )
            ENGINE = ReplicatedReplacingMergeTree(locked_at)
            ORDER BY (state_id, candidate)
            TTL locked_at + INTERVAL 300 SECOND""");
    assertThat(run(CLUSTER, HistorySql.CREATE))
        .startsWith("CREATE TABLE IF NOT EXISTS \"meltano\".\"state_history\" ON CLUSTER 'prod'\n(")
        .contains("\nENGINE = ReplicatedMergeTree\nORDER BY (state_id, updated_at, recorded_at)\n");
    assertThat(run(CLUSTER, HistorySql.CREATE_VIEW))
        .startsWith(
            "CREATE MATERIALIZED VIEW IF NOT EXISTS \"meltano\".\"state_history_view\" ON CLUSTER"
                + " 'prod' TO \"meltano\".\"state_history\"\n");
    assertThat(run(CLUSTER, HistorySql.DROP_VIEW))
        .isEqualTo("DROP VIEW IF EXISTS \"meltano\".\"state_history_view\" ON CLUSTER 'prod'");
  }

  @Test
  void aReplicatedDatabaseSeesToItsServersItself() {
    assertThat(run(DATABASE, StateTableSql.CREATE))
        .startsWith("CREATE TABLE IF NOT EXISTS \"meltano\".\"state\"\n(")
        .endsWith("\nENGINE = ReplicatedReplacingMergeTree(updated_at)\nORDER BY state_id");
    assertThat(run(DATABASE, HistorySql.DROP_VIEW))
        .isEqualTo("DROP VIEW IF EXISTS \"meltano\".\"state_history_view\"");
  }

  /** A replicated table passes these on by itself. */
  @Test
  void changesOfATableNameNoCluster() {
    for (String sql :
        new String[] {
          LockTableSql.UPGRADE,
          LockTableSql.UPGRADE_DEFAULT,
          HistorySql.MODIFY_TTL,
          CheckupSql.RESTORE_LOCK_TTL,
          StateTableSql.TRUNCATE
        }) {
      assertThat(CLUSTER.in(sql)).isEqualTo(sql);
    }
  }

  @Test
  void whatSettingsSayWithoutAServer() {
    assertThat(of("", Replicated.AUTO)).isEqualTo(Placement.PLAIN);
    assertThat(of("", Replicated.ON)).isEqualTo(DATABASE);
    assertThat(of("prod", Replicated.AUTO)).isEqualTo(CLUSTER);
    assertThat(of("prod", Replicated.ON)).isEqualTo(CLUSTER);
    assertThat(of("prod", Replicated.OFF)).isEqualTo(Placement.PLAIN);
    assertThat(of("{cluster}", Replicated.ON).onCluster()).isEqualTo(" ON CLUSTER '{cluster}'");
  }

  @Test
  void noServerThatIsDownHoldsAStatementUp() {
    assertThat(Definitions.settings(CLUSTER, Duration.ofSeconds(30)))
        .isEqualTo(
            Map.of(
                "distributed_ddl_output_mode",
                "null_status_on_timeout",
                "distributed_ddl_task_timeout",
                "15"));
    assertThat(Definitions.settings(DATABASE, Duration.ofSeconds(1)))
        .containsEntry("distributed_ddl_task_timeout", "1");
    assertThat(Definitions.settings(Placement.PLAIN, Duration.ofSeconds(30))).isEmpty();
  }

  private static String run(Placement placement, String sql) {
    return NAMES.runIn(placement.in(sql));
  }

  private static Placement of(String cluster, Replicated replicated) {
    return Placement.of(
        new ReplicationSettings(cluster, replicated, Consistency.AUTO, KeeperLocks.AUTO));
  }
}
