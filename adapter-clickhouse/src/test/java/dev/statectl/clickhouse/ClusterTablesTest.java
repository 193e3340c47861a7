package dev.statectl.clickhouse;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.statectl.clickhouse.engine.ClickHouseEndpoint;
import dev.statectl.lock.LockId;
import dev.statectl.port.StateFailure;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Which tables are made on a cluster, and which are not written to. */
@OnCluster
final class ClusterTablesTest {
  private final ReplicaPair replicas = ReplicaPair.ofCluster();

  @Test
  void theFirstWriteMakesTablesThatCopyTheirRowsOnEachReplica() {
    try (ClickHouseBackend backend = replicas.openFirst()) {
      backend.states().save(ReplicaPairRules.numbered(ReplicaPairRules.ID, 1));
      backend.history().enable(Duration.ofDays(1));
    }
    for (ClickHouseEndpoint server : List.of(replicas.first(), replicas.second())) {
      assertThat(
              server.query(
                  "SELECT name, engine FROM system.tables WHERE database = '"
                      + replicas.schema()
                      + "' AND engine LIKE '%MergeTree' ORDER BY name"))
          .isEqualTo(
              """
              state	ReplicatedReplacingMergeTree
              state_history	ReplicatedMergeTree
              state_lock	ReplicatedReplacingMergeTree""");
      assertThat(
              server.query(
                  "SELECT DISTINCT total_replicas, active_replicas FROM system.replicas"
                      + " WHERE database = '"
                      + replicas.schema()
                      + "'"))
          .isEqualTo("2\t2");
    }
  }

  @Test
  void aLockIsClaimedInATableThatBothReplicasShare() {
    try (ClickHouseBackend first = replicas.openFirst();
        ClickHouseBackend second = replicas.openSecond()) {
      LockId mine = new LockId("00000000-0000-7000-8000-000000000001");
      LockId others = new LockId("00000000-0000-7000-8000-000000000002");
      Duration stale = Duration.ofSeconds(300);
      assertThat(first.locks().claim(ReplicaPairRules.ID, mine, "one", stale)).isTrue();
      assertThat(second.locks().claim(ReplicaPairRules.ID, others, "two", stale)).isFalse();
      assertThat(second.locks().claimant(ReplicaPairRules.ID))
          .hasValueSatisfying(claim -> assertThat(claim.holder()).isEqualTo("one"));
    }
    for (ClickHouseEndpoint server : List.of(replicas.first(), replicas.second())) {
      assertThat(
              server.query(
                  "SELECT engine FROM system.tables WHERE database = '"
                      + replicas.schema()
                      + "' AND name = 'state_claim'"))
          .isEqualTo("KeeperMap");
    }
  }

  @Test
  void tablesThatCopyNothingAreNotWrittenTo() {
    for (ClickHouseEndpoint server : List.of(replicas.first(), replicas.second())) {
      server.execute(
          "CREATE DATABASE `" + replicas.schema() + "`",
          TestStores.PLUGIN_STATE_TABLE.formatted(replicas.schema()),
          TestStores.PLUGIN_LOCK_TABLE.formatted(replicas.schema()));
    }
    try (ClickHouseBackend backend = replicas.openFirst()) {
      StateFailure.WrongSchema failure =
          catchThrowableOfType(
              StateFailure.WrongSchema.class,
              () -> backend.states().save(ReplicaPairRules.numbered(ReplicaPairRules.ID, 1)));
      assertThat(failure)
          .hasMessageContaining("statectl doctor")
          .hasMessageContaining("statectl migrate --to replicated");
    }
    assertThat(replicas.first().query("SELECT count() FROM `" + replicas.schema() + "`.`state`"))
        .isEqualTo("0");
  }
}
