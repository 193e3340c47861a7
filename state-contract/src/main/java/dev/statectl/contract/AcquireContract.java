package dev.statectl.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.statectl.lock.Fence;
import dev.statectl.lock.LockCandidate;
import dev.statectl.lock.LockId;
import dev.statectl.lock.LockMode;
import dev.statectl.lock.LockTerms;
import dev.statectl.port.StateFailure;
import dev.statectl.state.StateIdGlob;
import dev.statectl.usecase.AcquireLock;
import dev.statectl.usecase.LockMeans;
import dev.statectl.usecase.StateLock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Phaser;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** That locks hold which {@link AcquireLock} takes over the table. */
abstract class AcquireContract extends LockTopic {
  private static final int THREADS = 8;
  private static final int INCREMENTS = 5;
  private static final int LOOKERS = 4;
  private static final int ROUNDS = 25;

  private static final LockTerms TERMS =
      new LockTerms(
          LockMode.IMMEDIATE,
          STALE_TIME,
          Duration.ofSeconds(1),
          Duration.ofSeconds(100),
          Duration.ofMillis(20));

  private final Random random = new Random();

  AcquireContract(LockTableContract contract) {
    super(contract);
  }

  @Test
  @DisplayName("L-46 A free lock is taken at once, and no row is left when it is closed.")
  final void freeLockIsTaken() {
    StateLock lock = acquire("alice").acquire(id(LOCK));
    LockCandidate row = only(LOCK);
    assertThat(row.lockId()).as("the candidate in the table").isEqualTo(lock.lockId());
    assertThat(row.holder()).as("the holder in the table").isEqualTo("alice");
    StateLock other = acquire("alice").acquire(id("dev:other"));
    other.close();

    assertSeen("dev:other");
    assertSeen(LOCK, lock.lockId());
    lock.close();
    assertThat(all(StateIdGlob.ALL)).as("the rows after the locks were closed").isEmpty();
  }

  @Test
  @DisplayName("L-47 A held lock is refused to others, naming its holder, and they leave no row.")
  final void heldLockIsRefused() {
    StateLock held = acquire("alice@host pid 7").acquire(id(LOCK));

    StateFailure.LockHeld refusal = refused(acquire("bob"));
    assertThat(refusal.id()).as("the lock in the refusal").isEqualTo(id(LOCK));
    assertThat(refusal.candidate().map(LockCandidate::lockId))
        .as("the candidate in the refusal")
        .hasValue(held.lockId());
    assertThat(refusal).as("the refusal").hasMessageContaining("alice@host pid 7");
    assertSeen(LOCK, held.lockId());
  }

  @Test
  @DisplayName("L-48 A lock is taken by the next one after its holder released it.")
  final void releasedLockIsTaken() {
    for (String holder : List.of("alice", "bob", "carol")) {
      StateLock lock = acquire(holder).acquire(id(LOCK), Duration.ZERO, held -> {});
      assertThat(only(LOCK).holder()).as("the holder in the table").isEqualTo(holder);
      lock.close();
    }
    assertSeen(LOCK);
  }

  @Test
  @DisplayName("L-49 A lock that the Python plugin holds is refused, although our id is smaller.")
  final void lockOfThePluginIsRefused() {
    plant(LOCK, PLUGIN, "", 10);

    StateFailure.LockHeld refusal = refused(acquire("alice"));
    assertThat(refusal.candidate().map(LockCandidate::lockId))
        .as("the candidate in the refusal")
        .hasValue(PLUGIN);
    assertSeen(LOCK, PLUGIN);
    withdraw(LOCK, PLUGIN);
    acquire("alice").acquire(id(LOCK), Duration.ZERO, held -> {}).close();
    assertSeen(LOCK);
  }

  @Test
  @DisplayName("L-50 Stale rows hinder nobody; those of the lock are removed, and no others.")
  final void staleRowsHinderNobody() {
    plant(LOCK, PLUGIN, "", EXPIRED);
    plant(LOCK, ours(1), "bob", STALE + 1);
    plant("dev:other", PLUGIN, "", EXPIRED);

    StateLock lock = acquire("alice").acquire(id(LOCK), Duration.ZERO, held -> {});
    assertSeen(LOCK, lock.lockId());
    assertSeen("dev:other", PLUGIN);
    lock.close();
    assertSeen(LOCK);
  }

  @Test
  @DisplayName("L-51 A holder whose row another removed is told, and does its successor no harm.")
  final void brokenLockIsLost() {
    StateLock broken = acquire("alice").acquire(id(LOCK));
    Fence fence = broken.fence();
    store().save(state(LOCK, "{\"by\":\"alice\"}"), fence);
    withdraw(LOCK, broken.lockId());
    StateLock successor = acquire("bob").acquire(id(LOCK), Duration.ZERO, held -> {});
    store().save(state(LOCK, "{\"by\":\"bob\"}"), successor.fence());

    failure(
        StateFailure.LockLost.class,
        "a write by the former holder",
        () -> store().save(state(LOCK, "{\"by\":\"alice again\"}"), fence));
    failure(StateFailure.LockLost.class, "close of a lock that was broken", broken::close);
    assertSeen(LOCK, successor.lockId());
    assertFound(state(LOCK, "{\"by\":\"bob\"}"));
    successor.close();
    assertSeen(LOCK);
  }

  @Test
  @DisplayName("L-52 Of candidates that announce and then look, at most one sees itself alone.")
  final void atMostOneIsAlone() throws InterruptedException {
    Map<String, AtomicInteger> alone = new ConcurrentHashMap<>();
    AtomicInteger blind = new AtomicInteger();
    Phaser rounds = new Phaser(LOOKERS);
    try (Threads threads = new Threads()) {
      for (int looker = 1; looker <= LOOKERS; looker++) {
        LockId mine = ours(looker);
        threads.add(
            () -> {
              try {
                for (int round = 1; round <= ROUNDS; round++) {
                  rounds.arriveAndAwaitAdvance();
                  String lock = "dev:round-" + round;
                  announce(lock, mine);
                  List<LockId> seen = look(lock).stream().map(LockCandidate::lockId).toList();
                  if (!seen.contains(mine)) {
                    blind.incrementAndGet();
                  }
                  if (seen.size() == 1) {
                    alone.computeIfAbsent(lock, l -> new AtomicInteger()).incrementAndGet();
                  }
                }
              } finally {
                rounds.arriveAndDeregister();
              }
            });
      }
      threads.start();
      threads.join();
    }

    assertThat(blind).as("how often a candidate did not see itself").hasValue(0);
    assertThat(alone.values().stream().filter(count -> count.get() > 1).count())
        .as("in how many of %d rounds several candidates saw themselves alone", ROUNDS)
        .isZero();
    for (int round = 1; round <= ROUNDS; round++) {
      assertSeen("dev:round-" + round, ours(1), ours(2), ours(3), ours(4));
    }
  }

  @Test
  @DisplayName(
      "L-53 A counter that 8 threads increase under one lock is exact, and no row is left.")
  final void counterIsExact() throws InterruptedException {
    Random seeded = seeded();
    AtomicInteger counter = new AtomicInteger();
    AtomicInteger inside = new AtomicInteger();
    AtomicInteger overlaps = new AtomicInteger();
    AtomicInteger waits = new AtomicInteger();
    try (Threads threads = new Threads()) {
      for (int thread = 1; thread <= THREADS; thread++) {
        AcquireLock acquire =
            new AcquireLock(locks(), TERMS, means(new Random(seeded.nextLong())), "no " + thread);
        long nanos = seeded.nextInt(1_500_000);
        threads.add(
            () -> {
              for (int n = 0; n < INCREMENTS; n++) {
                increase(
                    acquire,
                    waits,
                    overlaps,
                    () -> {
                      overlaps.addAndGet(inside.getAndIncrement());
                      int read = counter.get();
                      pause(Duration.ofNanos(nanos));
                      counter.set(read + 1);
                      inside.decrementAndGet();
                    });
              }
            });
      }
      threads.start();
      threads.join();
    }

    System.out.printf(
        "L-53: %d threads, %d increments each: counter %d, overlaps %d, pauses %d%n",
        THREADS, INCREMENTS, counter.get(), overlaps.get(), waits.get());
    assertThat(overlaps).as("how often two held the lock at once, or one lost it").hasValue(0);
    assertThat(counter).as("the counter").hasValue(THREADS * INCREMENTS);
    assertThat(all(StateIdGlob.ALL)).as("the rows that are left").isEmpty();
  }

  @Test
  @DisplayName("L-54 Of the rows that many threads announce for different locks none is lost.")
  final void announcesOfDifferentLocksAreKept() throws InterruptedException {
    List<String> expected = new ArrayList<>();
    try (Threads threads = new Threads()) {
      for (int thread = 1; thread <= THREADS; thread++) {
        List<String> own = new ArrayList<>();
        for (int n = 10; n < 20; n++) {
          own.add("dev:" + thread + "-" + n);
        }
        expected.addAll(own);
        threads.add(
            () ->
                own.forEach(
                    lock -> {
                      announce(lock, ours(1));
                      announce(lock, ours(2));
                      assertThat(renew(lock, ours(1))).as("renew of %s", lock).isTrue();
                      assertThat(withdraw(lock, ours(2))).as("withdraw of %s", lock).isTrue();
                      assertSeen(lock, ours(1));
                    }));
      }
      threads.start();
      threads.join();
    }

    assertThat(all(StateIdGlob.ALL).stream().map(row -> row.id().text()).toList())
        .as("the locks of the rows that are left")
        .isEqualTo(expected);
  }

  private static void increase(
      AcquireLock acquire, AtomicInteger waits, AtomicInteger lost, Runnable work) {
    StateLock held = acquire.acquire(id(LOCK), TERMS.timeout(), h -> waits.incrementAndGet());
    work.run();
    try {
      held.close();
    } catch (StateFailure.LockLost e) {
      lost.incrementAndGet();
    }
  }

  private AcquireLock acquire(String holder) {
    return new AcquireLock(locks(), TERMS, means(random), holder);
  }

  // No lock of the kit is held for long, so none is renewed.
  private static LockMeans means(Random random) {
    return new LockMeans(
        () -> LockId.of(Instant.now(), random.nextInt()),
        System::nanoTime,
        duration -> TimeUnit.NANOSECONDS.sleep(duration.toNanos()),
        random::nextDouble,
        (delay, task) -> () -> {});
  }

  private static void pause(Duration duration) {
    try {
      TimeUnit.NANOSECONDS.sleep(duration.toNanos());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static StateFailure.LockHeld refused(AcquireLock acquire) {
    return failure(
        StateFailure.LockHeld.class,
        "taking a lock that is held",
        () -> acquire.acquire(id(LOCK), Duration.ZERO, held -> {}));
  }
}
