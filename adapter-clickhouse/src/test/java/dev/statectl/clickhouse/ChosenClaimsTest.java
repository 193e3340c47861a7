package dev.statectl.clickhouse;

import static org.assertj.core.api.Assertions.assertThat;

import dev.statectl.clickhouse.engine.EngineConfiguration;
import dev.statectl.clickhouse.engine.LocalClickHouse;
import dev.statectl.lock.LockCandidate;
import dev.statectl.lock.LockId;
import dev.statectl.state.StateId;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Whether locks are claimed where nobody says so, on servers that know of a cluster. */
class ChosenClaimsTest {
  private static final StateId ID = StateId.of("a");
  private static final LockId FIRST = LockId.of(Instant.parse("2026-01-02T03:04:05Z"), 1);
  private static final LockId SECOND = LockId.of(Instant.parse("2026-01-02T03:04:05Z"), 2);
  private static final Duration STALE = Duration.ofSeconds(300);

  @TempDir private Path directory;

  @Test
  void whereThereAreReplicasLocksAreClaimed() {
    try (LocalClickHouse engine = start("127.0.0.1:1", "127.0.0.1:2");
        ClickHouseBackend backend = open(engine)) {
      assertThat(claim(backend, FIRST)).isTrue();
      assertThat(claim(backend, SECOND)).isFalse();
      assertThat(backend.locks().claimant(ID)).map(LockCandidate::lockId).hasValue(FIRST);
    }
  }

  @Test
  void whereThereIsOneTheRowsDecide() {
    try (LocalClickHouse engine = start("127.0.0.1:1");
        ClickHouseBackend backend = open(engine)) {
      assertThat(claim(backend, FIRST)).isTrue();
      assertThat(claim(backend, SECOND)).isTrue();
      assertThat(
              engine
                  .endpoint()
                  .query("SELECT count() FROM chosen.state_claim WHERE state_id = 'a'"))
          .isEqualTo("0");
    }
  }

  // The claim table is there, since the engine can make no replicated tables beside it.
  private LocalClickHouse start(String... replicas) {
    LocalClickHouse engine =
        LocalClickHouse.start(
            directory,
            EngineConfiguration.on(KeeperEngines.shared().keeper())
                .withCluster("default", List.of(List.of(replicas))));
    KeeperEngines.plantClaim(engine.endpoint(), "chosen", "x", FIRST.text(), "", 0);
    engine.endpoint().execute("ALTER TABLE chosen.state_claim DELETE WHERE state_id = 'a'");
    return engine;
  }

  private static boolean claim(ClickHouseBackend backend, LockId lockId) {
    return backend.locks().claim(ID, lockId, "me", STALE);
  }

  private static ClickHouseBackend open(LocalClickHouse engine) {
    return ClickHouseBackend.open(TestStores.settings(engine.endpoint(), "chosen"));
  }
}
