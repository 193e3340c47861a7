package dev.statectl.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.statectl.lock.LockCandidate;
import dev.statectl.lock.LockId;
import dev.statectl.state.StateId;
import dev.statectl.state.StateIdGlob;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Phaser;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/**
 * To whom a table with an arbiter gives the claim. Of a table without one these rules ask only that
 * it refuses nobody.
 */
abstract class ClaimContract extends LockTopic {
  private static final int THREADS = 4;
  private static final int ROUNDS = 20;
  private static final int MANY = 300;

  ClaimContract(LockTableContract contract) {
    super(contract);
  }

  @Test
  @DisplayName("L-65 The claim to a free lock is given, and claimant tells whose it is.")
  final void claimToAFreeLockIsGiven() {
    if (!hasArbiter()) {
      return;
    }
    assertNotClaimed(LOCK);
    String holder = "it's {fn now()} \\ ? :x <y>\t\u00e9\ud83d\ude00";

    assertThat(locks().claim(id(LOCK), ours(1), holder, STALE_TIME)).as("the claim").isTrue();
    LockCandidate claim = assertClaimed(LOCK, ours(1));
    assertThat(claim.id()).as("the lock of the claim").isEqualTo(id(LOCK));
    assertThat(Texts.printable(claim.holder()))
        .as("the holder of the claim")
        .isEqualTo(Texts.printable(holder));
    assertAge(claim, 0);
    assertNotClaimed("dev:other");
  }

  @Test
  @DisplayName("L-66 A claim is refused while another's is fresh, which stays as it is.")
  final void claimBesideAFreshOneIsRefused() {
    if (!hasArbiter()) {
      return;
    }
    plantClaim(LOCK, ours(2), "bob", 20);

    for (LockId other : List.of(ours(1), ours(3))) {
      assertThat(claim(LOCK, other)).as("the claim of %s", other).isFalse();
      LockCandidate claim = assertClaimed(LOCK, ours(2));
      assertThat(claim.holder()).as("the holder of the claim").isEqualTo("bob");
      assertAge(claim, 20);
    }
    assertThat(claim("dev:other", ours(1))).as("the claim to another lock").isTrue();
  }

  @Test
  @DisplayName("L-67 A claim that one has already is given again.")
  final void claimIsGivenAgain() {
    if (!hasArbiter()) {
      return;
    }
    claim(LOCK, ours(1));

    assertThat(claim(LOCK, ours(1))).as("the claim at the second call").isTrue();
    assertClaimed(LOCK, ours(1));
  }

  @Test
  @DisplayName("L-68 A stale claim is taken over by the next candidate.")
  final void staleClaimIsTakenOver() {
    if (!hasArbiter()) {
      return;
    }
    plantClaim(LOCK, ours(1), "alice", STALE + 1);

    assertThat(claim(LOCK, ours(2))).as("the claim").isTrue();
    LockCandidate claim = assertClaimed(LOCK, ours(2));
    assertThat(claim.holder()).as("the holder of the claim").isEqualTo("the kit");
    assertAge(claim, 0);
    assertThat(claim(LOCK, ours(3))).as("the claim of a third candidate").isFalse();
  }

  @Test
  @DisplayName("L-69 A claim of exactly the stale age, or of a time to come, is not taken over.")
  final void claimOfTheStaleAgeIsNotTakenOver() {
    if (!hasArbiter()) {
      return;
    }
    atExactlyTheStaleAge(
        lock -> {
          plantClaim(lock.text(), ours(1), "alice", STALE);
          assertThat(claim(lock.text(), ours(2))).as("the claim").isFalse();
        });
    plantClaim(LOCK, ours(1), "alice", -1000);
    assertThat(claim(LOCK, ours(2))).as("the claim beside one of a time to come").isFalse();
  }

  @Test
  @DisplayName("L-70 A claim is no row: neither look nor forEach shows it.")
  final void claimIsNoRow() {
    if (!hasArbiter()) {
      return;
    }
    claim(LOCK, ours(1));

    assertSeen(LOCK);
    assertThat(all(StateIdGlob.ALL)).as("all rows").isEmpty();
    announce(LOCK, ours(2));
    assertSeen(LOCK, ours(2));
    assertClaimed(LOCK, ours(1));
  }

  @Test
  @DisplayName("L-71 claimAll gives exactly the claims that claim would give.")
  final void claimAllGivesWhatIsFreeOrStale() {
    if (!hasArbiter()) {
      return;
    }
    plantClaim("dev:fresh", ours(2), "bob", 20);
    plantClaim("dev:stale", ours(2), "bob", EXPIRED);
    plantClaim("it's", ours(1), "alice", 20);
    claim("dev:left", ours(2));
    withdraw("dev:left", ours(2));
    Set<StateId> given = ids("dev:fresh", "dev:stale", "it's", "dev:left", "dev:new");
    Set<StateId> expected = ids("dev:stale", "it's", "dev:left", "dev:new");

    assertThat(locks().claimAll(given, ours(1), "the kit", STALE_TIME))
        .as("the locks that were claimed")
        .isEqualTo(expected);
    expected.forEach(lock -> assertClaimed(lock.text(), ours(1)));
    assertClaimed("dev:fresh", ours(2));
    assertNotClaimed(LOCK);
    assertThat(locks().claimAll(Set.of(), ours(1), "the kit", STALE_TIME))
        .as("the locks of none")
        .isEmpty();
  }

  @Test
  @DisplayName("L-72 Hundreds of locks are claimed and withdrawn together.")
  final void manyAreClaimedTogether() {
    if (!hasArbiter()) {
      return;
    }
    Set<StateId> many =
        IntStream.range(0, MANY).mapToObj(n -> id("dev:" + n)).collect(Collectors.toSet());
    plantClaim("dev:7", ours(2), "bob", 0);
    Set<StateId> free = new HashSet<>(many);
    free.remove(id("dev:7"));

    assertThat(locks().claimAll(many, ours(1), "the kit", STALE_TIME))
        .as("the locks that were claimed")
        .hasSameElementsAs(free);
    locks().withdrawAll(free, ours(1));
    assertThat(locks().claimAll(many, ours(3), "the kit", STALE_TIME))
        .as("the locks that were claimed by the next")
        .hasSameElementsAs(free);
    assertClaimed("dev:7", ours(2));
  }

  @Test
  @DisplayName("L-73 The claim to a lock of any id is one by itself, and withdrawn by itself.")
  final void claimsOfAnyIdsStayApart() {
    if (!hasArbiter()) {
      return;
    }
    List<String> names =
        LockNamesContract.oddIds().map(org.junit.jupiter.api.Named::getPayload).toList();
    for (String lock : names) {
      assertThat(claim(lock, ours(1))).as("the claim to %s", Texts.printable(lock)).isTrue();
    }
    for (String lock : names) {
      assertSameIds(
          "the lock of the claim", List.of(assertClaimed(lock, ours(1)).id().text()), lock);
      withdraw(lock, ours(1));
      assertNotClaimed(lock);
    }
  }

  @Test
  @DisplayName("L-74 Of candidates that claim a lock at once, exactly one is given the claim.")
  final void exactlyOneIsGivenTheClaim() throws InterruptedException {
    if (!hasArbiter()) {
      return;
    }
    Random seeded = seeded();
    // Free, free again, or stale: each is another way to a claim.
    for (int round = 1; round <= ROUNDS; round++) {
      String lock = "dev:round-" + round;
      int kind = seeded.nextInt(3);
      if (kind == 1) {
        claim(lock, ours(9));
        withdraw(lock, ours(9));
      } else if (kind == 2) {
        plantClaim(lock, ours(9), "alice", EXPIRED);
      }
    }
    Map<String, AtomicInteger> given = new ConcurrentHashMap<>();
    Phaser rounds = new Phaser(THREADS);
    try (Threads threads = new Threads()) {
      for (int thread = 1; thread <= THREADS; thread++) {
        LockId mine = ours(thread);
        threads.add(
            () -> {
              try {
                for (int round = 1; round <= ROUNDS; round++) {
                  String lock = "dev:round-" + round;
                  AtomicInteger count = given.computeIfAbsent(lock, l -> new AtomicInteger());
                  rounds.arriveAndAwaitAdvance();
                  if (claim(lock, mine)) {
                    count.incrementAndGet();
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

    assertThat(given.values().stream().filter(count -> count.get() != 1).count())
        .as("in how many of %d rounds not exactly one was given the claim", ROUNDS)
        .isZero();
  }

  private static Set<StateId> ids(String... names) {
    return Set.of(names).stream().map(LockTopic::id).collect(Collectors.toSet());
  }
}
