package dev.statectl.benchmark;

import dev.statectl.state.StateIdGlob;
import java.util.List;

/** Listing ids and walking over states, to the last of very many. */
final class ListsGroup implements Group {
  private static final Target TARGET = Target.atMost(1.3);

  @Override
  public String name() {
    return "lists";
  }

  @Override
  public String title() {
    return "Many states";
  }

  @Override
  public void run(Bench bench) throws Exception {
    int most = bench.scale().ids();
    for (int ids : List.of(Math.max(10, most / 1_000), Math.max(20, most / 10), most)) {
      String schema = bench.filled(ids);
      measure(bench, schema, ids);
      if (ids == most) {
        for (BoundedHeap.Work work : List.of(BoundedHeap.Work.LIST, BoundedHeap.Work.WALK)) {
          BoundedHeap.run(bench, schema, work, ids);
        }
      }
      bench.drop(schema);
    }
    besideLarge(bench);
  }

  private static void measure(Bench bench, String schema, int ids) {
    Comparison comparison = Comparison.in(bench.clickHouse(), schema);
    Pace pace = pace(bench.scale(), ids);
    String count = Bench.count(ids);
    Comparison.Outcome listed = comparison.run(ListsGroup::listing, pace);
    add(bench, "list " + count + " ids", listed, ids);
    // The driver would make objects of all columns; it takes part in what is small.
    Pace walking = ids > 10_000 ? pace.withoutDriver() : pace;
    Comparison.Outcome walked = comparison.run(ListsGroup::walking, walking);
    add(bench, "walk " + count + " states of 1 KB", walked, ids);
  }

  private static void add(Bench bench, String operation, Comparison.Outcome outcome, int ids) {
    bench
        .report()
        .add(
            Row.of(operation)
                .timed(outcome)
                .wanted(TARGET)
                .fact("rows/s", Math.round(ids / outcome.ours().p50() * 1_000)));
    bench
        .report()
        .add(
            Row.of(operation + ": until the first")
                .timed(outcome.oursFirst(), null, outcome.rawFirst())
                .traffic(outcome.traffic())
                .note("raw: the first byte"));
  }

  private static Pace pace(Scale scale, int ids) {
    if (ids > 200_000) {
      return Pace.of(Math.max(2, scale.largeCycles() / 4)).alike().cold();
    }
    return Pace.of(ids > 10_000 ? scale.largeCycles() : Math.min(60, scale.cycles())).alike();
  }

  private static Operation listing(Store store) {
    return Operation.ofRows(row -> store.list().list(StateIdGlob.ALL, id -> row.run()));
  }

  private static Operation walking(Store store) {
    return Operation.ofRows(
        row -> store.states().forEachState(StateIdGlob.ALL, state -> row.run()));
  }

  /** The same small things with and without a state of 100 MB among the others. */
  private static void besideLarge(Bench bench) {
    int ids = Math.max(10, Math.min(1_000, bench.scale().ids() / 10));
    int times = bench.scale() == Scale.SMOKE ? 10_000 : 1_000_000;
    String without = bench.filled(ids);
    String with = bench.filled(ids);
    // By SQL: statectl writes no state that is so large.
    bench
        .clickHouse()
        .execute(
            "INSERT INTO "
                + with
                + ".state (state_id, completed_state, updated_at) SELECT "
                + Documents.idSql()
                + ", concat('{\"singer_state\": {\"bookmarks\": {\"s\": {\"v\": \"',"
                + " repeat(repeat('x', 100), "
                + times
                + "), '\"}}}}'), now64(3) FROM numbers("
                + ids
                + ", 1)");
    bench.merge(with);
    Pace pace = Pace.of(Math.min(100, bench.scale().cycles()));
    String large = Bench.bytes(100L * times);
    try (Store one = Store.open(bench.clickHouse().endpoint(), with, Store.Way.NONE);
        Store other = Store.open(bench.clickHouse().endpoint(), without, Store.Way.NONE)) {
      add(
          bench,
          "list beside a state of " + large,
          Turns.take(pace, List.of(listing(one), listing(other))),
          true);
      add(
          bench,
          "get of a small state beside one of " + large,
          Turns.take(pace, List.of(getting(one, 0), getting(other, 0))),
          true);
      add(
          bench,
          "get of the small state next to it",
          Turns.take(pace, List.of(getting(one, ids - 1), getting(other, ids - 1))),
          false);
    } finally {
      bench.drop(with);
      bench.drop(without);
    }
  }

  private static Operation getting(Store store, int number) {
    return Operation.of(() -> store.get().get(Documents.id(number)));
  }

  private static void add(Bench bench, String operation, List<Turns.Taken> taken, boolean wanted) {
    Row.Draft row =
        Row.of(operation)
            .timed(taken.get(0).whole(), null, null)
            .ratio(taken.get(0).whole().p50() / taken.get(1).whole().p50())
            .fact("ms without it", taken.get(1).whole().p50())
            .note("ratio: with to without it, both through statectl");
    bench.report().add(wanted ? row.wanted(Target.atMost(1.1)) : row);
  }
}
