package dev.statectl.clickhouse;

import dev.statectl.clickhouse.engine.TestClickHouse;
import dev.statectl.lock.LockId;
import dev.statectl.lock.LockMode;
import dev.statectl.lock.LockTerms;
import dev.statectl.state.StateId;
import dev.statectl.usecase.AcquireLock;
import dev.statectl.usecase.LockMeans;
import java.io.PrintStream;
import java.time.Clock;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;

/**
 * What it costs to take a lock and release it, against the bare statements for the same rows
 * through the same driver, and against the flow of the Meltano plugin. Prints a table; asserts
 * nothing, since times belong to the machine.
 *
 * <p>All of it is measured on one engine, which has a Keeper, so that locks given by Keeper can be
 * compared with the others. A kind and its bare statements take turns, ten cycles each, so that
 * what else the machine does hits them alike. One pair after the other: a DELETE leaves merges
 * behind that run on the processors of whoever comes next.
 */
final class LockBenchmark {
  /**
   * How much is measured.
   *
   * @param cycles cycles of a kind
   * @param turn cycles before it is the next kind's turn
   * @param settleCycles cycles in settle mode, each of which takes a second
   * @param few the cycle at which a young table is measured
   * @param many the cycle at which an old table is measured
   */
  record Scale(int cycles, int turn, int settleCycles, int few, int many) {
    static final Scale FULL = new Scale(500, 10, 20, 100, 2000);
  }

  private static final StateId ID = StateId.of("dev:tap-github-to-target-clickhouse");

  private final TestClickHouse clickHouse = TestClickHouse.withKeeper();
  private final ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor();
  private final LockMeans means =
      LockMeans.of(
          Clock.systemUTC(),
          new Random(),
          System::nanoTime,
          duration -> Thread.sleep(duration.toMillis()),
          timer);

  private final Scale scale;
  private final PrintStream out;

  LockBenchmark(Scale scale, PrintStream out) {
    this.scale = scale;
    this.out = out;
  }

  public static void main(String[] arguments) {
    new LockBenchmark(Scale.FULL, System.out).run();
    System.exit(0);
  }

  void run() {
    Kind plugin = locking("plugin", LockPeers.PLUGIN, scale.cycles());
    Kind none = locking("none", LockPeers.NONE, scale.cycles());
    Kind keeper = locking("none, by Keeper", LockPeers.NONE, KeeperLocks.ON, scale.cycles());
    Kind keeperBeside =
        locking("plugin, by Keeper", LockPeers.PLUGIN, KeeperLocks.ON, scale.cycles());
    Kind settle =
        locking(
            "settle mode",
            LockPeers.PLUGIN,
            LockMode.SETTLE,
            KeeperLocks.OFF,
            scale.settleCycles());
    Kind bareDelete = bare("INSERT + SELECT + DELETE", LockTableSql.WITHDRAW, Operation.UNLOCK);
    Kind bareInsert = bare("INSERT + SELECT + INSERT", LockTableSql.RELEASE, Operation.LOCK);
    Kind rawInsert = raw("INSERT + SELECT + INSERT, HTTP");
    List<Kind> kinds =
        List.of(none, keeper, bareInsert, rawInsert, plugin, keeperBeside, bareDelete, settle);
    takeTurns(none, keeper, bareInsert, rawInsert);
    takeTurns(plugin, keeperBeside, bareDelete);
    takeTurns(settle);
    out.printf(
        "%nClickHouse %s, %d processors, Java %s; one id, one thread, ms a cycle%n%n",
        clickHouse.version(),
        Runtime.getRuntime().availableProcessors(),
        System.getProperty("java.version"));
    out.println("| cycle | cycles | p50 | p90 | p99 | mutations | parts |");
    out.println("|---|---|---|---|---|---|---|");
    kinds.forEach(out::println);
    out.println();
    out.println("| p50 of | to p50 of | ratio | wanted |");
    out.println("|---|---|---|---|");
    printRatio(plugin, bareDelete, "at most 2");
    printRatio(none, bareInsert, "at most 2");
    printRatio(keeper, none, "what Keeper costs");
    printRatio(keeperBeside, plugin, "what Keeper costs");
    printRatio(settle, keeper, "what Keeper saves");
    printRatio(settle, plugin, "at least 20");
    printRatio(settle, none, "at least 80");
    printRatio(settle, rawInsert, "the most that can be had");
    printGrowth();
    timer.shutdownNow();
  }

  private void takeTurns(Kind... kinds) {
    for (Kind kind : kinds) {
      kind.warmUp(2 * scale.turn());
    }
    for (int turn = 0; turn < scale.cycles() / scale.turn(); turn++) {
      for (Kind kind : kinds) {
        kind.go(scale.turn());
      }
    }
  }

  /** Compares a table that has seen many cycles with one that has seen few, taking turns. */
  private void printGrowth() {
    Kind young = locking("none, 100th cycle", LockPeers.NONE, scale.turn() * scale.turn());
    Kind old = locking("none, 2,000th cycle", LockPeers.NONE, scale.turn() * scale.turn());
    young.warmUp(scale.few() - scale.turn() * scale.turn() / 2);
    old.warmUp(scale.many() - scale.turn() * scale.turn() / 2);
    for (int turn = 0; turn < scale.turn(); turn++) {
      young.go(scale.turn());
      old.go(scale.turn());
    }
    printRatio(old, young, "at most 1.5");
    out.println();
    out.println("| cycle | cycles | p50 | p90 | p99 | mutations | parts |");
    out.println("|---|---|---|---|---|---|---|");
    out.println(young);
    out.println(old);
  }

  private void printRatio(Kind one, Kind other, String wanted) {
    out.printf(
        Locale.ROOT,
        "| %s | %s | %.2f | %s |%n",
        one.name,
        other.name,
        one.percentile(50) / other.percentile(50),
        wanted);
  }

  private Kind locking(String name, LockPeers peers, int cycles) {
    return locking(name, peers, KeeperLocks.OFF, cycles);
  }

  private Kind locking(String name, LockPeers peers, KeeperLocks keeper, int cycles) {
    return locking(name, peers, LockMode.IMMEDIATE, keeper, cycles);
  }

  private Kind locking(
      String name, LockPeers peers, LockMode mode, KeeperLocks keeper, int cycles) {
    String schema = clickHouse.freshSchema();
    AcquireLock locks =
        new AcquireLock(
            open(schema, peers, keeper).locks(),
            LockTerms.DEFAULT.withMode(mode),
            means,
            "benchmark");
    return new Kind(name, schema, cycles, () -> locks.acquire(ID).close());
  }

  private ClickHouseBackend open(String schema, LockPeers peers, KeeperLocks keeper) {
    ClickHouseSettings settings =
        TestStores.settings(clickHouse.endpoint(), schema)
            .withReplication(
                new ReplicationSettings("", Replicated.AUTO, Consistency.AUTO, keeper));
    return ClickHouseBackend.open(settings, peers);
  }

  private Kind bare(String name, String release, Operation operation) {
    String schema = clickHouse.freshSchema();
    ClickHouseSettings settings = TestStores.settings(clickHouse.endpoint(), schema);
    TableNames names = TableNames.of(settings);
    ClickHouseErrors errors = new ClickHouseErrors(settings, names);
    ClickHouseConnection connection =
        ClickHouseConnection.open(settings, names, errors, Backoff.ofMachine());
    TestStores.createTables(connection, settings);
    return new Kind(
        name,
        schema,
        scale.cycles(),
        () -> {
          LockId lockId = means.lockIds().get();
          connection.execute(
              Operation.LOCK,
              LockTableSql.ANNOUNCE,
              update ->
                  update
                      .bind("state_id", ID.text())
                      .bind("lock_id", lockId.text())
                      .bind("holder", "benchmark"));
          connection.all(
              Operation.READ_LOCKS,
              LockTableSql.LOOK,
              query -> query.bind("state_id", ID.text()),
              (row, context) -> row.getString("lock_id"));
          connection.execute(
              operation,
              release,
              update -> {
                update.bind("state_id", ID.text()).bind("lock_id", lockId.text());
                if (release.contains(":newest")) {
                  update.bind("newest", 0L);
                }
              });
        });
  }

  /** The same bare statements without a driver: what the engine itself takes for them. */
  private Kind raw(String name) {
    String schema = clickHouse.freshSchema();
    open(schema, LockPeers.NONE, KeeperLocks.OFF).locks().announce(ID, means.lockIds().get(), "");
    return new Kind(
        name,
        schema,
        scale.cycles(),
        () -> {
          String lockId = "'" + means.lockIds().get().text() + "'";
          clickHouse.execute(raw(LockTableSql.ANNOUNCE, schema, lockId));
          clickHouse.query(raw(LockTableSql.LOOK, schema, lockId));
          clickHouse.execute(raw(LockTableSql.RELEASE, schema, lockId));
        });
  }

  private static String raw(String sql, String schema, String lockId) {
    return sql.replace("<lock_table>", schema + ".state_lock")
        .replace(":state_id", "'" + ID.text() + "'")
        .replace(":lock_id", lockId)
        .replace(":holder", "'benchmark'")
        .replace(":newest", "0");
  }

  /** One kind of cycle, on a table of its own. */
  private final class Kind {
    private final String name;
    private final String schema;
    private final Runnable cycle;
    private final long[] nanos;
    private int done;
    private String before = "";

    private Kind(String name, String schema, int cycles, Runnable cycle) {
      this.name = name;
      this.schema = schema;
      this.cycle = cycle;
      this.nanos = new long[cycles];
    }

    private void warmUp(int cycles) {
      for (int i = 0; i < cycles && nanos.length > scale.settleCycles(); i++) {
        cycle.run();
      }
      before =
          nanos.length > scale.settleCycles() ? counts("mutations") + " " + counts("parts") : "0 0";
    }

    private void go(int cycles) {
      for (int i = 0; i < cycles && done < nanos.length; i++) {
        long start = System.nanoTime();
        cycle.run();
        nanos[done++] = System.nanoTime() - start;
      }
    }

    private double percentile(int percent) {
      long[] sorted = nanos.clone();
      Arrays.sort(sorted);
      return sorted[(sorted.length - 1) * percent / 100] / 1e6;
    }

    private String counts(String what) {
      return clickHouse.query(
          "SELECT count() FROM system." + what + " WHERE database = '" + schema + "'");
    }

    @Override
    public String toString() {
      String[] counts = before.split(" ");
      return String.format(
          Locale.ROOT,
          "| %s | %d | %.1f | %.1f | %.1f | %s → %s | %s → %s |",
          name,
          nanos.length,
          percentile(50),
          percentile(90),
          percentile(99),
          counts[0],
          counts("mutations"),
          counts[1],
          counts("parts"));
    }
  }
}
