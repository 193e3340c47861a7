package dev.statectl.benchmark;

import dev.statectl.clickhouse.engine.ClickHouseEndpoint;
import dev.statectl.clickhouse.engine.TestClickHouse;
import java.net.http.HttpRequest;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Measures an operation of statectl against the very statements that it sends, through the bare
 * driver and over plain HTTP.
 *
 * <p>Each of the three has tables of its own, made alike, unless the operation leaves them as they
 * are. For the other two the operation runs through a {@link Recorder} first, a number of times,
 * and what it sent is sent again in turn. Then all three take {@link Turns}.
 */
final class Comparison {
  private final TestClickHouse clickHouse;
  private final Store.Way way;
  private final Optional<String> schema;

  private Comparison(TestClickHouse clickHouse, Store.Way way, Optional<String> schema) {
    this.clickHouse = clickHouse;
    this.way = way;
    this.schema = schema;
  }

  /** For operations that write: tables of its own for each of the three. */
  static Comparison ofWriting(TestClickHouse clickHouse, Store.Way way) {
    return new Comparison(clickHouse, way, Optional.empty());
  }

  /** For operations that leave the tables as they are: those of the schema for all three. */
  static Comparison in(TestClickHouse clickHouse, String schema) {
    return new Comparison(clickHouse, Store.Way.NONE, Optional.of(schema));
  }

  /** Prepares the tables of a store and gives what is then measured on it. */
  @FunctionalInterface
  interface Preparation {
    Operation on(Store store);
  }

  /**
   * What came of it.
   *
   * @param ours through statectl
   * @param driver through the bare driver; null where it cannot send the statements
   * @param raw over plain HTTP
   * @param oursFirst until statectl gave the first row
   * @param rawFirst until the first byte of the answer arrived
   * @param traffic what one operation sends
   */
  record Outcome(
      Timing ours,
      @Nullable Timing driver,
      Timing raw,
      Timing oursFirst,
      Timing rawFirst,
      Traffic traffic) {}

  /** A store behind a recorder, whose operation has been recorded. */
  private final class Recording implements AutoCloseable {
    private final Recorder recorder = Recorder.of(clickHouse.endpoint());
    private final Store store = open(recorder.endpoint());
    private final Operation operation;
    private final List<List<RecordedRequest>> cycles = new ArrayList<>();

    Recording(Preparation preparation, int count) {
      operation = preparation.on(store);
      makeTables(operation);
      recorder.take();
      for (int i = 0; i < count; i++) {
        operation.run();
        List<RecordedRequest> requests = recorder.take();
        if (requests.isEmpty()) {
          throw new IllegalStateException("An operation sent nothing, or past the recorder");
        }
        cycles.add(requests);
      }
    }

    Traffic traffic() {
      return Traffic.of(cycles.stream().flatMap(List::stream).toList()).times(1.0 / cycles.size());
    }

    @Override
    public void close() {
      operation.close();
      Comparison.this.close(store);
      recorder.close();
    }
  }

  /** The first run may make tables, and look at them; that is neither recorded nor measured. */
  private void makeTables(Operation operation) {
    if (schema.isEmpty()) {
      operation.run();
    }
  }

  private Store open(ClickHouseEndpoint endpoint) {
    return Store.open(endpoint, schema.orElseGet(clickHouse::freshSchema), way);
  }

  private void close(Store store) {
    store.close();
    if (schema.isEmpty()) {
      Bench.drop(clickHouse, store.schema());
    }
  }

  /** Measures an operation. */
  Outcome run(Preparation preparation, Pace pace) {
    Store store = open(clickHouse.endpoint());
    try (Operation ours = preparation.on(store);
        Recording forHttp = new Recording(preparation, pace.recordings())) {
      makeTables(ours);
      Operation raw = raw(forHttp);
      if (!pace.driver() || !isText(forHttp)) {
        return run(ours, raw, null, forHttp.traffic(), pace);
      }
      try (Recording forDriver = new Recording(preparation, pace.recordings());
          BareDriver driver = new BareDriver(clickHouse.endpoint())) {
        return run(ours, raw, driven(driver, forDriver), forHttp.traffic(), pace);
      }
    } finally {
      close(store);
    }
  }

  private static Outcome run(
      Operation ours, Operation raw, @Nullable Operation driven, Traffic traffic, Pace pace) {
    List<Turns.Taken> taken =
        Turns.take(pace, driven == null ? List.of(ours, raw) : List.of(ours, raw, driven));
    return new Outcome(
        taken.get(0).whole(),
        driven == null ? null : taken.get(2).whole(),
        taken.get(1).whole(),
        taken.get(0).first(),
        taken.get(1).first(),
        traffic);
  }

  private static boolean isText(Recording recording) {
    return recording.cycles.stream()
        .flatMap(List::stream)
        .allMatch(request -> request.sql().isPresent());
  }

  private Operation raw(Recording recording) {
    BareHttp http = new BareHttp(clickHouse.endpoint());
    List<List<HttpRequest>> cycles =
        recording.cycles.stream()
            .map(requests -> requests.stream().map(http::prepared).toList())
            .toList();
    int[] at = {0};
    return () -> http.send(cycles.get(at[0]++ % cycles.size()));
  }

  private static Operation driven(BareDriver driver, Recording recording) {
    List<List<BareDriver.Prepared>> cycles =
        recording.cycles.stream()
            .map(
                requests ->
                    requests.stream().map(r -> BareDriver.prepared(r).orElseThrow()).toList())
            .toList();
    int[] at = {0};
    return Operation.of(() -> driver.run(cycles.get(at[0]++ % cycles.size())));
  }
}
