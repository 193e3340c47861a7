package dev.statectl.benchmark;

import dev.statectl.json.JsonObject;
import dev.statectl.state.StateId;
import dev.statectl.usecase.StateLock;

/** Getting and saving one state. */
final class StatesGroup implements Group {
  private static final StateId ID = Documents.id(0);

  /** A size of states, and what is wanted of them. */
  private record Size(int bytes, double get, double save, boolean large) {}

  @Override
  public String name() {
    return "states";
  }

  @Override
  public String title() {
    return "One state";
  }

  @Override
  public void run(Bench bench) {
    measure(bench, new Size(1_000, 1.15, 1.25, false));
    measure(bench, new Size(100_000, 1.15, 1.25, false));
    measure(bench, new Size(5_000_000, 1.1, 1.1, true));
  }

  private static void measure(Bench bench, Size size) {
    Scale scale = bench.scale();
    Pace pace = size.large() ? Pace.of(scale.largeCycles()).alike() : Pace.of(scale.cycles());
    if (size.large() && scale == Scale.SMOKE) {
      // The driver parses the statement, which takes it seconds.
      pace = pace.withoutDriver();
    }
    String shown = Bench.bytes(size.bytes());
    Comparison comparison = Comparison.ofWriting(bench.clickHouse(), Store.Way.NONE);

    bench
        .report()
        .add(
            Row.of("get " + shown)
                .timed(comparison.run(store -> getting(store, size.bytes()), pace))
                .wanted(Target.atMost(size.get())));
    bench
        .report()
        .add(
            Row.of("save " + shown)
                .timed(comparison.run(store -> saving(store, size.bytes()), pace))
                .wanted(Target.atMost(size.save()))
                .note("without a lock"));
    bench
        .report()
        .add(
            Row.of("save " + shown + " under a lock")
                .timed(comparison.run(store -> savingLocked(store, size.bytes()), pace))
                .wanted(Target.atMost(size.save()))
                .note("held already"));
  }

  private static Operation getting(Store store, int bytes) {
    store.states().save(Documents.completed(ID, Documents.ofSize(bytes, 0)));
    return Operation.of(() -> store.get().get(ID));
  }

  private static Operation saving(Store store, int bytes) {
    JsonObject document = Documents.ofSize(bytes, 0);
    return Operation.of(() -> store.states().save(Documents.completed(ID, document)));
  }

  private static Operation savingLocked(Store store, int bytes) {
    JsonObject document = Documents.ofSize(bytes, 0);
    StateLock lock = store.locks().acquire(ID);
    Operation saving =
        Operation.of(() -> store.save().save(Documents.completed(ID, document), lock));
    return new Operation() {
      @Override
      public Run run() {
        return saving.run();
      }

      @Override
      public void close() {
        lock.close();
      }
    };
  }
}
