package dev.statectl.benchmark;

import dev.statectl.port.StateHistory;
import dev.statectl.state.StateId;
import dev.statectl.state.StateIdGlob;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/** How the cost of an operation grows, as plots. */
final class GrowthGroup implements Group {
  private static final String MILLISECONDS = "median, ms";

  /** One place on the x axis: how to make the tables, and how to measure there. */
  private interface Place {
    /** Makes tables and gives their schema. */
    String make(Bench bench, int x);
  }

  /** What is measured at each place. */
  private record Subject(String name, Comparison.Preparation preparation, boolean few) {}

  @Override
  public String name() {
    return "growth";
  }

  @Override
  public String title() {
    return "Growth";
  }

  @Override
  public void run(Bench bench) {
    Scale scale = bench.scale();
    bySize(bench, scale);
    byIds(bench, scale);
    byParts(bench, scale);
    byHistory(bench, scale);
  }

  private static void bySize(Bench bench, Scale scale) {
    List<Integer> sizes =
        switch (scale) {
          case FULL ->
              List.of(
                  300,
                  1_000,
                  3_000,
                  10_000,
                  30_000,
                  100_000,
                  300_000,
                  1_000_000,
                  3_000_000,
                  10_000_000);
          case QUICK -> List.of(1_000, 10_000, 100_000, 1_000_000);
          case SMOKE -> List.of(1_000, 10_000);
        };
    LinePlot plot = new LinePlot("Cost over the size of a state", "bytes of a state", MILLISECONDS);
    measure(
        bench,
        plot,
        sizes,
        (b, size) -> {
          Store store = Store.fresh(b.clickHouse(), Store.Way.NONE);
          try (store) {
            for (int i = 0; i < 10; i++) {
              store.states().save(Documents.completed(Documents.id(i), Documents.ofSize(size, i)));
            }
          }
          b.merge(store.schema());
          return store.schema();
        },
        size -> List.of(getting(0), saving(size), listing("list 10 ids")));
    bench.report().add("growth-by-size", plot);
  }

  private static void byIds(Bench bench, Scale scale) {
    List<Integer> counts =
        switch (scale) {
          case FULL -> List.of(10, 100, 1_000, 10_000, 100_000, 1_000_000);
          case QUICK -> List.of(10, 1_000, 20_000);
          case SMOKE -> List.of(10, 100);
        };
    LinePlot plot = new LinePlot("Cost over the number of ids, of 1 KB each", "ids", MILLISECONDS);
    measure(
        bench,
        plot,
        counts,
        (b, ids) -> b.filled(ids),
        ids -> List.of(getting(ids / 2), saving(1_000), listing("list all ids")));
    bench.report().add("growth-by-ids", plot);
  }

  /** Merges are stopped, so parts are as many as inserts; each has a row of each of 100 ids. */
  private static void byParts(Bench bench, Scale scale) {
    List<Integer> counts =
        switch (scale) {
          case FULL -> List.of(1, 3, 10, 30, 100, 300);
          case QUICK -> List.of(1, 10, 100);
          case SMOKE -> List.of(1, 5);
        };
    LinePlot plot =
        new LinePlot(
            "Cost over parts that are not merged, 100 ids of 1 KB in each", "parts", MILLISECONDS);
    measure(
        bench,
        plot,
        counts,
        (b, parts) -> {
          String schema = b.filled(100);
          b.clickHouse().execute("SYSTEM STOP MERGES " + schema + ".state");
          for (int i = 1; i < parts; i++) {
            b.clickHouse()
                .execute(
                    "INSERT INTO "
                        + schema
                        + ".state (state_id, completed_state, updated_at) SELECT "
                        + Documents.idSql()
                        + ", "
                        + Documents.documentSql()
                        + ", now64(3) FROM numbers(100)");
          }
          return schema;
        },
        parts -> List.of(getting(50), listing("list 100 ids"), saving(1_000)));
    bench.report().add("growth-by-parts", plot);
  }

  private static void byHistory(Bench bench, Scale scale) {
    List<Integer> counts =
        switch (scale) {
          case FULL -> List.of(1, 10, 100, 1_000, 10_000, 100_000);
          case QUICK -> List.of(1, 100, 10_000);
          case SMOKE -> List.of(1, 20);
        };
    LinePlot plot =
        new LinePlot("Cost over the length of an id's history, 1 KB each", "records", MILLISECONDS);
    measure(
        bench,
        plot,
        counts,
        (b, records) -> {
          Store store = Store.fresh(b.clickHouse(), Store.Way.NONE);
          try (store) {
            store.backend().history().enable(StateHistory.DEFAULT_KEEP);
            store.states().save(Documents.completed(Documents.id(0), Documents.ofSize(1_000, 0)));
          }
          b.clickHouse()
              .execute(
                  "INSERT INTO "
                      + store.schema()
                      + ".state_history SELECT 'dev:tap-0000000-to-target',"
                      + " now64(3) - toIntervalMillisecond(number + 1000), now64(6), 0,"
                      + " 'benchmark', 'benchmark', fromUnixTimestamp64Milli(0), length(c), 0,"
                      + " sipHash64(c, ''), c, NULL FROM (SELECT number, "
                      + Documents.documentSql()
                      + " AS c FROM numbers("
                      + (records - 1)
                      + "))");
          return store.schema();
        },
        records -> List.of(getting(0), saving(1_000), history()));
    bench.report().add("growth-by-history", plot);
  }

  private static void measure(
      Bench bench,
      LinePlot plot,
      List<Integer> places,
      Place place,
      java.util.function.IntFunction<List<Subject>> subjects) {
    Map<String, List<LinePlot.Point>> ours = new LinkedHashMap<>();
    Map<String, List<LinePlot.Point>> raw = new LinkedHashMap<>();
    Map<String, Comparison.Outcome> first = new LinkedHashMap<>();
    Map<String, Comparison.Outcome> last = new LinkedHashMap<>();
    for (int x : places) {
      String schema = place.make(bench, x);
      for (Subject subject : subjects.apply(x)) {
        int cycles = Math.max(2, bench.scale().slow() / (subject.few() ? 25 : 10));
        Comparison.Outcome outcome =
            Comparison.in(bench.clickHouse(), schema)
                .run(subject.preparation(), Pace.of(cycles).alike().withoutDriver());
        ours.computeIfAbsent(subject.name(), name -> new ArrayList<>())
            .add(new LinePlot.Point(x, outcome.ours().p50()));
        raw.computeIfAbsent(subject.name(), name -> new ArrayList<>())
            .add(new LinePlot.Point(x, outcome.raw().p50()));
        first.putIfAbsent(subject.name(), outcome);
        last.put(subject.name(), outcome);
      }
      bench.drop(schema);
    }
    List<String> names = List.copyOf(ours.keySet());
    IntStream.range(0, names.size())
        .forEach(
            i -> {
              plot.line(names.get(i), i, false, ours.get(names.get(i)));
              plot.line(names.get(i) + ", raw HTTP", i, true, raw.get(names.get(i)));
            });
    int from = places.get(0);
    int to = places.get(places.size() - 1);
    for (String name : names) {
      Comparison.Outcome at = last.get(name);
      bench
          .report()
          .add(
              Row.of(plot.title() + ": " + name + " at " + Bench.count(to))
                  .timed(at)
                  .fact("ms at " + Bench.count(from), first.get(name).ours().p50())
                  .fact("factor", at.ours().p50() / first.get(name).ours().p50()));
    }
  }

  private static Subject getting(int number) {
    StateId id = Documents.id(number);
    return new Subject("get", store -> Operation.of(() -> store.get().get(id)), false);
  }

  /** Few, since each makes a part. */
  private static Subject saving(int size) {
    var document = Documents.ofSize(size, 1);
    return new Subject(
        "save",
        store ->
            Operation.of(() -> store.states().save(Documents.completed(Documents.id(0), document))),
        true);
  }

  private static Subject listing(String name) {
    return new Subject(
        name, store -> Operation.of(() -> store.list().list(StateIdGlob.ALL, id -> {})), false);
  }

  private static Subject history() {
    return new Subject(
        "a page of history",
        store ->
            Operation.of(() -> store.backend().history().forEach(Documents.id(0), 20, entry -> {})),
        false);
  }
}
