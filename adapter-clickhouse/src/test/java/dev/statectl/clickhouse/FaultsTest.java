package dev.statectl.clickhouse;

import static org.assertj.core.api.Assertions.assertThat;

import dev.statectl.clickhouse.FaultedOperation.Effect;
import dev.statectl.clickhouse.FaultedOperation.Scene;
import dev.statectl.clickhouse.engine.TestClickHouse;
import dev.statectl.lock.LockCandidate;
import dev.statectl.lock.LockId;
import dev.statectl.port.HistoryStatus;
import dev.statectl.port.StateFailure;
import dev.statectl.state.StateId;
import dev.statectl.state.StateIdGlob;
import dev.statectl.state.StateVersion;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Every operation of the ports through every fault. {@code -Dstatectl.faults.operations=2100} makes
 * it long (so does the Maven profile {@code faults}), {@code -Dstatectl.faults.seed} repeats what
 * was random.
 */
@Tag("faults")
final class FaultsTest {
  private static final int OPERATIONS = Integer.getInteger("statectl.faults.operations", 100);
  private static final long SEED =
      Long.getLong("statectl.faults.seed", new Random().nextLong(1_000_000));
  private static final int WORKERS = 4;

  // Long enough for a DELETE, which takes a second now and then.
  private static final Duration PATIENCE = Duration.ofMillis(1_500);
  // An operation is a few statements, of which one may use up its time, and the look after it too.
  private static final Duration LONGEST = PATIENCE.multipliedBy(4);

  /** An operation that was run, and what it ended with. */
  private record Case(
      FaultedOperation operation,
      Fault fault,
      int first,
      int count,
      Scene scene,
      @Nullable Object result,
      @Nullable RuntimeException failure,
      List<FaultProxy.Arrival> arrivals) {
    boolean isDone() {
      return failure == null;
    }

    StateFailure.@Nullable Kind kind() {
      return failure instanceof StateFailure stateFailure ? stateFailure.kind() : null;
    }

    boolean isMet() {
      return arrivals.stream().anyMatch(arrival -> arrival.fault() != null);
    }

    String outcome() {
      return isDone() ? "done" : String.valueOf(kind()).toLowerCase(Locale.ROOT);
    }

    @Override
    public String toString() {
      return operation
          + " through "
          + fault
          + " from request "
          + first
          + " for "
          + count
          + " on "
          + scene.id()
          + ": "
          + (isDone() ? result : failure)
          + "\n"
          + arrivals.stream()
              .map(a -> a.fault() + ": " + a.sql().strip().lines().findFirst().orElse(""))
              .collect(Collectors.joining("\n"));
    }
  }

  private final TestClickHouse clickHouse = TestClickHouse.shared();
  private final Map<String, AtomicInteger> counts = new ConcurrentSkipListMap<>();

  @Test
  void everyFailureIsOfTheRightKindAndTellsTheTruth() throws Exception {
    System.out.println("faults: seed " + SEED + ", " + OPERATIONS + " operations");
    List<Case> all = Collections.synchronizedList(new ArrayList<>());
    ExecutorService workers = Executors.newFixedThreadPool(WORKERS);
    try {
      List<Future<?>> running = new ArrayList<>();
      for (int worker = 0; worker < WORKERS; worker++) {
        int number = worker;
        running.add(workers.submit(() -> work(number, all)));
      }
      for (Future<?> future : running) {
        future.get();
      }
    } finally {
      workers.shutdownNow();
    }
    printTable(all);
    assertThat(all).hasSizeGreaterThanOrEqualTo(OPERATIONS);
    if (OPERATIONS >= Fault.values().length * FaultedOperation.values().length) {
      assertThat(counts).hasSize(Fault.values().length * FaultedOperation.values().length);
    }
  }

  private void work(int worker, List<Case> all) {
    Random random = new Random(SEED + worker);
    try (Place place = new Place("w" + worker, random.nextLong());
        Place own = new Place("all" + worker, random.nextLong())) {
      List<int[]> pairs = new ArrayList<>();
      List<Case> mine = new ArrayList<>();
      int told = 0;
      for (int number = 0; number * WORKERS + worker < OPERATIONS; number++) {
        if (pairs.isEmpty()) {
          pairs.addAll(pairs(worker));
          Collections.shuffle(pairs, random);
        }
        int[] pair = pairs.remove(pairs.size() - 1);
        FaultedOperation operation = FaultedOperation.values()[pair[0]];
        Place at = operation == FaultedOperation.DELETE_ALL ? own : place;
        mine.add(at.run(operation, Fault.values()[pair[1]], number, random));
        // Some are looked at long after they ended, so that what was late has come; but not so long
        // that the rows of locks are gone by the table's TTL.
        if (mine.size() - told >= 40) {
          mine.subList(told, mine.size()).forEach(FaultsTest::requireTruth);
          told = mine.size();
        }
      }
      mine.subList(told, mine.size()).forEach(FaultsTest::requireTruth);
      place.requireNoForgottenLock(mine);
      own.requireNoForgottenLock(mine);
      all.addAll(mine);
    }
  }

  /** Each worker's share of all pairs of an operation and a fault. */
  private static List<int[]> pairs(int worker) {
    List<int[]> pairs = new ArrayList<>();
    for (int operation = 0; operation < FaultedOperation.values().length; operation++) {
      for (int fault = 0; fault < Fault.values().length; fault++) {
        if ((operation + fault) % WORKERS == worker) {
          pairs.add(new int[] {operation, fault});
        }
      }
    }
    return pairs;
  }

  private static void requireTruth(Case run) {
    FaultedOperation operation = run.operation();
    Scene scene = run.scene();
    if (run.isDone()) {
      if (operation.effect() != Effect.REDEFINED && operation != FaultedOperation.DELETE_ALL) {
        assertThat(operation.isDone(scene)).as("is there: %s", run).isTrue();
      }
    } else if (run.kind() == StateFailure.Kind.UNAVAILABLE) {
      if (operation != FaultedOperation.DELETE_ALL) {
        assertThat(operation.isUntouched(scene)).as("is not there: %s", run).isTrue();
      }
    } else {
      assertThat(operation.isDone(scene) || operation.isUntouched(scene))
          .as("is there or not: %s", run)
          .isTrue();
    }
    operation.requireNothingTwice(scene);
  }

  private void printTable(List<Case> all) {
    System.out.println(
        "faults: counts are done / unavailable / outcome unknown, by operation and fault");
    StringBuilder text = new StringBuilder();
    text.append("| operation |");
    Arrays.stream(Fault.values()).forEach(fault -> text.append(' ').append(fault).append(" |"));
    text.append(" all |\n|---|").append("---|".repeat(Fault.values().length + 1)).append('\n');
    for (FaultedOperation operation : FaultedOperation.values()) {
      text.append("| ").append(operation).append(" |");
      for (Fault fault : Fault.values()) {
        List<Case> cell =
            all.stream().filter(c -> c.operation() == operation && c.fault() == fault).toList();
        if (!cell.isEmpty()) {
          counts
              .computeIfAbsent(operation + " " + fault, any -> new AtomicInteger())
              .addAndGet(cell.size());
        }
        text.append(' ').append(counted(cell)).append(" |");
      }
      text.append(' ')
          .append(counted(all.stream().filter(c -> c.operation() == operation).toList()))
          .append(" |\n");
    }
    text.append("| all |");
    for (Fault fault : Fault.values()) {
      text.append(' ')
          .append(counted(all.stream().filter(c -> c.fault() == fault).toList()))
          .append(" |");
    }
    text.append(' ').append(counted(all)).append(" |\n");
    System.out.println(text);
    Map<String, Long> outcomes =
        all.stream()
            .collect(Collectors.groupingBy(Case::outcome, TreeMap::new, Collectors.counting()));
    System.out.println(
        "faults: "
            + all.size()
            + " operations, "
            + all.stream().filter(Case::isMet).count()
            + " met their fault, "
            + all.stream().mapToInt(c -> c.arrivals().size()).sum()
            + " requests; "
            + outcomes);
  }

  private static String counted(List<Case> cases) {
    long done = cases.stream().filter(Case::isDone).count();
    long unavailable =
        cases.stream().filter(c -> c.kind() == StateFailure.Kind.UNAVAILABLE).count();
    return done + "/" + unavailable + "/" + (cases.size() - done - unavailable);
  }

  /** A database with its two backends, one of them through a proxy. */
  private final class Place implements AutoCloseable {
    private final String name;
    private final FaultProxy proxy;
    private final ClickHouseBackend direct;
    private final ClickHouseBackend faulted;
    private final Map<FaultedOperation, Integer> requests = new EnumMap<>(FaultedOperation.class);

    Place(String name, long seed) {
      this.name = name;
      String schema = clickHouse.freshSchema();
      this.proxy = FaultProxy.to(clickHouse.endpoint(), PATIENCE, seed);
      this.direct = TestStores.open(schema);
      this.faulted =
          ClickHouseBackend.open(
              TestStores.settings(proxy.endpoint(), schema).within(PATIENCE, PATIENCE));
      // The form of the lock table is looked at once; it is not what is tried here.
      faulted.locks().announce(StateId.of("warm"), LockId.of(Instant.EPOCH, 1), "me");
      faulted.locks().withdraw(StateId.of("warm"), LockId.of(Instant.EPOCH, 1));
    }

    /** How many requests an operation is when nothing goes wrong. */
    private int requestsOf(FaultedOperation operation) {
      return requests.computeIfAbsent(
          operation,
          any -> {
            Scene scene = prepare(operation, "rehearsal-" + operation + ".", new Random(0));
            proxy.order(Fault.DELAY, 0, 0);
            operation.run(scene);
            return proxy.relent().size();
          });
    }

    private Scene prepare(FaultedOperation operation, String suffix, Random random) {
      if (direct.history().status().recording() != HistoryStatus.Recording.ON) {
        direct.history().enable(FaultedOperation.KEEP);
      }
      StateId id = StateId.of(name + "-" + suffix);
      StateVersion first = direct.states().save(TestStores.state(id.text(), FaultedOperation.OLD));
      Scene scene =
          new Scene(
              direct,
              faulted,
              id,
              LockId.of(Instant.EPOCH, random.nextInt()),
              LockId.of(Instant.EPOCH.plusSeconds(1), random.nextInt()),
              first);
      operation.prepare(scene);
      return scene;
    }

    Case run(FaultedOperation operation, Fault fault, int number, Random random) {
      int met = random.nextInt(requestsOf(operation));
      Scene scene = prepare(operation, number + ".", random);
      int count = List.of(1, 1, 2, 1_000).get(random.nextInt(4));
      proxy.order(fault, met, count);
      long start = System.nanoTime();
      Object result = null;
      RuntimeException failure = null;
      try {
        result = operation.run(scene);
      } catch (StateFailure e) {
        failure = e;
      }
      Duration took = Duration.ofNanos(System.nanoTime() - start);
      Case run = new Case(operation, fault, met, count, scene, result, failure, proxy.relent());
      requireRightKind(run);
      if (operation != FaultedOperation.LOCK_AND_SAVE) {
        // That one asks for its row to be removed for half a minute.
        assertThat(took).as("time of %s", run).isLessThan(LONGEST);
      }
      if (operation == FaultedOperation.DELETE_ALL || operation.effect() == Effect.REDEFINED) {
        requireTruthAtOnce(run);
      }
      return run;
    }

    private void requireRightKind(Case run) {
      FaultedOperation operation = run.operation();
      if (run.isDone()) {
        if (run.result() instanceof StateVersion version) {
          assertThat(direct.states().find(run.scene().id()).orElseThrow().version())
              .as("version of %s", run)
              .isEqualTo(version);
        } else {
          assertThat(run.result())
              .as("result of %s", run)
              .isEqualTo(operation.expected(run.scene()));
        }
        return;
      }
      Set<StateFailure.Kind> right = new HashSet<>(Set.of(StateFailure.Kind.UNAVAILABLE));
      boolean changes =
          Set.of(Effect.NONE, Effect.REDEFINED).stream().noneMatch(operation.effect()::equals);
      if (changes
          || operation == FaultedOperation.RENEW
          || operation == FaultedOperation.HISTORY_ENABLE) {
        right.add(StateFailure.Kind.OUTCOME_UNKNOWN);
      }
      assertThat(run.kind()).as("kind of %s", run).isIn(right);
      // A fault that does no harm, or that was not met, is no reason to fail.
      assertThat(run.isMet() && !run.fault().isHarmless()).as("reason of %s", run).isTrue();
    }

    private void requireTruthAtOnce(Case run) {
      if (run.isDone()) {
        assertThat(run.operation().isDone(run.scene())).as("is there: %s", run).isTrue();
      } else if (run.kind() == StateFailure.Kind.UNAVAILABLE) {
        assertThat(run.operation().isUntouched(run.scene())).as("is not there: %s", run).isTrue();
      }
    }

    /** Every row that is left is one that was announced and not withdrawn, or was reported. */
    void requireNoForgottenLock(List<Case> runs) {
      List<LockCandidate> left = new ArrayList<>();
      direct.locks().forEach(StateIdGlob.ALL, left::add);
      Set<StateId> wanted =
          runs.stream()
              .filter(run -> run.operation() != FaultedOperation.LOCK_AND_SAVE || !run.isDone())
              .flatMap(run -> Stream.of(run.scene().id(), run.scene().second()))
              .collect(Collectors.toSet());
      assertThat(left)
          .extracting(LockCandidate::id)
          .allMatch(
              id ->
                  wanted.contains(id)
                      || id.text().contains("-rehearsal-") && !id.text().contains("LOCK_AND"));
    }

    @Override
    public void close() {
      faulted.close();
      direct.close();
      proxy.close();
    }
  }
}
