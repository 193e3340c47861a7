package dev.statectl.clickhouse;

import dev.statectl.clickhouse.engine.TestClickHouse;
import dev.statectl.json.JsonObject;
import dev.statectl.lock.LockTerms;
import dev.statectl.port.HistoryRecord;
import dev.statectl.port.StateHistory;
import dev.statectl.state.State;
import dev.statectl.state.StateId;
import dev.statectl.state.StateVersion;
import dev.statectl.usecase.AcquireLock;
import dev.statectl.usecase.LockMeans;
import dev.statectl.usecase.SetState;
import dev.statectl.usecase.UndoState;
import java.io.PrintStream;
import java.lang.management.ManagementFactory;
import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;

/**
 * What history costs: a write with it against one without, and reading and undoing where an id has
 * many records against where it has few. Prints tables; asserts nothing, since times belong to the
 * machine.
 *
 * <p>What is compared takes turns, one cycle each, so that what else the machine does hits both
 * alike.
 */
final class HistoryBenchmark {
  /**
   * How much is measured.
   *
   * @param cycles cycles of a kind
   * @param warmUp cycles before it counts
   * @param few records of an id with a short history
   * @param many records of an id with a long one
   */
  record Scale(int cycles, int warmUp, int few, int many) {
    static final Scale FULL = new Scale(200, 20, 10, 100_000);
  }

  // One more than the command shows, to tell what the oldest of them changed.
  private static final int PAGE = 21;
  private static final int STREAMS = 40;
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
  private int number;

  private final Scale scale;
  private final PrintStream out;

  HistoryBenchmark(Scale scale, PrintStream out) {
    this.scale = scale;
    this.out = out;
  }

  public static void main(String[] arguments) {
    new HistoryBenchmark(Scale.FULL, System.out).run();
    System.exit(0);
  }

  void run() {
    List<Pair> pairs =
        List.of(
            new Pair(saving(false), saving(true), "at most 1.6"),
            new Pair(setting(LockPeers.NONE, false), setting(LockPeers.NONE, true), "at most 1.6"),
            new Pair(
                setting(LockPeers.PLUGIN, false), setting(LockPeers.PLUGIN, true), "at most 1.6"),
            new Pair(page(scale.few()), page(scale.many()), "at most 2"),
            new Pair(undo(scale.few()), undo(scale.many()), "at most 2"),
            new Pair(before(scale.few()), before(scale.many()), "at most 2"));
    out.printf(
        "%nClickHouse %s, %d processors, load %.1f, Java %s; %d cycles each, ms a cycle%n%n",
        clickHouse.version(),
        Runtime.getRuntime().availableProcessors(),
        ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage(),
        System.getProperty("java.version"),
        scale.cycles());
    out.println("| what | p50 | p90 | | p50 | p90 | ratio of p50 | wanted |");
    out.println("|---|---|---|---|---|---|---|---|");
    for (Pair pair : pairs) {
      pair.takeTurns(scale);
      out.println(pair);
    }
    timer.shutdownNow();
  }

  private Kind saving(boolean recorded) {
    ClickHouseBackend backend = backend(LockPeers.NONE, recorded);
    return new Kind(
        "`save` without a lock, history " + onOrOff(recorded),
        () -> {},
        () -> backend.states().save(State.of(ID, document(), JsonObject.EMPTY)));
  }

  private Kind setting(LockPeers peers, boolean recorded) {
    ClickHouseBackend backend = backend(peers, recorded);
    SetState set = new SetState(backend.states(), locks(backend));
    return new Kind(
        "`set`, `lock_peers="
            + peers.name().toLowerCase(Locale.ROOT)
            + "`, history "
            + onOrOff(recorded),
        () -> {},
        () -> set.set(ID, document()));
  }

  /** What {@code history ID} reads. */
  private Kind page(int records) {
    Filled filled = new Filled(records);
    return new Kind(
        "a page of `history ID`, " + records(records),
        filled::next,
        () -> {
          List<HistoryRecord> page = new ArrayList<>();
          filled.history().forEachRecord(filled.id(), PAGE, page::add);
          require(page.size() == Math.min(PAGE, records));
        });
  }

  /** What {@code undo ID} does: the plan, and carrying it out under the lock. */
  private Kind undo(int records) {
    Filled filled = new Filled(records);
    UndoState undo =
        new UndoState(filled.backend.states(), filled.history(), locks(filled.backend));
    return new Kind(
        "`undo ID`, " + records(records),
        () -> {
          filled.next();
          filled.backend.states().save(State.of(filled.id(), document(), JsonObject.EMPTY));
        },
        () -> require(undo.apply(undo.plan(filled.id())).isPresent()));
  }

  /** What {@code diff ID A} reads, of a version in the middle. */
  private Kind before(int records) {
    Filled filled = new Filled(records);
    return new Kind(
        "`diff ID A`, " + records(records),
        filled::next,
        () -> {
          require(filled.history().find(filled.id(), filled.middle).isPresent());
          require(filled.history().findBefore(filled.id(), filled.middle).isPresent());
        });
  }

  private ClickHouseBackend backend(LockPeers peers, boolean recorded) {
    ClickHouseBackend backend = TestStores.open(clickHouse.freshSchema(), peers);
    backend.states().save(State.of(ID, document(), JsonObject.EMPTY));
    if (recorded) {
      backend.history().enable(StateHistory.DEFAULT_KEEP);
    }
    return backend;
  }

  private AcquireLock locks(ClickHouseBackend backend) {
    return new AcquireLock(backend.locks(), LockTerms.DEFAULT, means, "benchmark");
  }

  private JsonObject document() {
    StringBuilder text = new StringBuilder("{\"singer_state\": {\"bookmarks\": {");
    number++;
    for (int i = 0; i < STREAMS; i++) {
      text.append(i == 0 ? "" : ", ")
          .append("\"stream_")
          .append(i)
          .append("\": {\"updated_at\": \"2026-11-29T12:00:00Z\", \"id\": ")
          .append(i * 1000 + number)
          .append('}');
    }
    return JsonObject.parse(text.append("}}}").toString());
  }

  private static String onOrOff(boolean recorded) {
    return recorded ? "on" : "off";
  }

  private static String records(int records) {
    return String.format(Locale.ROOT, "%,d records", records);
  }

  private static void require(boolean holds) {
    if (!holds) {
      throw new IllegalStateException("measured something else");
    }
  }

  /**
   * A history in which each id has so many records of different states, the last of which the view
   * made; with few records there are as many ids as cycles, since an undo adds to them.
   */
  private final class Filled {
    private final String schema = clickHouse.freshSchema();
    private final ClickHouseBackend backend = TestStores.open(schema, LockPeers.NONE);
    private final int ids;
    private final StateVersion middle;
    private int at = -1;

    private Filled(int records) {
      ids = records == scale.few() ? scale.cycles() + scale.warmUp() : 1;
      backend.history().enable(StateHistory.DEFAULT_KEEP);
      long first = backend.now().minusSeconds(3600).toEpochMilli();
      middle = new StateVersion(Instant.ofEpochMilli(first + records / 2));
      String document =
          "concat('{\"singer_state\": {\"bookmarks\": {', arrayStringConcat(arrayMap(i ->"
              + " concat('\"stream_', toString(i), '\": {\"updated_at\":"
              + " \"2026-11-29T12:00:00Z\", \"id\": ', toString(i * 1000 + n), '}'),"
              + " range("
              + STREAMS
              + ")), ', '), '}}}')";
      clickHouse.execute(
          "INSERT INTO "
              + schema
              + ".state_history SELECT 'dev:' || toString(number % "
              + ids
              + "), fromUnixTimestamp64Milli("
              + first
              + " + n), now64(6), 0, 'benchmark', 'benchmark',"
              + " fromUnixTimestamp64Milli(0), length(c), 0, sipHash64(c, ''), c, NULL FROM"
              + " (SELECT number, intDiv(number, "
              + ids
              + ") AS n, "
              + document
              + " AS c FROM numbers("
              + (long) ids * (records - 1)
              + "))",
          "INSERT INTO "
              + schema
              + ".state (state_id, completed_state, updated_at) SELECT state_id,"
              + " argMax(completed_state, updated_at), addMilliseconds(max(updated_at), 1) FROM "
              + schema
              + ".state_history GROUP BY state_id");
    }

    private StateHistory history() {
      return backend.history();
    }

    private void next() {
      at++;
    }

    private StateId id() {
      return StateId.of("dev:" + at % ids);
    }
  }

  /** Two things that are compared. */
  private record Pair(Kind one, Kind other, String wanted) {
    private void takeTurns(Scale scale) {
      for (int cycle = -scale.warmUp(); cycle < scale.cycles(); cycle++) {
        one.go(cycle);
        other.go(cycle);
      }
    }

    @Override
    public String toString() {
      return String.format(
          Locale.ROOT,
          "| %s | %s | %.2f | %s |",
          one,
          other,
          other.percentile(50) / one.percentile(50),
          wanted);
    }
  }

  /** One thing that is measured, on tables of its own. */
  private final class Kind {
    private final String name;
    private final Runnable preparation;
    private final Runnable cycle;
    private final long[] nanos = new long[scale.cycles()];

    private Kind(String name, Runnable preparation, Runnable cycle) {
      this.name = name;
      this.preparation = preparation;
      this.cycle = cycle;
    }

    private void go(int at) {
      preparation.run();
      long start = System.nanoTime();
      cycle.run();
      if (at >= 0) {
        nanos[at] = System.nanoTime() - start;
      }
    }

    private double percentile(int percent) {
      long[] sorted = nanos.clone();
      Arrays.sort(sorted);
      return sorted[(sorted.length - 1) * percent / 100] / 1e6;
    }

    @Override
    public String toString() {
      return String.format(Locale.ROOT, "%s | %.1f | %.1f", name, percentile(50), percentile(90));
    }
  }
}
