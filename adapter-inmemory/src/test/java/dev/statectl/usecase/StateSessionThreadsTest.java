package dev.statectl.usecase;

import static org.assertj.core.api.Assertions.assertThat;

import dev.statectl.inmemory.InMemoryBackend;
import dev.statectl.json.JsonObject;
import dev.statectl.json.JsonPointer;
import dev.statectl.lock.LockTerms;
import dev.statectl.port.StateFailure;
import dev.statectl.state.State;
import dev.statectl.state.StateId;
import dev.statectl.state.StateVersion;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;

/** Sessions that many threads use at once, with a real timer. */
class StateSessionThreadsTest {
  private static final StateId ID = StateId.of("dev:tap-to-target");
  private static final long SEED =
      Long.getLong("statectl.session.seed", new Random().nextLong(1_000_000));
  private static final int THREADS = 8;
  private static final int SAVES = 200;

  private final InMemoryBackend backend = InMemoryBackend.create(Clock.systemUTC());
  private final FaultyStateStore store =
      new FaultyStateStore(backend.states(), Clock.systemUTC()::instant);
  private final ScheduledExecutorService timer = Executors.newScheduledThreadPool(2);
  private final ExecutorService threads = Executors.newCachedThreadPool();

  /** What a checkpoint of a thread said, and whether it was stored. */
  private record Accepted(int thread, int n, CompletableFuture<StateVersion> stage) {}

  @AfterEach
  void stop() {
    threads.shutdownNow();
    timer.shutdownNow();
    backend.close();
  }

  @Test
  void ofManyThreadsNothingThatWasAcceptedIsLostThoughWritesFail() throws Exception {
    System.out.println("session: seed " + SEED);
    StateSession session = open(Duration.ofMillis(1));
    Queue<Accepted> accepted = new ConcurrentLinkedQueue<>();
    AtomicInteger refused = new AtomicInteger();
    AtomicInteger failedFlushes = new AtomicInteger();
    List<Future<?>> running = new ArrayList<>();
    for (int thread = 0; thread < THREADS; thread++) {
      int number = thread;
      Random random = new Random(SEED + thread);
      running.add(
          threads.submit(
              () -> {
                for (int n = 1; n <= SAVES; n++) {
                  disturb(random);
                  try {
                    accepted.add(save(session, number, n));
                  } catch (StateFailure e) {
                    refused.incrementAndGet();
                  }
                  if (random.nextInt(10) == 0) {
                    failedFlushes.addAndGet(flushed(session, number, accepted) ? 0 : 1);
                  }
                }
              }));
    }
    for (Future<?> thread : running) {
      thread.get(60, TimeUnit.SECONDS);
    }
    store.relent();
    session.close();

    System.out.printf(
        "session: %d accepted, %d refused, %d flushes failed, %d writes tried%n",
        accepted.size(), refused.get(), failedFlushes.get(), store.tried().size());
    assertThat(store.overlapped()).isFalse();
    assertThat(accepted)
        .allSatisfy(checkpoint -> assertThat(checkpoint.stage()).isCompleted())
        .hasSizeGreaterThan(THREADS);
    for (int thread = 0; thread < THREADS; thread++) {
      assertThat(stored(thread)).as("of thread %d", thread).isEqualTo(last(accepted, thread));
    }
    assertThat(backend.locks().look(ID)).isEmpty();
  }

  @RepeatedTest(50)
  void aSaveBesideCloseIsStoredOrRefused() throws Exception {
    StateSession session = open(Duration.ofMillis(1));
    Queue<Accepted> accepted = new ConcurrentLinkedQueue<>();
    CountDownLatch begun = new CountDownLatch(THREADS);
    AtomicInteger refused = new AtomicInteger();
    List<Future<?>> running = new ArrayList<>();
    for (int thread = 0; thread < THREADS; thread++) {
      int number = thread;
      running.add(
          threads.submit(
              () -> {
                try {
                  for (int n = 1; n <= 10_000_000; n++) {
                    accepted.add(save(session, number, n));
                    if (n == 1) {
                      begun.countDown();
                    }
                  }
                } catch (IllegalStateException e) {
                  assertThat(e).hasMessage("the session of 'dev:tap-to-target' was closed");
                  refused.incrementAndGet();
                }
              }));
    }
    assertThat(begun.await(10, TimeUnit.SECONDS)).isTrue();
    running.add(threads.submit(session::close));
    session.close();
    for (Future<?> thread : running) {
      thread.get(10, TimeUnit.SECONDS);
    }

    assertThat(refused).hasValue(THREADS);
    assertThat(accepted).allSatisfy(checkpoint -> assertThat(checkpoint.stage()).isCompleted());
    for (int thread = 0; thread < THREADS; thread++) {
      assertThat(stored(thread)).as("of thread %d", thread).isEqualTo(last(accepted, thread));
    }
    assertThat(store.overlapped()).isFalse();
    assertThat(backend.locks().look(ID)).isEmpty();
  }

  private void disturb(Random random) {
    switch (random.nextInt(60)) {
      case 0 -> store.loseNextRequest(new StateFailure.Unavailable("down", null));
      case 1 -> store.loseNextAnswer(new StateFailure.OutcomeUnknown("lost", null));
      case 2 -> store.disturbNext(Thread::yield, Thread::yield);
      default -> {
        // The line is good.
      }
    }
  }

  /** Checks at once that what was accepted is stored, if the flush says so. */
  private boolean flushed(StateSession session, int thread, Queue<Accepted> accepted) {
    int last = last(accepted, thread);
    StateVersion version;
    try {
      version = session.flush();
    } catch (StateFailure e) {
      return false;
    }
    State found = backend.states().find(ID).orElseThrow();
    assertThat(found.version()).isGreaterThanOrEqualTo(version);
    assertThat(stored(thread)).isGreaterThanOrEqualTo(last);
    return true;
  }

  private static Accepted save(StateSession session, int thread, int n) {
    JsonObject partial = JsonObject.parse("{\"" + thread + "\":" + n + "}");
    return new Accepted(thread, n, session.save(State.of(ID, JsonObject.EMPTY, partial)));
  }

  private static int last(Queue<Accepted> accepted, int thread) {
    return accepted.stream()
        .filter(checkpoint -> checkpoint.thread() == thread)
        .mapToInt(Accepted::n)
        .max()
        .orElse(0);
  }

  private int stored(int thread) {
    return backend
        .states()
        .find(ID)
        .flatMap(state -> state.partial().find(JsonPointer.parse("/" + thread)))
        .map(member -> Integer.parseInt(member.valueText()))
        .orElse(0);
  }

  private StateSession open(Duration interval) {
    LockMeans means =
        LockMeans.of(
            Clock.systemUTC(),
            new Random(SEED),
            System::nanoTime,
            duration -> Thread.sleep(duration.toMillis()),
            timer);
    AcquireLock locks = new AcquireLock(backend.locks(), LockTerms.DEFAULT, means, "the test");
    return StateSession.open(ID, store, locks, interval, means);
  }
}
