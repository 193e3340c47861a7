package dev.statectl.benchmark;

import dev.statectl.clickhouse.KeeperLocks;
import dev.statectl.clickhouse.LockPeers;
import dev.statectl.clickhouse.engine.TestClickHouse;
import dev.statectl.state.StateId;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** Taking and releasing locks, alone and among others. */
final class LocksGroup implements Group {
  private static final StateId ID = Documents.id(0);

  @Override
  public String name() {
    return "locks";
  }

  @Override
  public String title() {
    return "Locks";
  }

  @Override
  public void run(Bench bench) throws Exception {
    Scale scale = bench.scale();
    cycle(bench, Store.Way.NONE, Pace.of(scale.cycles()));
    cycle(bench, Store.Way.PLUGIN, Pace.of(scale.slow()));
    cycle(bench, Store.Way.KEEPER, Pace.of(scale.cycles()));
    cycle(bench, Store.Way.KEEPER_PLUGIN, Pace.of(scale.slow()));
    for (Store.Way way : List.of(Store.Way.NONE, Store.Way.PLUGIN, Store.Way.KEEPER)) {
      for (int contenders : scale.contenders()) {
        contend(bench, way, contenders, true);
      }
      for (int contenders : scale.contenders()) {
        contend(bench, way, contenders, false);
      }
    }
  }

  private static void cycle(Bench bench, Store.Way way, Pace pace) {
    Comparison.Outcome outcome =
        Comparison.ofWriting(clickHouse(bench, way), way)
            .run(store -> Operation.of(() -> store.locks().acquire(ID).close()), pace);
    bench
        .report()
        .add(Row.of("lock and release, " + words(way)).timed(outcome).wanted(Target.atMost(2)));
  }

  /** How long each waited for each lock, by one contender. */
  private static void contend(Bench bench, Store.Way way, int contenders, boolean sameId)
      throws Exception {
    TestClickHouse clickHouse = clickHouse(bench, way);
    Store store = Store.fresh(clickHouse, way);
    ExecutorService threads = Executors.newFixedThreadPool(contenders);
    try (store) {
      store.locks().acquire(ID).close();
      long end = System.nanoTime() + bench.scale().millis() * 1_000_000L;
      List<Callable<List<Long>>> work = new ArrayList<>();
      for (int i = 0; i < contenders; i++) {
        StateId id = Documents.id(sameId ? 0 : i);
        work.add(() -> waits(store, id, end));
      }
      long start = System.nanoTime();
      List<Long> waits = new ArrayList<>();
      long fewest = Long.MAX_VALUE;
      for (Future<List<Long>> contender : threads.invokeAll(work)) {
        waits.addAll(contender.get());
        fewest = Math.min(fewest, contender.get().size());
      }
      double seconds = (System.nanoTime() - start) / 1e9;
      Timing timing = Timing.of(waits.stream().mapToLong(Long::longValue).toArray());
      double mean = timing.total() / timing.count();
      bench
          .report()
          .add(
              Row.of(
                      contenders
                          + (contenders == 1 ? " contender" : " contenders")
                          + (sameId ? " for one id, " : " for an id each, ")
                          + words(way))
                  .timed(timing, null, null)
                  .value(String.format(Locale.ROOT, "%.0f locks/s", waits.size() / seconds))
                  .fact("locks/s", waits.size() / seconds)
                  .fact("mean wait ms", mean)
                  .fact("longest wait ms", timing.max())
                  .fact("longest / mean", timing.max() / mean)
                  .fact("fewest locks of a contender", fewest)
                  .note("times of waits for a lock"));
    } finally {
      threads.shutdownNow();
      Bench.drop(clickHouse, store.schema());
    }
  }

  private static List<Long> waits(Store store, StateId id, long end) {
    List<Long> waits = new ArrayList<>();
    do {
      long start = System.nanoTime();
      try (var lock = store.locks().acquire(id)) {
        waits.add(System.nanoTime() - start);
        lock.fence();
      }
    } while (System.nanoTime() < end);
    return waits;
  }

  private static TestClickHouse clickHouse(Bench bench, Store.Way way) {
    return way.keeper() == KeeperLocks.ON ? TestClickHouse.withKeeper() : bench.clickHouse();
  }

  private static String words(Store.Way way) {
    return (way.keeper() == KeeperLocks.ON ? "by Keeper, " : "")
        + "lock_peers="
        + (way.peers() == LockPeers.NONE ? "none" : "plugin");
  }
}
