package dev.statectl.clickhouse;

import static org.assertj.core.api.Assertions.assertThat;

import dev.statectl.clickhouse.engine.LocalClickHouse;
import dev.statectl.lock.LockTerms;
import dev.statectl.port.StateFailure;
import dev.statectl.port.StateStore;
import dev.statectl.state.State;
import dev.statectl.state.StateId;
import dev.statectl.state.StateVersion;
import dev.statectl.usecase.AcquireLock;
import dev.statectl.usecase.LockMeans;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The server is killed in the middle of a load of writers and started again on what it left behind.
 * {@code -Dstatectl.faults.kills=10} makes it long, {@code -Dstatectl.faults.seed} repeats what was
 * random. A process is killed here, not a machine: what it wrote is with the kernel.
 */
@Tag("faults")
final class KillTest {
  private static final int KILLS = Integer.getInteger("statectl.faults.kills", 2);
  private static final long SEED =
      Long.getLong("statectl.faults.seed", new Random().nextLong(1_000_000));
  private static final int WRITERS = 3;
  private static final StateId COUNTER = StateId.of("counter");

  @TempDir Path directory;

  /** What a writer was told. */
  private static final class Log {
    private final Map<String, Integer> failures = new TreeMap<>();
    private final List<StateVersion> versions = new ArrayList<>();
    private int acknowledged;
    private int lastAcknowledged;
    private int unknown;

    synchronized void acknowledge(int n, @Nullable StateVersion version) {
      acknowledged++;
      lastAcknowledged = n;
      if (version != null) {
        versions.add(version);
      }
    }

    synchronized void fail(StateFailure failure) {
      failures.merge(failure.kind().toString(), 1, Integer::sum);
      if (failure instanceof StateFailure.OutcomeUnknown) {
        unknown++;
      }
    }

    /** What the state may hold now and when this was asked. */
    synchronized int last() {
      return lastAcknowledged;
    }
  }

  private volatile boolean writing = true;

  @Test
  void whatWasAcknowledgedIsThereAndVersionsOnlyGoUp() throws Exception {
    System.out.println("kills: seed " + SEED + ", " + KILLS + " kills");
    Random random = new Random(SEED);
    ExecutorService threads = Executors.newCachedThreadPool();
    ScheduledExecutorService timer = Executors.newScheduledThreadPool(1);
    try (LocalClickHouse engine = LocalClickHouse.start(directory);
        ClickHouseBackend backend =
            ClickHouseBackend.open(
                TestStores.settings(engine.endpoint(), "meltano")
                    .within(Duration.ofSeconds(5), Duration.ofSeconds(5)))) {
      StateStore store = backend.states();
      store.save(TestStores.state(COUNTER.text(), "{\"n\":0}"));
      backend.history().enable(Duration.ofDays(1));
      List<Log> logs = new ArrayList<>();
      List<Future<?>> running = new ArrayList<>();
      for (int writer = 0; writer < WRITERS; writer++) {
        StateId id = StateId.of("writer-" + writer);
        Log log = new Log();
        logs.add(log);
        running.add(threads.submit(() -> write(store, id, log)));
      }
      Log counted = new Log();
      for (int counter = 0; counter < 2; counter++) {
        running.add(threads.submit(() -> count(backend, timer, counted)));
      }
      for (int kill = 0; kill < KILLS; kill++) {
        Thread.sleep(500 + random.nextInt(1_500));
        engine.kill();
        int[] acknowledged = logs.stream().mapToInt(Log::last).toArray();
        engine.restart();
        for (int writer = 0; writer < WRITERS; writer++) {
          assertThat(n(store, StateId.of("writer-" + writer)))
              .as("state of writer %d after kill %d", writer, kill)
              .isGreaterThanOrEqualTo(acknowledged[writer]);
        }
      }
      Thread.sleep(1_000);
      writing = false;
      for (Future<?> future : running) {
        future.get();
      }
      for (int writer = 0; writer < WRITERS; writer++) {
        Log log = logs.get(writer);
        int stored = n(store, StateId.of("writer-" + writer));
        assertThat(stored).isBetween(log.lastAcknowledged, log.lastAcknowledged + log.unknown);
        assertThat(log.versions).isSorted().doesNotHaveDuplicates();
        System.out.println(
            "kills: writer " + writer + ": " + log.acknowledged + " acknowledged, " + log.failures);
      }
      int total = n(store, COUNTER);
      System.out.println(
          "kills: counter under a lock: "
              + counted.acknowledged
              + " acknowledged, stored "
              + total
              + ", "
              + counted.failures);
      assertThat(total).isBetween(counted.acknowledged, counted.acknowledged + counted.unknown);
      assertThat(logs).allSatisfy(log -> assertThat(log.acknowledged).isGreaterThan(KILLS));
      assertThat(counted.acknowledged).isPositive();
    } finally {
      writing = false;
      threads.shutdownNow();
      timer.shutdownNow();
    }
  }

  private void write(StateStore store, StateId id, Log log) {
    for (int n = 1; writing; n++) {
      try {
        log.acknowledge(n, store.save(TestStores.state(id.text(), "{\"n\":" + n + "}")));
      } catch (StateFailure.OutcomeUnknown | StateFailure.Unavailable e) {
        log.fail(e);
        if (e instanceof StateFailure.Unavailable) {
          // It was not stored, so its number is free.
          n--;
        }
        pause();
      }
    }
  }

  private void count(ClickHouseBackend backend, ScheduledExecutorService timer, Log log) {
    AcquireLock locks =
        new AcquireLock(
            backend.locks(),
            LockTerms.DEFAULT,
            LockMeans.of(
                Clock.systemUTC(),
                RandomGenerator.getDefault(),
                System::nanoTime,
                duration -> Thread.sleep(duration.toMillis()),
                timer),
            "counter");
    while (writing) {
      try {
        locks.with(
            COUNTER,
            lock -> {
              int next = n(backend.states(), COUNTER) + 1;
              StateVersion version =
                  backend
                      .states()
                      .save(TestStores.state(COUNTER.text(), "{\"n\":" + next + "}"), lock.fence());
              log.acknowledge(next, null);
              return version;
            });
      } catch (StateFailure e) {
        log.fail(e);
        pause();
      }
    }
  }

  private static int n(StateStore store, StateId id) {
    String text = store.find(id).map(State::completed).orElseThrow().text();
    return Integer.parseInt(text.replaceAll("\\D", ""));
  }

  private static void pause() {
    try {
      Thread.sleep(50);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
