package dev.statectl.clickhouse;

import dev.statectl.clickhouse.engine.TestClickHouse;
import dev.statectl.lock.LockId;
import dev.statectl.lock.LockMode;
import dev.statectl.lock.LockTerms;
import dev.statectl.state.StateId;
import dev.statectl.usecase.AcquireLock;
import dev.statectl.usecase.LockMeans;
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
 * <p>A kind and its bare statements take turns, ten cycles each, so that what else the machine does
 * hits them alike. One pair after the other: a DELETE leaves merges behind that run on the
 * processors of whoever comes next.
 */
final class LockBenchmark {
  private static final int CYCLES = 500;
  private static final int TURN = 10;
  // Each takes a second.
  private static final int SETTLE_CYCLES = 20;
  private static final int FEW = 100;
  private static final int MANY = 2000;
  private static final StateId ID = StateId.of("dev:tap-github-to-target-clickhouse");

  private final TestClickHouse clickHouse = TestClickHouse.shared();
  private final ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor();
  private final LockMeans means =
      LockMeans.of(
          Clock.systemUTC(),
          new Random(),
          System::nanoTime,
          duration -> Thread.sleep(duration.toMillis()),
          timer);

  private LockBenchmark() {}

  public static void main(String[] arguments) {
    new LockBenchmark().run();
    System.exit(0);
  }

  private void run() {
    Kind plugin = locking("plugin", LockPeers.PLUGIN, LockMode.IMMEDIATE, CYCLES);
    Kind none = locking("none", LockPeers.NONE, LockMode.IMMEDIATE, CYCLES);
    Kind settle = locking("settle mode", LockPeers.PLUGIN, LockMode.SETTLE, SETTLE_CYCLES);
    Kind bareDelete = bare("INSERT + SELECT + DELETE", LockTableSql.WITHDRAW, Operation.UNLOCK);
    Kind bareInsert = bare("INSERT + SELECT + INSERT", LockTableSql.RELEASE, Operation.LOCK);
    Kind rawInsert = raw("INSERT + SELECT + INSERT, HTTP");
    List<Kind> kinds = List.of(none, bareInsert, rawInsert, plugin, bareDelete, settle);
    takeTurns(none, bareInsert, rawInsert);
    takeTurns(plugin, bareDelete);
    takeTurns(settle);
    System.out.printf(
        "%nClickHouse %s, %d processors, Java %s; one id, one thread, ms a cycle%n%n",
        clickHouse.version(),
        Runtime.getRuntime().availableProcessors(),
        System.getProperty("java.version"));
    System.out.println("| cycle | cycles | p50 | p90 | p99 | mutations | parts |");
    System.out.println("|---|---|---|---|---|---|---|");
    kinds.forEach(System.out::println);
    System.out.println();
    System.out.println("| p50 of | to p50 of | ratio | wanted |");
    System.out.println("|---|---|---|---|");
    printRatio(plugin, bareDelete, "at most 2");
    printRatio(none, bareInsert, "at most 2");
    printRatio(settle, plugin, "at least 20");
    printRatio(settle, none, "at least 80");
    printRatio(settle, rawInsert, "the most that can be had");
    printGrowth();
    timer.shutdownNow();
  }

  private static void takeTurns(Kind... kinds) {
    for (Kind kind : kinds) {
      kind.warmUp(2 * TURN);
    }
    for (int turn = 0; turn < CYCLES / TURN; turn++) {
      for (Kind kind : kinds) {
        kind.go(TURN);
      }
    }
  }

  /** Compares a table that has seen many cycles with one that has seen few, taking turns. */
  private void printGrowth() {
    Kind young = locking("none, 100th cycle", LockPeers.NONE, LockMode.IMMEDIATE, TURN * TURN);
    Kind old = locking("none, 2,000th cycle", LockPeers.NONE, LockMode.IMMEDIATE, TURN * TURN);
    young.warmUp(FEW - TURN * TURN / 2);
    old.warmUp(MANY - TURN * TURN / 2);
    for (int turn = 0; turn < TURN; turn++) {
      young.go(TURN);
      old.go(TURN);
    }
    printRatio(old, young, "at most 1.5");
    System.out.println();
    System.out.println("| cycle | cycles | p50 | p90 | p99 | mutations | parts |");
    System.out.println("|---|---|---|---|---|---|---|");
    System.out.println(young);
    System.out.println(old);
  }

  private static void printRatio(Kind one, Kind other, String wanted) {
    System.out.printf(
        Locale.ROOT,
        "| %s | %s | %.2f | %s |%n",
        one.name,
        other.name,
        one.percentile(50) / other.percentile(50),
        wanted);
  }

  private Kind locking(String name, LockPeers peers, LockMode mode, int cycles) {
    String schema = clickHouse.freshSchema();
    ClickHouseBackend backend = TestStores.open(schema, peers);
    AcquireLock locks =
        new AcquireLock(backend.locks(), LockTerms.DEFAULT.withMode(mode), means, "benchmark");
    return new Kind(name, schema, cycles, () -> locks.acquire(ID).close());
  }

  private Kind bare(String name, String release, Operation operation) {
    String schema = clickHouse.freshSchema();
    ClickHouseSettings settings = TestStores.settings(clickHouse.endpoint(), schema);
    TableNames names = TableNames.of(settings);
    ClickHouseErrors errors = new ClickHouseErrors(settings, names);
    ClickHouseConnection connection =
        ClickHouseConnection.open(settings, names, errors, Backoff.ofMachine());
    new Tables(connection, errors).create();
    return new Kind(
        name,
        schema,
        CYCLES,
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
    TestStores.open(schema, LockPeers.NONE).locks().announce(ID, means.lockIds().get(), "");
    return new Kind(
        name,
        schema,
        CYCLES,
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
      for (int i = 0; i < cycles && nanos.length > SETTLE_CYCLES; i++) {
        cycle.run();
      }
      before = nanos.length > SETTLE_CYCLES ? counts("mutations") + " " + counts("parts") : "0 0";
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
