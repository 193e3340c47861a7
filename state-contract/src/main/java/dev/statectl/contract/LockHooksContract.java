package dev.statectl.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.statectl.lock.LockCandidate;
import dev.statectl.lock.LockId;
import dev.statectl.port.Backend;
import dev.statectl.state.StateIdGlob;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** What the adapter's author owes the kit of locks; when these fail, look at the hooks first. */
abstract class LockHooksContract extends LockTopic {
  LockHooksContract(LockTableContract contract) {
    super(contract);
  }

  @Test
  @DisplayName("H-04 openBackend() gives a backend in which no lock was announced.")
  final void openBackendGivesABackendWithoutLocks() {
    assertThat(all(StateIdGlob.ALL)).as("the rows in a backend that was just opened").isEmpty();
  }

  @Test
  @DisplayName("H-05 Two backends that openBackend() gives share no locks.")
  final void twoBackendsShareNoLocks() {
    Backend other = anotherBackend();
    announce(LOCK, ours(1));

    List<LockCandidate> met = new ArrayList<>();
    other.locks().forEach(StateIdGlob.ALL, met::add);
    assertThat(met).as("the rows in the backend in which nothing was announced").isEmpty();
  }

  @Test
  @DisplayName("H-06 A planted row is in the backend that was opened last, as old as it was given.")
  final void plantedRowIsAsOldAsItWasGiven() {
    plant(LOCK, ours(1), "alice", 0);
    plant(LOCK, ours(2), "bob", 40);
    plant(LOCK, ours(3), "carol", LockTableContract.OLDEST);
    plant(LOCK, ours(4), "dave", -1000);

    assertSeen(LOCK, ours(1), ours(2), ours(3), ours(4));
    List<LockCandidate> seen = look(LOCK);
    assertAge(seen.get(0), 0);
    assertAge(seen.get(1), 40);
    assertAge(seen.get(2), LockTableContract.OLDEST);
    assertAge(seen.get(3), -1000);
    assertThat(seen)
        .as("the holders of the planted rows")
        .extracting(LockCandidate::holder)
        .containsExactly("alice", "bob", "carol", "dave");
  }

  @Test
  @DisplayName("H-07 A planted claim is as old as it was given, in the place of any other.")
  final void plantedClaimIsAsOldAsItWasGiven() {
    if (!hasArbiter()) {
      return;
    }
    for (long age : new long[] {0, 40, LockTableContract.OLDEST, -1000}) {
      LockId lockId = ours((int) (2000 + age));
      plantClaim(LOCK, lockId, "age " + age, age);

      LockCandidate claim = assertClaimed(LOCK, lockId);
      assertThat(claim.id()).as("the lock of the claim").isEqualTo(id(LOCK));
      assertThat(claim.holder()).as("the holder of the claim").isEqualTo("age " + age);
      assertAge(claim, age);
    }
  }
}
