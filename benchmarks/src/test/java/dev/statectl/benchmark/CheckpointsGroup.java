package dev.statectl.benchmark;

import dev.statectl.json.JsonObject;
import dev.statectl.state.State;
import dev.statectl.state.StateId;
import dev.statectl.usecase.StateLock;
import dev.statectl.usecase.StateSession;
import java.net.http.HttpRequest;
import java.time.Duration;
import java.util.List;
import java.util.function.IntFunction;
import java.util.function.Supplier;
import java.util.stream.IntStream;

/**
 * A pipeline that saves one id again and again, against as many bare inserts of the same state.
 * Both take turns.
 */
final class CheckpointsGroup implements Group {
  private static final StateId ID = Documents.id(0);
  private static final int TURN = 25;
  private static final int MAP_KEYS = 12_000;
  private static final int DIFFERENT = 20;
  private static final Duration INTERVAL = Duration.ofMillis(100);
  private static final Duration BETWEEN_CHECKPOINTS = Duration.ofMillis(5);

  /** What a pipeline saves. */
  private record Payload(String name, IntFunction<State> states) {}

  /** How it locks. */
  private record Locking(String name, Store.Way way, boolean once) {}

  private static final Locking ONCE_NONE = new Locking("one lock", Store.Way.NONE, true);
  private static final Locking EACH_NONE =
      new Locking("a lock each, lock_peers=none", Store.Way.NONE, false);
  private static final Locking EACH_PLUGIN =
      new Locking("a lock each, lock_peers=plugin", Store.Way.PLUGIN, false);
  private static final Locking SETTLE =
      new Locking("a lock each, settle mode", Store.Way.SETTLE, false);

  @Override
  public String name() {
    return "checkpoints";
  }

  @Override
  public String title() {
    return "Checkpoints of one id";
  }

  @Override
  public void run(Bench bench) throws Exception {
    int all = bench.scale().checkpoints();
    List<JsonObject> small = documents(number -> Documents.ofSize(1_000, number));
    List<JsonObject> maps = documents(number -> Documents.ofKeys(MAP_KEYS, number));
    Payload completed = new Payload("1 KB", i -> Documents.completed(ID, some(small, i)));
    Payload partial = new Payload("1 KB, partial", i -> Documents.partial(ID, some(small, i)));
    Payload map = new Payload("12,000 keys", i -> Documents.completed(ID, some(maps, i)));
    Payload partialMap =
        new Payload("12,000 keys, partial", i -> Documents.partial(ID, some(maps, i)));

    int large = Math.max(2, all / 5);
    int few = Math.max(2, all / 10);
    int settled = Math.max(1, all / 150);
    measure(bench, ONCE_NONE, completed, all, all);
    measure(bench, ONCE_NONE, partial, all, all);
    measure(bench, ONCE_NONE, map, large, all);
    measure(bench, ONCE_NONE, partialMap, large, all);
    measure(bench, EACH_NONE, completed, large, all);
    measure(bench, EACH_NONE, map, few, all);
    measure(bench, EACH_PLUGIN, completed, few, all);
    measure(bench, EACH_PLUGIN, map, few, all);
    measure(bench, SETTLE, completed, settled, all);
    session(bench, completed, all);
    session(bench, partial, all);
  }

  private static List<JsonObject> documents(IntFunction<JsonObject> document) {
    return IntStream.range(0, DIFFERENT).mapToObj(document).toList();
  }

  private static JsonObject some(List<JsonObject> documents, int i) {
    return documents.get(i % documents.size());
  }

  private static void measure(
      Bench bench, Locking locking, Payload payload, int count, int scaledTo) {
    Store store = Store.fresh(bench.clickHouse(), locking.way());
    String bare = bench.clickHouse().freshSchema();
    try {
      Traffic traffic = traffic(bench, locking, payload, scaledTo);
      List<HttpRequest> inserts = inserts(bench, bare, payload);
      BareHttp http = new BareHttp(bench.clickHouse().endpoint());
      bench.clickHouse().execute("TRUNCATE TABLE " + bare + ".state");
      // Tables are made before anything counts.
      store.states().save(payload.states().apply(0));
      store.locks().acquire(ID).close();
      http.send(List.of(inserts.get(0)));

      long[] ours = new long[count];
      long[] raw = new long[count];
      long start = System.nanoTime();
      StateLock lock = locking.once() ? store.locks().acquire(ID) : null;
      long locked = System.nanoTime() - start;
      for (int from = 0; from < count; from += TURN) {
        int to = Math.min(count, from + TURN);
        for (int i = from; i < to; i++) {
          State state = payload.states().apply(i);
          long begun = System.nanoTime();
          if (lock == null) {
            store.save().save(state);
          } else {
            store.save().save(state, lock);
          }
          ours[i] = System.nanoTime() - begun;
        }
        for (int i = from; i < to; i++) {
          raw[i] = http.send(List.of(inserts.get(i % inserts.size()))).nanos();
        }
      }
      start = System.nanoTime();
      if (lock != null) {
        lock.close();
      }
      locked += System.nanoTime() - start;

      Timing oursTiming = Timing.of(ours);
      Timing rawTiming = Timing.of(raw);
      double factor = scaledTo / (double) count;
      double seconds = (oursTiming.total() * factor + locked / 1e6) / 1_000;
      double rawSeconds = rawTiming.total() * factor / 1_000;
      Row.Draft row =
          Row.of(scaledTo + " saves, " + locking.name() + ", " + payload.name())
              .timed(oursTiming, null, rawTiming)
              .ratio(seconds / rawSeconds)
              .traffic(traffic)
              .fact("seconds", seconds)
              .fact("seconds of bare inserts", rawSeconds)
              .fact("parts", bench.parts(store.schema()))
              .fact("parts of bare inserts", bench.parts(bare))
              .fact("mutations", bench.mutations(store.schema()))
              .note(
                  "times of one save and one bare insert, ratio of seconds"
                      + (count == scaledTo ? "" : ", " + count + " done and scaled"));
      bench.report().add(locking.once() ? row.wanted(Target.atMost(1.3)) : row);
    } finally {
      store.close();
      bench.drop(store.schema());
      bench.drop(bare);
    }
  }

  /** The same in a session that writes at most every 100 ms, with a checkpoint every 5 ms. */
  private static void session(Bench bench, Payload payload, int count) throws Exception {
    String schema = bench.clickHouse().freshSchema();
    try (Recorder recorder = Recorder.counting(bench.clickHouse().endpoint());
        Store store = Store.open(recorder.endpoint(), schema, Store.Way.NONE)) {
      store.save().save(payload.states().apply(0));
      recorder.take();
      long[] nanos = new long[count];
      long start = System.nanoTime();
      StateSession session = store.session(ID, INTERVAL);
      for (int i = 0; i < count; i++) {
        State state = payload.states().apply(i);
        long begun = System.nanoTime();
        session.save(state);
        nanos[i] = System.nanoTime() - begun;
        Thread.sleep(BETWEEN_CHECKPOINTS.toMillis());
      }
      session.close();
      double seconds = (System.nanoTime() - start) / 1e9;
      List<RecordedRequest> requests = recorder.take();
      long inserts = requests.stream().filter(RecordedRequest::insertsStates).count();
      bench
          .report()
          .add(
              Row.of(
                      count
                          + " saves in a session of "
                          + INTERVAL.toMillis()
                          + " ms, "
                          + payload.name())
                  .timed(Timing.of(nanos), null, null)
                  .ratio(count / (double) inserts)
                  .wanted(Target.atLeast(10))
                  .traffic(Traffic.of(requests))
                  .fact("inserts of states", inserts)
                  .fact("seconds", seconds)
                  .fact("parts", bench.parts(schema))
                  .note("a save every 5 ms; times until accepted; ratio of saves to inserts"));
    } finally {
      bench.drop(schema);
    }
  }

  /** What so many saves send: the locking once, or with each. */
  private static Traffic traffic(Bench bench, Locking locking, Payload payload, int count) {
    String schema = bench.clickHouse().freshSchema();
    try (Recorder recorder = Recorder.counting(bench.clickHouse().endpoint());
        Store store = Store.open(recorder.endpoint(), schema, locking.way())) {
      store.save().save(payload.states().apply(0));
      recorder.take();
      if (!locking.once()) {
        return passing(recorder, () -> store.save().save(payload.states().apply(1))).times(count);
      }
      StateLock[] lock = new StateLock[1];
      Traffic taking = passing(recorder, () -> lock[0] = store.locks().acquire(ID));
      // What the first one learns, the later ones know.
      Traffic first =
          passing(recorder, () -> store.save().save(payload.states().apply(1), lock[0]));
      Traffic later =
          passing(recorder, () -> store.save().save(payload.states().apply(2), lock[0]));
      Traffic releasing =
          passing(
              recorder,
              () -> {
                lock[0].close();
                return lock[0];
              });
      return taking.plus(first).plus(later.times(count - 1)).plus(releasing);
    } finally {
      bench.drop(schema);
    }
  }

  private static <T> Traffic passing(Recorder recorder, Supplier<T> work) {
    work.get();
    return Traffic.of(recorder.take());
  }

  /** The inserts alone of saves without a lock, in tables that are left. */
  private static List<HttpRequest> inserts(Bench bench, String schema, Payload payload) {
    BareHttp http = new BareHttp(bench.clickHouse().endpoint());
    try (Recorder recorder = Recorder.of(bench.clickHouse().endpoint());
        Store store = Store.open(recorder.endpoint(), schema, Store.Way.NONE)) {
      for (int i = 0; i < DIFFERENT; i++) {
        store.states().save(payload.states().apply(i));
      }
      return recorder.take().stream()
          .filter(RecordedRequest::insertsStates)
          .map(http::prepared)
          .toList();
    }
  }
}
