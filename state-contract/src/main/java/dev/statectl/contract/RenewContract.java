package dev.statectl.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.statectl.lock.LockCandidate;
import dev.statectl.state.StateId;
import java.time.Instant;
import java.util.Set;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** What {@code renew} does. */
abstract class RenewContract extends LockTopic {
  RenewContract(LockTableContract contract) {
    super(contract);
  }

  @Test
  @DisplayName("L-10 renew gives the row the store's time, keeps it single, and gives true.")
  final void renewGivesTheStoresTime() {
    plant(LOCK, ours(1), "alice", 40);
    Instant before = storeTime();

    for (int times = 1; times <= 3; times++) {
      assertThat(renew(LOCK, ours(1))).as("renewal number %d", times).isTrue();
      LockCandidate row = only(LOCK);
      assertThat(row.lockedAt()).as("the time of the renewed row").isBetween(before, row.seenAt());
    }
  }

  @Test
  @DisplayName("L-11 renew keeps the holder.")
  final void renewKeepsTheHolder() {
    locks().announce(id(LOCK), ours(1), "it's 100% \"alice\" \\ ? {x:String}");
    renew(LOCK, ours(1));
    renew(LOCK, ours(1));

    assertThat(only(LOCK).holder())
        .as("the holder of the renewed row")
        .isEqualTo("it's 100% \"alice\" \\ ? {x:String}");
  }

  @Test
  @DisplayName("L-12 renew of a row that was withdrawn gives false and does not bring it back.")
  final void renewDoesNotBringBack() {
    announce(LOCK, ours(1));
    announce(LOCK, ours(2));
    renew(LOCK, ours(1));
    withdraw(LOCK, ours(1));

    for (int times = 1; times <= 2; times++) {
      assertThat(renew(LOCK, ours(1))).as("renew of a row that was withdrawn").isFalse();
      assertSeen(LOCK, ours(2));
    }
  }

  @Test
  @DisplayName("L-13 renew of a stale row gives false and leaves it stale.")
  final void staleRowIsNotRenewed() {
    plant(LOCK, ours(1), "alice", STALE + 1);

    assertThat(renew(LOCK, ours(1))).as("renew of a stale row").isFalse();
    look(LOCK).forEach(row -> assertAge(row, STALE + 1));
  }

  @Test
  @DisplayName("L-14 A row of exactly the stale age is renewed.")
  final void rowOfTheStaleAgeIsRenewed() {
    atExactlyTheStaleAge(
        lock -> {
          assertThat(locks().renew(lock, ours(1), STALE_TIME)).as("renew").isTrue();
          assertAge(only(lock.text()), 0);
        });
  }

  @Test
  @DisplayName("L-15 renew leaves the rows of all other candidates and locks as they are.")
  final void renewLeavesOthers() {
    plant(LOCK, ours(1), "alice", 30);
    plant(LOCK, ours(2), "bob", 30);
    plant("dev:other", ours(1), "alice", 30);
    renew(LOCK, ours(1));
    assertThat(renew("dev:none", ours(1))).as("renew of the row of another lock").isFalse();

    assertSeen(LOCK, ours(1), ours(2));
    assertAge(look(LOCK).get(1), 30);
    assertAge(only("dev:other"), 30);
    assertSeen("dev:none");
  }

  @Test
  @DisplayName("L-16 A row of a time to come is not stale: it can be renewed and withdrawn.")
  final void rowOfATimeToComeIsNotStale() {
    plant(LOCK, ours(1), "alice", -1000);

    locks().removeStale(id(LOCK), STALE_TIME);
    assertThat(renew(LOCK, ours(1))).as("renew of a row of a time to come").isTrue();
    assertSeen(LOCK, ours(1));
    assertThat(withdraw(LOCK, ours(1))).as("withdraw of a row of a time to come").isTrue();
    assertSeen(LOCK);
    assertThat(renew(LOCK, ours(1))).as("renew of a row that was withdrawn").isFalse();
  }

  @Test
  @DisplayName("L-61 renewAll renews exactly the fresh rows of its candidate in its locks.")
  final void renewAllRenewsExactlyItsRows() {
    plant(LOCK, ours(1), "alice", 30);
    plant(LOCK, ours(2), "bob", 30);
    plant("it's", ours(1), "alice", 30);
    plant("dev:stale", ours(1), "alice", EXPIRED);
    plant("dev:not asked for", ours(1), "alice", 30);
    Set<StateId> asked = Set.of(id(LOCK), id("it's"), id("dev:stale"), id("dev:none"));

    assertThat(locks().renewAll(asked, ours(1), STALE_TIME))
        .as("the locks whose row was renewed")
        .containsExactlyInAnyOrder(id(LOCK), id("it's"));
    assertSeen(LOCK, ours(1), ours(2));
    assertAge(look(LOCK).get(0), 0);
    assertAge(look(LOCK).get(1), 30);
    assertThat(only("it's").holder()).as("the holder of the renewed row").isEqualTo("alice");
    assertAge(only("it's"), 0);
    assertAge(only("dev:stale"), EXPIRED);
    assertAge(only("dev:not asked for"), 30);
    assertSeen("dev:none");
    assertThat(locks().renewAll(Set.of(), ours(1), STALE_TIME)).as("the locks of none").isEmpty();
  }
}
