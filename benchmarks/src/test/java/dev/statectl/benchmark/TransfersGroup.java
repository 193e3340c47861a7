package dev.statectl.benchmark;

import dev.statectl.clickhouse.LockPeers;
import dev.statectl.state.State;
import dev.statectl.state.StateIdGlob;
import dev.statectl.usecase.ImportStates;
import java.io.ByteArrayOutputStream;
import java.net.URLEncoder;
import java.net.http.HttpRequest;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.IntStream;

/** Importing and exporting many states. */
final class TransfersGroup implements Group {
  private static final Target TARGET = Target.atMost(1.5);

  @Override
  public String name() {
    return "transfers";
  }

  @Override
  public String title() {
    return "Import and export";
  }

  @Override
  public void run(Bench bench) throws Exception {
    int most = bench.scale().imported();
    int few = Math.max(20, most / 100);
    List<State> states =
        IntStream.range(0, most)
            .mapToObj(i -> Documents.completed(Documents.id(i), Documents.ofSize(1_000, i)))
            .toList();
    for (Store.Way way : List.of(Store.Way.NONE, Store.Way.PLUGIN)) {
      double perSecond = importing(bench, way, states.subList(0, few), 3);
      oneByOne(bench, way, states.subList(0, Math.min(few, bench.scale().slow())), perSecond);
    }
    importing(bench, Store.Way.NONE, states, bench.scale() == Scale.FULL ? 2 : 1);
    for (int ids : List.of(few, most)) {
      exporting(bench, ids);
    }
    String schema = bench.clickHouse().freshSchema();
    BoundedHeap.run(bench, schema, BoundedHeap.Work.IMPORT, most);
    BoundedHeap.run(bench, schema, BoundedHeap.Work.EXPORT, most);
    bench.drop(schema);
  }

  /** Imports into fresh tables each time, in turn with one raw insert; gives rows per second. */
  private static double importing(Bench bench, Store.Way way, List<State> states, int repetitions) {
    byte[] rows = rowBinary(states);
    long[] ours = new long[repetitions];
    long[] raw = new long[repetitions];
    for (int i = 0; i < repetitions; i++) {
      Store store = Store.fresh(bench.clickHouse(), way);
      Store bare = Store.fresh(bench.clickHouse(), Store.Way.NONE);
      makeTables(store);
      makeTables(bare);
      long start = System.nanoTime();
      importInto(store, states);
      ours[i] = System.nanoTime() - start;
      BareHttp http = new BareHttp(bench.clickHouse().endpoint());
      HttpRequest insert = insert(http, bare.schema(), rows);
      raw[i] = http.send(List.of(insert)).nanos();
      for (Store used : List.of(store, bare)) {
        used.close();
        bench.drop(used.schema());
      }
    }
    Timing timing = Timing.of(ours);
    double perSecond = states.size() / timing.p50() * 1_000;
    List<RecordedRequest> requests = requests(bench, way, states);
    bench
        .report()
        .add(
            Row.of("import " + Bench.count(states.size()) + " states of 1 KB, " + peers(way))
                .timed(timing, null, Timing.of(raw))
                .traffic(Traffic.of(requests))
                .wanted(TARGET)
                .fact("rows/s", Math.round(perSecond))
                .fact(
                    "inserts of states",
                    requests.stream().filter(RecordedRequest::insertsStates).count())
                .fact("bytes of the raw insert", rows.length)
                .note("raw: one INSERT … FORMAT RowBinary of the same rows"));
    return perSecond;
  }

  private static void makeTables(Store store) {
    store.set().set(Documents.id(0), Documents.ofSize(1_000, 0));
    store.backend().locks().look(Documents.id(0));
  }

  private static void importInto(Store store, List<State> states) {
    ImportStates.Result result =
        store
            .imports()
            .run(
                states::forEach,
                ImportStates.IfExists.OVERWRITE,
                (id, failure) -> {
                  throw failure;
                },
                () -> false);
    if (result.created() + result.updated() != states.size()) {
      throw new IllegalStateException("Not all states were imported: " + result);
    }
  }

  private static List<RecordedRequest> requests(Bench bench, Store.Way way, List<State> states) {
    String schema = bench.clickHouse().freshSchema();
    try (Recorder recorder = Recorder.counting(bench.clickHouse().endpoint());
        Store store = Store.open(recorder.endpoint(), schema, way)) {
      makeTables(store);
      recorder.take();
      importInto(store, states);
      return recorder.take();
    } finally {
      bench.drop(schema);
    }
  }

  /** One lock and one insert for each id, as if there were no import. */
  private static void oneByOne(
      Bench bench, Store.Way way, List<State> states, double importedPerSecond) {
    Store store = Store.fresh(bench.clickHouse(), way);
    makeTables(store);
    long[] nanos = new long[states.size()];
    for (int i = 0; i < nanos.length; i++) {
      long start = System.nanoTime();
      store.set().set(states.get(i).id(), states.get(i).completed());
      nanos[i] = System.nanoTime() - start;
    }
    store.close();
    bench.drop(store.schema());
    Timing timing = Timing.of(nanos);
    double perSecond = nanos.length / timing.total() * 1_000;
    bench
        .report()
        .add(
            Row.of("set one state after the other, " + peers(way))
                .timed(timing, null, null)
                .ratio(importedPerSecond / perSecond)
                .fact("rows/s", Math.round(perSecond))
                .note("ratio: rows/s of the import to rows/s of this"));
  }

  private static void exporting(Bench bench, int ids) {
    String schema = bench.filled(ids);
    Scale scale = bench.scale();
    Pace pace =
        ids > 10_000
            ? Pace.of(Math.max(2, scale.largeCycles() / 2)).cold()
            : Pace.of(scale.largeCycles());
    Comparison.Outcome outcome =
        Comparison.in(bench.clickHouse(), schema)
            .run(
                store ->
                    Operation.ofRows(
                        row ->
                            store
                                .export()
                                .export(
                                    StateIdGlob.ALL,
                                    text -> row.run(),
                                    failure -> {
                                      throw failure;
                                    })),
                pace.alike().withoutDriver());
    bench.drop(schema);
    bench
        .report()
        .add(
            Row.of("export " + Bench.count(ids) + " states of 1 KB")
                .timed(outcome)
                .wanted(TARGET)
                .fact("rows/s", Math.round(ids / outcome.ours().p50() * 1_000)));
  }

  private static String peers(Store.Way way) {
    return "lock_peers=" + (way.peers() == LockPeers.NONE ? "none" : "plugin");
  }

  private static HttpRequest insert(BareHttp http, String schema, byte[] rows) {
    String sql =
        "INSERT INTO "
            + schema
            + ".state (state_id, partial_state, completed_state, updated_at)"
            + " SETTINGS async_insert = 0 FORMAT RowBinary";
    return http.request("query=" + URLEncoder.encode(sql, StandardCharsets.UTF_8), rows);
  }

  /**
   * The rows as the server takes them in its binary format.
   *
   * @see <a href="https://clickhouse.com/docs/interfaces/formats/RowBinary">RowBinary</a>
   */
  private static byte[] rowBinary(List<State> states) {
    ByteArrayOutputStream rows = new ByteArrayOutputStream();
    long version = System.currentTimeMillis();
    for (State state : states) {
      text(rows, state.id().text());
      // NULL, and not NULL.
      rows.write(1);
      rows.write(0);
      text(rows, state.completed().text());
      rows.writeBytes(
          ByteBuffer.allocate(Long.BYTES).order(ByteOrder.LITTLE_ENDIAN).putLong(version).array());
    }
    return rows.toByteArray();
  }

  private static void text(ByteArrayOutputStream rows, String text) {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    int left = bytes.length;
    for (; left > 127; left >>>= 7) {
      rows.write(left & 127 | 128);
    }
    rows.write(left);
    rows.writeBytes(bytes);
  }
}
