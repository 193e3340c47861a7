package dev.statectl.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.statectl.lock.Fence;
import dev.statectl.lock.LockCandidate;
import dev.statectl.lock.LockMode;
import dev.statectl.lock.LockTerms;
import dev.statectl.port.StateFailure;
import dev.statectl.state.State;
import dev.statectl.state.StateIdGlob;
import dev.statectl.usecase.AcquireLock;
import dev.statectl.usecase.LockMeans;
import dev.statectl.usecase.StateLock;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/**
 * That a candidate which claimed a lock holds it only while row and claim are both there and fresh.
 * Of a table without an arbiter these rules ask nothing.
 */
abstract class HoldByClaimContract extends LockTopic {
  private static final LockTerms TERMS =
      new LockTerms(
          LockMode.IMMEDIATE,
          STALE_TIME,
          Duration.ofSeconds(1),
          Duration.ofSeconds(100),
          Duration.ofMillis(20));

  HoldByClaimContract(LockTableContract contract) {
    super(contract);
  }

  @Test
  @DisplayName("L-75 renew gives row and claim of a candidate the store's time.")
  final void renewRenewsTheClaim() {
    if (!hasArbiter()) {
      return;
    }
    claimAndAnnounce(LOCK);
    plantClaim(LOCK, ours(1), "alice", 40);

    assertThat(renew(LOCK, ours(1))).as("renew").isTrue();
    LockCandidate claim = assertClaimed(LOCK, ours(1));
    assertAge(claim, 0);
    assertThat(claim.holder()).as("the holder of the renewed claim").isEqualTo("alice");
    assertSeen(LOCK, ours(1));
  }

  @Test
  @DisplayName("L-76 renew gives false where the claim is stale or another's, and leaves it so.")
  final void renewWithoutTheClaimFails() {
    if (!hasArbiter()) {
      return;
    }
    claimAndAnnounce(LOCK);
    plantClaim(LOCK, ours(1), "alice", EXPIRED);
    assertThat(renew(LOCK, ours(1))).as("renew beside a stale claim").isFalse();
    assertAge(assertClaimed(LOCK, ours(1)), EXPIRED);

    plantClaim(LOCK, ours(2), "bob", 20);
    assertThat(renew(LOCK, ours(1))).as("renew beside another's claim").isFalse();
    assertAge(assertClaimed(LOCK, ours(2)), 20);
  }

  @Test
  @DisplayName("L-77 renewAll renews exactly what renew would.")
  final void renewAllRenewsWhatIsClaimed() {
    if (!hasArbiter()) {
      return;
    }
    for (String lock : new String[] {LOCK, "it's", "dev:stale", "dev:lost", "dev:other"}) {
      claimAndAnnounce(lock);
      plantClaim(lock, ours(1), "alice", 40);
    }
    plantClaim("dev:stale", ours(1), "alice", EXPIRED);
    plantClaim("dev:lost", ours(2), "bob", 20);

    assertThat(
            locks()
                .renewAll(
                    Set.of(id(LOCK), id("it's"), id("dev:stale"), id("dev:lost")),
                    ours(1),
                    STALE_TIME))
        .as("the locks that were renewed")
        .containsExactlyInAnyOrder(id(LOCK), id("it's"));
    assertAge(assertClaimed(LOCK, ours(1)), 0);
    assertAge(assertClaimed("it's", ours(1)), 0);
    assertAge(assertClaimed("dev:stale", ours(1)), EXPIRED);
    assertAge(assertClaimed("dev:lost", ours(2)), 20);
    assertAge(assertClaimed("dev:other", ours(1)), 40);
  }

  @Test
  @DisplayName("L-78 A write under a lock whose claim is stale fails and changes nothing.")
  final void writeBesideAStaleClaimFails() {
    if (!hasArbiter()) {
      return;
    }
    claimAndAnnounce(LOCK);
    checkStored();
    plantClaim(LOCK, ours(1), "alice", STALE + 1);

    checkRefused();
  }

  @Test
  @DisplayName("L-79 A write under a lock whose claim is another's fails and changes nothing.")
  final void writeBesideAnothersClaimFails() {
    if (!hasArbiter()) {
      return;
    }
    claimAndAnnounce(LOCK);
    checkStored();
    plantClaim(LOCK, ours(2), "bob", 0);

    checkRefused();
    assertSeen(LOCK, ours(1));
  }

  @Test
  @DisplayName("L-80 withdraw removes the claim of exactly its candidate, with a row or without.")
  final void withdrawRemovesTheClaim() {
    if (!hasArbiter()) {
      return;
    }
    claimAndAnnounce(LOCK);
    claim("dev:other", ours(1));
    assertThat(withdraw(LOCK, ours(2))).as("withdraw of another candidate").isFalse();
    assertClaimed(LOCK, ours(1));

    assertThat(withdraw(LOCK, ours(1))).as("withdraw").isTrue();
    assertNotClaimed(LOCK);
    assertSeen(LOCK);
    assertClaimed("dev:other", ours(1));
    assertThat(withdraw("dev:other", ours(1))).as("withdraw of a claim without a row").isFalse();
    assertNotClaimed("dev:other");
    plantClaim(LOCK, ours(2), "bob", EXPIRED);
    withdraw(LOCK, ours(2));
    assertNotClaimed(LOCK);
  }

  @Test
  @DisplayName("L-81 withdrawAll removes the claims of exactly its candidate in its locks.")
  final void withdrawAllRemovesClaims() {
    if (!hasArbiter()) {
      return;
    }
    claimAndAnnounce(LOCK);
    claimAndAnnounce("it's");
    claimAndAnnounce("dev:other");
    plantClaim("dev:lost", ours(2), "bob", 20);
    claim("dev:claimed", ours(1));

    assertThat(
            locks()
                .withdrawAll(
                    Set.of(id(LOCK), id("it's"), id("dev:lost"), id("dev:claimed")), ours(1)))
        .as("the locks whose rows were there")
        .containsExactlyInAnyOrder(id(LOCK), id("it's"));
    assertNotClaimed(LOCK);
    assertNotClaimed("it's");
    assertNotClaimed("dev:claimed");
    assertClaimed("dev:lost", ours(2));
    assertClaimed("dev:other", ours(1));
  }

  @Test
  @DisplayName("L-82 Taking a lock that another claims is refused, naming it, and leaves no row.")
  final void claimedLockIsRefused() {
    if (!hasArbiter()) {
      return;
    }
    plantClaim(LOCK, ours(1), "alice@host pid 7", 10);

    StateFailure.LockHeld refusal =
        failure(
            StateFailure.LockHeld.class,
            "taking a lock that is claimed",
            () -> acquire().acquire(id(LOCK), Duration.ZERO, held -> {}));
    assertThat(refusal).as("the refusal").hasMessageContaining("alice@host pid 7");
    assertThat(all(StateIdGlob.ALL)).as("all rows").isEmpty();
    assertClaimed(LOCK, ours(1));
  }

  @Test
  @DisplayName("L-83 A lock is held with its claim, and neither is left when it is closed.")
  final void lockIsHeldWithItsClaim() {
    if (!hasArbiter()) {
      return;
    }
    plantClaim(LOCK, ours(9), "alice", EXPIRED);
    StateLock lock = acquire().acquire(id(LOCK), Duration.ZERO, held -> {});
    assertClaimed(LOCK, lock.lockId());
    assertSeen(LOCK, lock.lockId());
    store().save(state(LOCK, "{\"a\":1}"), lock.fence());
    plant("dev:held", PLUGIN, "", 0);
    failure(
        StateFailure.LockHeld.class,
        "taking a lock that is held",
        () -> acquire().acquire(id("dev:held"), Duration.ZERO, held -> {}));

    assertNotClaimed("dev:held");
    lock.close();
    assertNotClaimed(LOCK);
    assertSeen(LOCK);
  }

  private void claimAndAnnounce(String lock) {
    assertThat(claim(lock, ours(1))).as("the claim to %s", lock).isTrue();
    announce(lock, ours(1));
  }

  private static Fence fence() {
    return fence(LOCK, ours(1));
  }

  private void checkStored() {
    State state = state(LOCK, "{\"by\":\"the holder\"}");
    store().save(state, fence());
    assertFound(state);
  }

  private void checkRefused() {
    failure(
        StateFailure.LockLost.class,
        "save under a lock that is lost",
        () -> store().save(state(LOCK, "{\"by\":\"nobody\"}"), fence()));
    failure(
        StateFailure.LockLost.class,
        "delete under a lock that is lost",
        () -> store().delete(id(LOCK), fence()));
    assertHoldsExactly(state(LOCK, "{\"by\":\"the holder\"}"));
  }

  // No lock of these rules is held for long, so none is renewed.
  private AcquireLock acquire() {
    AtomicInteger made = new AtomicInteger(100);
    LockMeans means =
        new LockMeans(
            () -> ours(made.incrementAndGet()),
            System::nanoTime,
            duration -> Thread.sleep(duration.toMillis()),
            () -> 0.5,
            (delay, task) -> () -> {});
    return new AcquireLock(locks(), TERMS, means, "the kit");
  }
}
