package dev.statectl.clickhouse;

import static org.assertj.core.api.Assertions.assertThat;

import dev.statectl.clickhouse.engine.LocalClickHouse;
import dev.statectl.clickhouse.engine.TestClickHouse;
import dev.statectl.json.JsonObject;
import dev.statectl.json.JsonPointer;
import dev.statectl.lock.LockTerms;
import dev.statectl.port.Backend;
import dev.statectl.port.StateFailure;
import dev.statectl.port.StateStore;
import dev.statectl.state.State;
import dev.statectl.state.StateId;
import dev.statectl.state.StateVersion;
import dev.statectl.usecase.AcquireLock;
import dev.statectl.usecase.LockMeans;
import dev.statectl.usecase.StateSession;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Sessions that 8 threads save in, while the server is killed or the network does what networks do.
 * {@code -Dstatectl.faults.seed} repeats what was random, {@code -Dstatectl.faults.sessions} and
 * {@code -Dstatectl.faults.kills} make it long.
 */
@Tag("faults")
final class SessionFaultsTest {
  private static final long SEED =
      Long.getLong("statectl.faults.seed", new Random().nextLong(1_000_000));
  private static final int SESSIONS = Integer.getInteger("statectl.faults.sessions", 6);
  private static final int KILLS = Integer.getInteger("statectl.faults.kills", 2);
  private static final int THREADS = 8;
  private static final Duration PATIENCE = Duration.ofMillis(700);

  private final ScheduledExecutorService timer = Executors.newScheduledThreadPool(2);
  private final ExecutorService threads = Executors.newCachedThreadPool();
  private volatile boolean saving = true;

  @TempDir Path directory;

  /** What one thread saved, and what it was told. */
  private static final class Log {
    private final List<CompletableFuture<StateVersion>> stages = new ArrayList<>();
    private final List<Integer> accepted = new ArrayList<>();
    private final TreeMap<String, Integer> refusals = new TreeMap<>();

    synchronized void accept(int n, CompletableFuture<StateVersion> stage) {
      accepted.add(n);
      stages.add(stage);
    }

    synchronized void refuse(StateFailure failure) {
      refusals.merge(failure.kind().toString(), 1, Integer::sum);
    }

    synchronized int lastAccepted() {
      return accepted.isEmpty() ? 0 : accepted.get(accepted.size() - 1);
    }

    /** The last one that was told to be stored. */
    synchronized int lastStored() {
      for (int i = stages.size() - 1; i >= 0; i--) {
        if (isStored(stages.get(i))) {
          return accepted.get(i);
        }
      }
      return 0;
    }

    /** The versions of what was stored, in the order in which it was accepted. */
    synchronized List<StateVersion> versions() {
      return stages.stream().filter(Log::isStored).map(CompletableFuture::join).toList();
    }

    synchronized boolean allDone() {
      return stages.stream().allMatch(CompletableFuture::isDone);
    }

    private static boolean isStored(CompletableFuture<StateVersion> stage) {
      return stage.isDone() && !stage.isCompletedExceptionally();
    }
  }

  @AfterEach
  void stop() {
    saving = false;
    threads.shutdownNow();
    timer.shutdownNow();
  }

  @Test
  void throughABadNetworkTheLatestIsStoredOrCloseSaysThatItIsNot() throws Exception {
    System.out.println("sessions: seed " + SEED + ", " + SESSIONS + " sessions");
    TestClickHouse clickHouse = TestClickHouse.shared();
    String schema = clickHouse.freshSchema();
    try (FaultProxy proxy = FaultProxy.to(clickHouse.endpoint(), PATIENCE, SEED);
        ClickHouseBackend direct = TestStores.open(schema);
        ClickHouseBackend faulted =
            ClickHouseBackend.open(
                TestStores.settings(proxy.endpoint(), schema).within(PATIENCE, PATIENCE))) {
      direct.states().save(TestStores.state("tables", "{}"));
      for (int number = 1; number <= SESSIONS; number++) {
        Random random = new Random(SEED + number);
        StateId id = StateId.of("dev:session-" + number);
        StateSession session = open(faulted, id, Duration.ofMillis(random.nextInt(60)));
        saving = true;
        List<Log> logs = new ArrayList<>();
        List<Future<?>> running = saveFromManyThreads(session, id, logs, random.nextLong());
        for (int faults = 5 + random.nextInt(10); faults > 0; faults--) {
          Fault fault = Fault.values()[random.nextInt(Fault.values().length)];
          proxy.order(fault, random.nextInt(6), 1 + random.nextInt(8));
          pause(random.nextInt(300));
        }
        if (random.nextBoolean()) {
          proxy.relent();
        }
        if (random.nextBoolean()) {
          // Else saves and close meet.
          end(running);
        }
        StateFailure failure = closed(session);
        end(running);
        proxy.relent();
        check(direct.states(), id, logs, failure);
        System.out.printf("sessions: %s: %s, close: %s%n", id, summary(logs), failure);
      }
    }
  }

  @Test
  void whatWasToldToBeStoredIsThereAfterTheServerWasKilled() throws Exception {
    System.out.println("sessions: seed " + SEED + ", " + KILLS + " kills");
    Random random = new Random(SEED);
    StateId id = StateId.of("dev:session");
    try (LocalClickHouse engine = LocalClickHouse.start(directory);
        ClickHouseBackend backend =
            ClickHouseBackend.open(
                TestStores.settings(engine.endpoint(), "meltano")
                    .within(Duration.ofSeconds(5), Duration.ofSeconds(5)))) {
      StateSession session = open(backend, id, Duration.ofMillis(50));
      List<Log> logs = new ArrayList<>();
      List<Future<?>> running = saveFromManyThreads(session, id, logs, SEED);
      for (int kill = 0; kill < KILLS; kill++) {
        pause(700 + random.nextInt(1_000));
        engine.kill();
        int[] told = logs.stream().mapToInt(Log::lastStored).toArray();
        engine.restart();
        for (int thread = 0; thread < THREADS; thread++) {
          assertThat(stored(backend.states(), id, thread))
              .as("of thread %d after kill %d", thread, kill)
              .isGreaterThanOrEqualTo(told[thread]);
        }
      }
      pause(1_500);
      end(running);
      StateFailure failure = closed(session);
      check(backend.states(), id, logs, failure);
      System.out.printf("sessions: %s: %s, close: %s%n", id, summary(logs), failure);
      assertThat(failure).isNull();
      assertThat(logs).allSatisfy(log -> assertThat(log.lastStored()).isPositive());
    }
  }

  private StateSession open(Backend backend, StateId id, Duration interval) {
    LockMeans means =
        LockMeans.of(
            Clock.systemUTC(),
            new Random(SEED),
            System::nanoTime,
            duration -> Thread.sleep(duration.toMillis()),
            timer);
    AcquireLock locks = new AcquireLock(backend.locks(), LockTerms.DEFAULT, means, "the test");
    return StateSession.open(id, backend.states(), locks, interval, means);
  }

  private List<Future<?>> saveFromManyThreads(
      StateSession session, StateId id, List<Log> logs, long seed) {
    List<Future<?>> running = new ArrayList<>();
    for (int thread = 0; thread < THREADS; thread++) {
      int number = thread;
      Random random = new Random(seed + thread);
      Log log = new Log();
      logs.add(log);
      running.add(threads.submit(() -> save(session, id, number, log, random)));
    }
    return running;
  }

  private void save(StateSession session, StateId id, int thread, Log log, Random random) {
    for (int n = 1; saving; n++) {
      JsonObject partial = JsonObject.parse("{\"" + thread + "\":" + n + "}");
      try {
        log.accept(n, session.save(State.of(id, JsonObject.EMPTY, partial)));
        if (random.nextInt(50) == 0) {
          session.flush();
        }
      } catch (StateFailure e) {
        log.refuse(e);
      } catch (IllegalStateException e) {
        assertThat(e).hasMessage("the session of '" + id + "' was closed");
        return;
      }
      pause(random.nextInt(8));
    }
  }

  private void end(List<Future<?>> running) throws Exception {
    saving = false;
    for (Future<?> future : running) {
      future.get();
    }
  }

  private static @Nullable StateFailure closed(StateSession session) {
    try {
      session.close();
      return null;
    } catch (StateFailure e) {
      return e;
    }
  }

  private static void check(
      StateStore store, StateId id, List<Log> logs, @Nullable StateFailure failure) {
    for (int thread = 0; thread < THREADS; thread++) {
      Log log = logs.get(thread);
      int stored = stored(store, id, thread);
      assertThat(log.allDone()).as("whether all were told, after %s", failure).isTrue();
      assertThat(log.versions()).isSorted();
      assertThat(stored)
          .as("of thread %d, after %s", thread, failure)
          .isBetween(log.lastStored(), log.lastAccepted());
      if (failure == null || failure.getMessage().startsWith("all checkpoints ")) {
        assertThat(log.lastStored()).isEqualTo(log.lastAccepted());
      }
    }
  }

  private static String summary(List<Log> logs) {
    TreeMap<String, Integer> refusals = new TreeMap<>();
    logs.forEach(log -> log.refusals.forEach((kind, n) -> refusals.merge(kind, n, Integer::sum)));
    return logs.stream().mapToInt(log -> log.accepted.size()).sum()
        + " accepted, in "
        + logs.stream().flatMap(log -> log.versions().stream()).distinct().count()
        + " versions, refused "
        + refusals;
  }

  private static int stored(StateStore store, StateId id, int thread) {
    return store
        .find(id)
        .flatMap(state -> state.partial().find(JsonPointer.parse("/" + thread)))
        .map(member -> Integer.parseInt(member.valueText()))
        .orElse(0);
  }

  private static void pause(int millis) {
    LockSupport.parkNanos(Duration.ofMillis(millis).toNanos());
  }
}
