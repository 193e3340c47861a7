package dev.statectl.clickhouse;

import static org.assertj.core.api.Assertions.assertThat;

import dev.statectl.clickhouse.TopologyFacts.Cluster;
import dev.statectl.port.Finding;
import dev.statectl.port.StateFailure;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** From facts, since the engine for tests cannot replicate. */
class ReplicationFindingsTest {
  private static final TableNames NAMES = TableNames.of("meltano", "state");
  private static final Map<TableDesign, String> PLAIN =
      Map.of(TableDesign.STATES, "ReplacingMergeTree");
  private static final Map<TableDesign, String> REPLICATED =
      Map.of(TableDesign.STATES, "ReplicatedReplacingMergeTree");

  @Test
  void onOneServerAllIsWell() {
    assertThat(judged("Atomic", false, PLAIN, List.of()))
        .containsExactly(ok("one server has all rows"));
    assertThat(judged("Atomic", false, PLAIN, List.of(new Cluster("default", 1, 1))))
        .containsExactly(ok("one server has all rows"));
    assertThat(judged("", false, Map.of(), List.of())).isEmpty();
  }

  @Test
  void nothingIsSaidOfTablesThatAreNotThere() {
    assertThat(judged("", false, Map.of(), List.of(new Cluster("default", 1, 3)))).isEmpty();
    assertThat(judged("Replicated", false, Map.of(), List.of())).isEmpty();
  }

  @Test
  void replicatedTablesAreWellWhereTheyAre() {
    assertThat(judged("Atomic", false, REPLICATED, List.of(new Cluster("default", 1, 3))))
        .containsExactly(ok("3 replicas of the cluster default copy all rows to each other"));
    assertThat(judged("Atomic", false, REPLICATED, List.of(new Cluster("default", 1, 1))))
        .containsExactly(ok("1 replica of the cluster default has all rows"));
    assertThat(judged("Atomic", false, REPLICATED, List.of()))
        .containsExactly(
            ok(
                "the tables are replicated; which cluster they are of is not known"
                    + " (state_backend.clickhouse.cluster names it)"));
    assertThat(judged("Replicated", false, REPLICATED, List.of()))
        .containsExactly(
            ok("the servers of a database with the engine Replicated copy all rows to each other"));
    assertThat(
            judged(
                "Shared",
                true,
                Map.of(TableDesign.STATES, "SharedReplacingMergeTree"),
                List.of(new Cluster("default", 1, 3))))
        .containsExactly(ok("the servers of ClickHouse Cloud share all rows"));
  }

  @Test
  void plainTablesOnReplicasAreMendedByMigrating() {
    for (Finding finding :
        List.of(
            only(judged("Replicated", false, PLAIN, List.of())),
            only(judged("Atomic", false, PLAIN, List.of(new Cluster("default", 1, 2)))))) {
      assertThat(finding.level()).isEqualTo(Finding.Level.ERROR);
      assertThat(finding.mend().orElseThrow().steps())
          .containsExactly(
              "statectl migrate --to replicated --dry-run", "statectl migrate --to replicated");
      assertThat(finding.isSafelyMendable()).isFalse();
    }
    assertThat(only(judged("Atomic", false, PLAIN, List.of(new Cluster("default", 1, 2)))).what())
        .isEqualTo(
            "meltano.state is not replicated, but the cluster default has 2 replicas, and each would"
                + " keep states and locks of its own");
  }

  @Test
  void severalShardsAreAnErrorWithAdvice() {
    Finding finding =
        only(judged("Atomic", false, REPLICATED, List.of(new Cluster("default", 3, 2))));

    assertThat(finding.what())
        .isEqualTo(
            "the cluster default has 3 shards, and each would keep states and locks of its own");
    assertThat(finding.mend().orElseThrow().steps())
        .containsExactly(
            "name a cluster of one shard in state_backend.clickhouse.cluster, or, if everybody"
                + " connects to this one server, set state_backend.clickhouse.replicated to off");
  }

  @Test
  void ofWhatIsSwitchedOffTheDangerIsTold() {
    ReplicationSettings off =
        new ReplicationSettings("", Replicated.OFF, Consistency.AUTO, KeeperLocks.AUTO);
    TopologyFacts several =
        new TopologyFacts(
            off, "Atomic", false, PLAIN, List.of(new Cluster("default", 1, 2)), Optional.empty());
    TopologyFacts one = new TopologyFacts(off, "Atomic", false, PLAIN, List.of(), Optional.empty());

    assertThat(only(ReplicationFindings.of(several, NAMES)).level())
        .isEqualTo(Finding.Level.WARNING);
    assertThat(ReplicationFindings.of(one, NAMES)).containsExactly(ok("one server has all rows"));
  }

  @Test
  void whatIsNotSeenIsSaidSoUnlessTheTablesTell() {
    StateFailure.Denied denied = new StateFailure.Denied("cannot read system.clusters", null);

    assertThat(
            ReplicationFindings.of(
                new TopologyFacts(
                    ReplicationSettings.DEFAULT,
                    "Atomic",
                    false,
                    PLAIN,
                    List.of(),
                    Optional.of(denied)),
                NAMES))
        .containsExactly(
            Finding.unexamined("replication", "meltano", "cannot read system.clusters"));
    assertThat(
            only(ReplicationFindings.of(
                    new TopologyFacts(
                        ReplicationSettings.DEFAULT,
                        "Atomic",
                        false,
                        REPLICATED,
                        List.of(),
                        Optional.of(denied)),
                    NAMES))
                .level())
        .isEqualTo(Finding.Level.OK);
  }

  private static List<Finding> judged(
      String databaseEngine,
      boolean cloud,
      Map<TableDesign, String> engines,
      List<Cluster> clusters) {
    return ReplicationFindings.of(
        new TopologyFacts(
            ReplicationSettings.DEFAULT,
            databaseEngine,
            cloud,
            engines,
            clusters,
            Optional.empty()),
        NAMES);
  }

  private static Finding ok(String what) {
    return Finding.ok("replication", "meltano", what);
  }

  private static Finding only(List<Finding> findings) {
    assertThat(findings).hasSize(1);
    return findings.get(0);
  }
}
