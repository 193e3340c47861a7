package dev.statectl.clickhouse;

import static org.assertj.core.api.Assertions.assertThat;

import dev.statectl.clickhouse.engine.TestClickHouse;
import dev.statectl.lock.LockId;
import dev.statectl.lock.LockTerms;
import dev.statectl.state.StateId;
import dev.statectl.usecase.AcquireLock;
import dev.statectl.usecase.LockMeans;
import java.time.Instant;
import java.util.Arrays;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What taking and releasing a lock costs beside the bare statements; printed, not asserted. */
class LockCyclesTest {
  private static final int CYCLES = 60;
  private static final int WARMING = 20;
  private static final StateId ID = StateId.of("a");

  private final TestClickHouse clickHouse = TestClickHouse.shared();

  @ParameterizedTest
  @EnumSource(LockPeers.class)
  void cycles(LockPeers peers) {
    String schema = clickHouse.freshSchema();
    String bareSchema = clickHouse.freshSchema();
    AtomicInteger count = new AtomicInteger();
    LockMeans means =
        new LockMeans(
            () -> LockId.of(Instant.EPOCH, count.incrementAndGet()),
            System::nanoTime,
            pause -> {},
            () -> 0.5,
            (delay, task) -> () -> {});
    try (ClickHouseBackend backend = TestStores.open(schema, peers);
        ClickHouseBackend other = TestStores.open(bareSchema)) {
      AcquireLock acquire = new AcquireLock(backend.locks(), LockTerms.DEFAULT, means, "me");
      other.locks().announce(ID, new LockId("first"), "");
      other.locks().withdraw(ID, new LockId("first"));
      double[] ours = new double[CYCLES];
      double[] bare = new double[CYCLES];
      // In turns, so that both meet the same load of the machine; the first are not counted.
      for (int n = -WARMING; n < CYCLES; n++) {
        int number = n;
        ours[Math.max(0, n)] = millis(() -> acquire.acquire(ID).close());
        bare[Math.max(0, n)] = millis(() -> bareCycle(peers, bareSchema, number));
      }
      assertThat(count).hasValue(WARMING + CYCLES);
      assertThat(backend.locks().look(ID)).isEmpty();
      print(peers, schema, ours, bare);
    }
  }

  private void bareCycle(LockPeers peers, String schema, int n) {
    String table = schema + ".state_lock";
    String insert =
        "INSERT INTO %s (state_id, lock_id, holder, released) SETTINGS async_insert = 0 VALUES ('a', '%d', 'me', %d)";
    clickHouse.execute(insert.formatted(table, n, 0));
    clickHouse.query("SELECT lock_id, locked_at FROM " + table + " WHERE state_id = 'a'");
    clickHouse.execute(
        peers == LockPeers.NONE
            ? insert.formatted(table, n, 1)
            : "DELETE FROM " + table + " WHERE state_id = 'a' AND lock_id = '" + n + "'");
  }

  private void print(LockPeers peers, String schema, double[] ours, double[] bare) {
    Arrays.sort(ours);
    Arrays.sort(bare);
    String parts =
        clickHouse.query(
            "SELECT (SELECT count() FROM system.mutations WHERE database = '%1$s') || ' mutations, ' || (SELECT count() FROM system.parts WHERE database = '%1$s' AND active) || ' active parts'"
                .formatted(schema));
    System.out.printf(
        Locale.ROOT,
        "%d locks beside %s: acquire and release %s, bare statements %s, ratio of the medians %.2f; %s%n",
        CYCLES,
        peers,
        shown(ours),
        shown(bare),
        ours[CYCLES / 2] / bare[CYCLES / 2],
        parts);
  }

  private static String shown(double[] sorted) {
    return String.format(
        Locale.ROOT,
        "p50 %.1f p90 %.1f p99 %.1f ms",
        sorted[CYCLES / 2],
        sorted[CYCLES * 9 / 10],
        sorted[CYCLES * 99 / 100]);
  }

  private static double millis(Runnable cycle) {
    long start = System.nanoTime();
    cycle.run();
    return (System.nanoTime() - start) / 1e6;
  }
}
