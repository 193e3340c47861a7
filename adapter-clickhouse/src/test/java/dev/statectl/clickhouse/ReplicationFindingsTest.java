package dev.statectl.clickhouse;

import static org.assertj.core.api.Assertions.assertThat;

import dev.statectl.port.Finding;
import java.util.List;
import org.junit.jupiter.api.Test;

/** From facts, since the engine for tests cannot replicate. */
class ReplicationFindingsTest {
  private static final TableNames NAMES = TableNames.of("meltano", "state");
  private static final String PLAIN = "ReplacingMergeTree(updated_at) ORDER BY state_id";
  private static final String REPLICATED =
      "ReplicatedReplacingMergeTree('/a', '{replica}', updated_at) ORDER BY state_id";

  @Test
  void onOneServerAllIsWell() {
    Finding finding = of(PLAIN, "Atomic", 0);

    assertThat(finding)
        .isEqualTo(
            Finding.ok(
                "replication",
                "meltano.state",
                "ReplacingMergeTree in a database with the engine Atomic"));
    assertThat(of(REPLICATED, "Atomic", 1).level()).isEqualTo(Finding.Level.OK);
    assertThat(ReplicationFindings.joined(NAMES, List.of(finding, finding)))
        .containsExactly(Finding.ok("replication", "meltano", "one server has all rows"));
  }

  @Test
  void aPlainTableInAReplicatedDatabaseIsAnError() {
    Finding finding = of(PLAIN, "Replicated", 0);

    assertThat(finding.level()).isEqualTo(Finding.Level.ERROR);
    assertThat(finding.what())
        .isEqualTo(
            "the engine is ReplacingMergeTree, which is not replicated, in a database with the"
                + " engine Replicated");
    assertThat(finding.mend().orElseThrow().steps())
        .containsExactly(
            "CREATE TABLE meltano.state_rebuilt (state_id String, partial_state Nullable(String),"
                + " completed_state Nullable(String), updated_at DateTime64(3) DEFAULT now64(3))"
                + " ENGINE = ReplicatedReplacingMergeTree(updated_at) ORDER BY state_id",
            "INSERT INTO meltano.state_rebuilt (state_id, partial_state, completed_state,"
                + " updated_at) SELECT state_id, partial_state, completed_state, updated_at FROM"
                + " meltano.state",
            "EXCHANGE TABLES meltano.state AND meltano.state_rebuilt",
            "INSERT INTO meltano.state (state_id, partial_state, completed_state, updated_at) SELECT"
                + " state_id, partial_state, completed_state, updated_at FROM meltano.state_rebuilt"
                + " WHERE (state_id, updated_at) NOT IN (SELECT state_id, updated_at FROM"
                + " meltano.state)");
    assertThat(finding.isSafelyMendable()).isFalse();
    assertThat(ReplicationFindings.joined(NAMES, List.of(of(PLAIN, "Atomic", 1), finding)))
        .hasSize(2);
  }

  @Test
  void aPlainTableInAClusterOfReplicasIsADanger() {
    Finding finding = of(PLAIN, "Atomic", 3);

    assertThat(finding.level()).isEqualTo(Finding.Level.WARNING);
    assertThat(finding.what())
        .isEqualTo(
            "the engine is ReplacingMergeTree, which is not replicated, in a cluster of 3 replicas");
  }

  @Test
  void severalReplicasAreADangerForLocks() {
    assertThat(of(REPLICATED, "Replicated", 0).level()).isEqualTo(Finding.Level.WARNING);
    assertThat(of(REPLICATED.replace("Replicated", "Shared"), "Shared", 2).what())
        .isEqualTo("the engine is SharedReplacingMergeTree, and there are several replicas");
  }

  private static Finding of(String engine, String databaseEngine, long replicas) {
    return ReplicationFindings.of(
        TableDesign.STATES,
        NAMES,
        TableFindingsTest.facts(engine, TableDesign.STATES.columns(), 1, 1000),
        databaseEngine,
        replicas);
  }
}
