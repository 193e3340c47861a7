package dev.statectl.clickhouse;

import static org.assertj.core.api.Assertions.assertThat;

import dev.statectl.clickhouse.engine.ClickHouseEndpoint;
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
import java.util.function.IntConsumer;
import org.junit.jupiter.api.Test;

/** What taking and releasing a lock costs beside the bare statements; printed, not asserted. */
class LockCyclesTest {
  private static final int CYCLES = 500;
  private static final StateId ID = StateId.of("a");

  private final TestClickHouse clickHouse = TestClickHouse.shared();

  @Test
  void cyclesBesideThePlugin() {
    double[] bare = bare(LockPeers.PLUGIN);
    double[] ours = ours(LockPeers.PLUGIN);
    print("plugin", bare, ours);
  }

  @Test
  void cyclesWhereThePluginNeverComes() {
    double[] bare = bare(LockPeers.NONE);
    double[] ours = ours(LockPeers.NONE);
    print("none", bare, ours);
  }

  private double[] ours(LockPeers peers) {
    String schema = clickHouse.freshSchema();
    AtomicInteger count = new AtomicInteger();
    LockMeans means =
        new LockMeans(
            () -> LockId.of(Instant.EPOCH, count.incrementAndGet()),
            System::nanoTime,
            pause -> {},
            () -> 0.5,
            (delay, task) -> () -> {});
    try (ClickHouseBackend backend = TestStores.open(schema, peers)) {
      AcquireLock acquire = new AcquireLock(backend.locks(), LockTerms.DEFAULT, means, "me");
      double[] times = timed(n -> acquire.acquire(ID).close());
      assertThat(count).hasValue(CYCLES + 20);
      assertThat(backend.locks().look(ID)).isEmpty();
      System.out.printf(
          "%d cycles of ours, %s: %s%n",
          CYCLES,
          peers,
          clickHouse.query(
              "SELECT (SELECT count() FROM system.mutations WHERE database = '%1$s') || ' mutations, ' || (SELECT count() FROM system.parts WHERE database = '%1$s' AND active) || ' active parts'"
                  .formatted(schema)));
      return times;
    }
  }

  private double[] bare(LockPeers peers) {
    String schema = clickHouse.freshSchema();
    try (ClickHouseBackend backend = TestStores.open(schema)) {
      backend.locks().look(ID);
      backend.locks().announce(ID, new LockId("first"), "");
      backend.locks().withdraw(ID, new LockId("first"));
    }
    String table = schema + ".state_lock";
    String insert =
        "INSERT INTO %s (state_id, lock_id, holder, released) SETTINGS async_insert = 0 VALUES ('a', '%d', 'me', %d)";
    ClickHouseEndpoint endpoint = clickHouse.endpoint();
    return timed(
        n -> {
          endpoint.execute(insert.formatted(table, n, 0));
          endpoint.query("SELECT lock_id, locked_at FROM " + table + " WHERE state_id = 'a'");
          endpoint.execute(
              peers == LockPeers.NONE
                  ? insert.formatted(table, n, 1)
                  : "DELETE FROM " + table + " WHERE state_id = 'a' AND lock_id = '" + n + "'");
        });
  }

  /** Milliseconds of each cycle, sorted, after some that are not counted. */
  private static double[] timed(IntConsumer cycle) {
    for (int n = 1; n <= 20; n++) {
      cycle.accept(-n);
    }
    double[] times = new double[CYCLES];
    for (int n = 0; n < CYCLES; n++) {
      long start = System.nanoTime();
      cycle.accept(n);
      times[n] = (System.nanoTime() - start) / 1e6;
    }
    Arrays.sort(times);
    return times;
  }

  private static void print(String name, double[] bare, double[] ours) {
    for (double[] times : new double[][] {bare, ours}) {
      System.out.printf(
          Locale.ROOT,
          "%s, %s: p50 %.1f ms, p90 %.1f ms, p99 %.1f ms%n",
          name,
          times == bare ? "bare statements" : "acquire and release",
          times[CYCLES / 2],
          times[CYCLES * 9 / 10],
          times[CYCLES * 99 / 100]);
    }
    System.out.printf(
        Locale.ROOT, "%s, ratio of the medians: %.2f%n", name, ours[CYCLES / 2] / bare[CYCLES / 2]);
  }
}
