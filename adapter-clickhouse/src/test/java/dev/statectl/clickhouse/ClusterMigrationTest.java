package dev.statectl.clickhouse;

import static org.assertj.core.api.Assertions.assertThat;

import dev.statectl.clickhouse.engine.ClickHouseEndpoint;
import dev.statectl.port.Backend;
import dev.statectl.port.MigrationPlan;
import dev.statectl.port.MigrationStep;
import dev.statectl.state.StateId;
import dev.statectl.usecase.MigrateStore;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Plain tables on the replicas of a cluster become tables that copy their rows. */
@OnCluster
final class ClusterMigrationTest {
  private final ReplicaPair replicas = ReplicaPair.ofCluster();

  @Test
  void whatEachReplicaHasForItselfBothHaveAfterwards() {
    plain(
        replicas.first(),
        "('only-first', '{\"n\":1}', now64(3))",
        "('both', '{\"n\":1}', now64(3))");
    plain(
        replicas.second(),
        "('only-second', '{\"n\":1}', now64(3))",
        "('both', '{\"n\":2}', now64(3) + 60)");
    try (Backend first = replicas.openFirst();
        Backend second = replicas.openSecond()) {
      MigrateStore migrate = new MigrateStore(first);
      MigrationPlan plan = migrate.planReplicated().orElseThrow();
      assertThat(plan.contents())
          .extracting(MigrationPlan.Contents::states)
          .containsExactly(2L, 2L);
      assertThat(plan.contents()).extracting(MigrationPlan.Contents::alone).containsExactly(1L, 1L);
      List<String> begun = new ArrayList<>();
      migrate.run(plan, step -> begun.add(step.what()));
      assertThat(begun).isEqualTo(plan.steps().stream().map(MigrationStep::what).toList());
      for (Backend backend : List.of(first, second)) {
        assertThat(number(backend, "only-first")).isEqualTo(1);
        assertThat(number(backend, "only-second")).isEqualTo(1);
        assertThat(number(backend, "both")).isEqualTo(2);
      }
      first.states().save(ReplicaPairRules.numbered(StateId.of("both"), 3));
      assertThat(number(second, "both")).isEqualTo(3);
      assertThat(migrate.planReplicated().orElseThrow().steps()).isEmpty();
    }
  }

  private void plain(ClickHouseEndpoint server, String... rows) {
    server.execute(
        "CREATE DATABASE `" + replicas.schema() + "`",
        TestStores.PLUGIN_STATE_TABLE.formatted(replicas.schema()),
        TestStores.PLUGIN_LOCK_TABLE.formatted(replicas.schema()),
        "INSERT INTO `"
            + replicas.schema()
            + "`.`state` (state_id, completed_state, updated_at) SETTINGS async_insert = 0 VALUES "
            + String.join(", ", rows));
  }

  private static int number(Backend backend, String id) {
    return ReplicaPairRules.number(backend.states(), StateId.of(id));
  }
}
