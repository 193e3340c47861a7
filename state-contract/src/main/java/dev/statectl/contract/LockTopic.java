package dev.statectl.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import dev.statectl.lock.LockCandidate;
import dev.statectl.lock.LockId;
import dev.statectl.state.StateId;
import dev.statectl.state.StateIdGlob;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

/** What the rules of one topic of locks share: the table under test, and short words for rows. */
abstract class LockTopic extends BackendTopic {
  /** The id of most locks. */
  static final String LOCK = "dev:tap-to-target";

  /** The stale time that most tests use. */
  static final Duration STALE_TIME = Duration.ofSeconds(STALE);

  /** Too old, for most tests. */
  static final long EXPIRED = STALE + 40;

  /** As the Python plugin names its candidates. */
  static final LockId PLUGIN = new LockId("0c9b6a52-6a4e-4d3e-9d5a-0f6f4c1f2b11");

  /** Another candidate of the plugin, which sorts after the first. */
  static final LockId PLUGIN_LATER = new LockId("f1b6a0d2-11aa-4b62-8c7e-5d0f2a9c4e33");

  // How long a test may take on a slow store before a row is taken for one of another time.
  private static final long PATIENCE_SECONDS = 30;

  private static final int MOST_TRIES = 100;
  private static final String CLOCK = "the store's clock";

  private final LockTableContract contract;
  private boolean clockIsSet;

  LockTopic(LockTableContract contract) {
    super(contract.opened);
    this.contract = contract;
  }

  final void plant(String id, LockId lockId, String holder, long ageSeconds) {
    assertThat(ageSeconds).isLessThanOrEqualTo(LockTableContract.OLDEST);
    contract.plantChecked(new RawLock(id, lockId.text(), holder, ageSeconds));
  }

  /** Stores a claim; false where the table has no arbiter. */
  final boolean plantClaim(String id, LockId lockId, String holder, long ageSeconds) {
    assertThat(ageSeconds).isLessThanOrEqualTo(LockTableContract.OLDEST);
    return contract.plantClaimChecked(new RawLock(id, lockId.text(), holder, ageSeconds));
  }

  final boolean claim(String id, LockId lockId) {
    return locks().claim(id(id), lockId, "the kit", STALE_TIME);
  }

  /**
   * Tells whether the table has an arbiter, in which case the rules of claims are to be tested. Of
   * one without it is checked that it refuses nobody, which is all that they ask of it.
   */
  final boolean hasArbiter() {
    String lock = "dev:arbiter";
    if (plantClaim(lock, ours(1), "", 0)) {
      return true;
    }
    assertThat(claim(lock, ours(1))).as("a claim where rows alone decide").isTrue();
    assertThat(claim(lock, ours(2))).as("another's claim where rows alone decide").isTrue();
    assertThat(locks().claimAll(Set.of(id(lock)), ours(3), "the kit", STALE_TIME))
        .as("the locks claimed where rows alone decide")
        .containsExactly(id(lock));
    assertThat(locks().claimant(id(lock)))
        .as("who has the claim where rows alone decide")
        .isEmpty();
    assertSeen(lock);
    return false;
  }

  /** Checks whose claim a lock is. */
  final LockCandidate assertClaimed(String id, LockId expected) {
    Optional<LockCandidate> claimant = locks().claimant(id(id));
    assertThat(claimant.map(LockCandidate::lockId))
        .as("who has the claim to the lock %s", Texts.printable(id))
        .contains(expected);
    return claimant.orElseThrow();
  }

  final void assertNotClaimed(String id) {
    assertThat(locks().claimant(id(id)))
        .as("who has the claim to the lock %s", Texts.printable(id))
        .isEmpty();
  }

  final void announce(String id, LockId lockId) {
    locks().announce(id(id), lockId, "the kit");
  }

  final List<LockCandidate> look(String id) {
    return locks().look(id(id));
  }

  final boolean renew(String id, LockId lockId) {
    return locks().renew(id(id), lockId, STALE_TIME);
  }

  final boolean withdraw(String id, LockId lockId) {
    return locks().withdraw(id(id), lockId);
  }

  /** Looks at a lock of which there must be one row. */
  final LockCandidate only(String id) {
    List<LockCandidate> seen = look(id);
    assertThat(seen).as("the rows of the lock %s", Texts.printable(id)).hasSize(1);
    return seen.get(0);
  }

  /** Checks whose rows a look gives, and in which order. */
  final void assertSeen(String id, LockId... expected) {
    assertThat(look(id))
        .as("the rows of the lock %s", Texts.printable(id))
        .extracting(LockCandidate::lockId)
        .containsExactly(expected);
  }

  final List<LockCandidate> all(StateIdGlob glob) {
    List<LockCandidate> met = new ArrayList<>();
    locks().forEach(glob, met::add);
    return met;
  }

  /** A row that a walk or a look gave, without its times. */
  static String named(LockCandidate row) {
    return Texts.printable(row.id().text()) + " " + row.lockId() + " of " + row.holder();
  }

  /** Checks how old a row is, which may have grown older while the test ran. */
  static void assertAge(LockCandidate row, long seconds) {
    assertThat(row.age().toSeconds())
        .as("the age in seconds of the row %s", named(row))
        .isBetween(seconds, seconds + PATIENCE_SECONDS);
  }

  /** Gives the store's time, in whole seconds, as a look tells it. */
  final Instant storeTime() {
    if (!clockIsSet) {
      plant(CLOCK, PLUGIN, "", 0);
      clockIsSet = true;
    }
    return only(CLOCK).seenAt();
  }

  /**
   * Checks what happens to a row that is exactly as old as a row may become. Where the store's
   * clock went on to the next second meanwhile, nothing is known, and it is done again with another
   * lock.
   */
  final void atExactlyTheStaleAge(Consumer<StateId> check) {
    storeTime();
    for (int tries = 1; tries <= MOST_TRIES; tries++) {
      StateId lock = id("dev:try-" + tries);
      plant(lock.text(), ours(1), "the kit", STALE);
      LockCandidate planted = only(lock.text());
      assertAge(planted, STALE);
      Throwable failure = null;
      try {
        check.accept(lock);
      } catch (RuntimeException | AssertionError e) {
        failure = e;
      }
      boolean inTime = planted.age().equals(STALE_TIME) && planted.seenAt().equals(storeTime());
      if (inTime && failure != null) {
        fail("a row of exactly the stale age is not stale: " + failure.getMessage(), failure);
      }
      if (inTime) {
        return;
      }
    }
    fail("in %d tries the store never did three things within one second", MOST_TRIES);
  }
}
