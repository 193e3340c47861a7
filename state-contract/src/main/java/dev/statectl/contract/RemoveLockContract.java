package dev.statectl.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.statectl.lock.LockId;
import dev.statectl.state.StateId;
import dev.statectl.state.StateIdGlob;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** What {@code withdraw} and {@code removeStale} do. */
abstract class RemoveLockContract extends LockTopic {
  RemoveLockContract(LockTableContract contract) {
    super(contract);
  }

  @Test
  @DisplayName("L-17 withdraw gives true when the row was there, stale or not, and false when not.")
  final void withdrawTellsWhetherTheRowWasThere() {
    announce(LOCK, ours(1));
    plant(LOCK, ours(2), "bob", EXPIRED);
    plant(LOCK, PLUGIN, "", 0);

    for (LockId lockId : List.of(ours(1), ours(2), PLUGIN)) {
      assertThat(withdraw(LOCK, lockId)).as("withdraw of %s", lockId).isTrue();
      assertThat(withdraw(LOCK, lockId)).as("withdraw of %s again", lockId).isFalse();
    }
    assertSeen(LOCK);
  }

  @Test
  @DisplayName("L-18 withdraw removes the row of exactly its candidate and leaves all others.")
  final void withdrawLeavesOthers() {
    LockId similar = new LockId(PLUGIN.text().toUpperCase(Locale.ROOT));
    LockId longer = new LockId(PLUGIN.text() + "0");
    announce(LOCK, ours(1));
    for (LockId lockId : List.of(PLUGIN, similar, longer, PLUGIN_LATER)) {
      plant(LOCK, lockId, "", 5);
    }
    plant("dev:other", PLUGIN, "", 5);

    assertThat(withdraw(LOCK, PLUGIN)).as("withdraw").isTrue();
    for (String none : List.of("%", "*", "0c9b6a52", "' OR '1'='1")) {
      assertThat(withdraw(LOCK, new LockId(none))).as("withdraw of %s", none).isFalse();
    }

    assertSeen(LOCK, ours(1), similar, longer, PLUGIN_LATER);
    assertSeen("dev:other", PLUGIN);
  }

  @Test
  @DisplayName("L-19 withdraw removes a row with all its renewals: none comes back.")
  final void withdrawRemovesAllRenewals() {
    plant(LOCK, ours(1), "alice", 30);
    renew(LOCK, ours(1));
    renew(LOCK, ours(1));
    announce(LOCK, ours(2));

    assertThat(withdraw(LOCK, ours(1))).as("withdraw of a renewed row").isTrue();
    assertSeen(LOCK, ours(2));
    assertThat(withdraw(LOCK, ours(1))).as("withdraw again").isFalse();
    assertSeen(LOCK, ours(2));
  }

  @Test
  @DisplayName("L-20 An expired holder's withdraw does not free its successor.")
  final void expiredHolderDoesNotFreeItsSuccessor() {
    plant(LOCK, ours(1), "alice", EXPIRED);
    announce(LOCK, ours(2));

    withdraw(LOCK, ours(1));
    assertSeen(LOCK, ours(2));
    assertThat(renew(LOCK, ours(2))).as("renew by the successor").isTrue();
    withdraw(LOCK, ours(1));
    assertSeen(LOCK, ours(2));
  }

  @Test
  @DisplayName("L-57 withdrawAll removes the rows of exactly its candidates, and tells whose.")
  final void withdrawAllRemovesExactlyItsCandidates() {
    List<LockId> candidates = List.of(ours(1), ours(2), PLUGIN);
    List<String> ids = List.of(LOCK, "it's {fn now()} \\ ? :x <y>", "dev:other");
    for (String lock : ids) {
      candidates.forEach(lockId -> plant(lock, lockId, "", 5));
    }
    plant("dev:stale", ours(1), "alice", EXPIRED);
    renew(LOCK, ours(1));
    Set<StateId> given = Set.of(id(LOCK), id(ids.get(1)), id("dev:stale"), id("dev:none"));

    assertThat(locks().withdrawAll(given, ours(1)))
        .as("the locks whose rows were there")
        .containsExactlyInAnyOrder(id(LOCK), id(ids.get(1)), id("dev:stale"));
    assertSeen(LOCK, ours(2), PLUGIN);
    assertSeen(ids.get(1), ours(2), PLUGIN);
    assertSeen("dev:stale");
    assertSeen("dev:other", ours(1), ours(2), PLUGIN);
    assertThat(locks().withdrawAll(given, ours(1))).as("the locks at the second call").isEmpty();
    assertThat(locks().withdrawAll(Set.of(), ours(1))).as("the locks of none").isEmpty();
    assertThat(locks().withdrawAll(Set.of(id("dev:other")), ours(1)))
        .as("the locks at the last call")
        .containsExactly(id("dev:other"));
    assertSeen("dev:other", ours(2), PLUGIN);
  }

  @Test
  @DisplayName("L-21 removeStale removes the stale rows of exactly its id.")
  final void removeStaleRemovesStaleRowsOfItsId() {
    plant(LOCK, ours(1), "alice", STALE + 1);
    plant(LOCK, ours(2), "bob", 20);
    plant(LOCK, PLUGIN, "", EXPIRED);
    plant(LOCK, PLUGIN_LATER, "", 0);
    plant("dev:other", ours(1), "alice", EXPIRED);
    plant(LOCK + ":longer", ours(1), "alice", EXPIRED);
    locks().removeStale(id(LOCK), STALE_TIME);

    assertSeen(LOCK, ours(2), PLUGIN_LATER);
    assertSeen("dev:other", ours(1));
    assertSeen(LOCK + ":longer", ours(1));
  }

  @Test
  @DisplayName("L-22 removeStale leaves a row of exactly the stale age.")
  final void rowOfTheStaleAgeStays() {
    atExactlyTheStaleAge(
        lock -> {
          locks().removeStale(lock, STALE_TIME);
          assertSeen(lock.text(), ours(1));
        });
  }

  @Test
  @DisplayName("L-23 removeStale leaves a row that was renewed, however old it was before.")
  final void removeStaleLeavesRenewedRows() {
    plant(LOCK, ours(1), "alice", 30);
    renew(LOCK, ours(1));
    locks().removeStale(id(LOCK), Duration.ofSeconds(29));

    assertSeen(LOCK, ours(1));
    assertThat(all(StateIdGlob.ALL)).as("all rows").hasSize(1);
  }

  @Test
  @DisplayName("L-62 removeStaleAll removes the stale rows of exactly its ids.")
  final void removeStaleAllRemovesStaleRowsOfItsIds() {
    for (String lock : List.of(LOCK, "it's", "dev:other")) {
      plant(lock, ours(1), "alice", STALE + 1);
      plant(lock, ours(2), "bob", 20);
      plant(lock, PLUGIN, "", EXPIRED);
    }
    locks().removeStaleAll(Set.of(id(LOCK), id("it's"), id("dev:none")), STALE_TIME);
    locks().removeStaleAll(Set.of(), STALE_TIME);

    assertSeen(LOCK, ours(2));
    assertSeen("it's", ours(2));
    assertSeen("dev:other", ours(1), ours(2), PLUGIN);
  }
}
