package dev.statectl.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.statectl.lock.LockCandidate;
import dev.statectl.lock.LockId;
import dev.statectl.state.StateId;
import dev.statectl.state.StateIdGlob;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** What {@code announce} and {@code look} do. */
abstract class LookContract extends LockTopic {
  LookContract(LockTableContract contract) {
    super(contract);
  }

  @Test
  @DisplayName("L-01 Where nothing was announced, nothing is found, renewed, removed or created.")
  final void nothingIsFoundWhereNothingWasAnnounced() {
    for (String id : List.of(LOCK, "@run:" + LOCK)) {
      assertSeen(id);
      assertThat(renew(id, ours(1))).as("renew of a row that is not there").isFalse();
      assertThat(withdraw(id, ours(1))).as("withdraw of a row that is not there").isFalse();
      locks().removeStale(id(id), STALE_TIME);
      assertSeen(id);
    }
    assertThat(all(StateIdGlob.ALL)).as("the rows after reads and removals").isEmpty();
    assertThat(ids()).as("the ids of states after reads and removals of locks").isEmpty();
  }

  @Test
  @DisplayName("L-02 An announced row is seen by every later look, with its id and its holder.")
  final void announcedRowIsSeen() {
    locks().announce(id(LOCK), ours(1), "alice@example.com pid 7");

    for (int looks = 1; looks <= 2; looks++) {
      LockCandidate row = only(LOCK);
      assertThat(row.id()).as("the id of the lock").isEqualTo(id(LOCK));
      assertThat(row.lockId()).as("the candidate").isEqualTo(ours(1));
      assertThat(row.holder()).as("the holder").isEqualTo("alice@example.com pid 7");
    }
  }

  @Test
  @DisplayName("L-03 An announced row has the store's time, in whole seconds.")
  final void announcedRowHasTheStoresTime() {
    Instant before = storeTime();
    announce(LOCK, ours(1));

    LockCandidate row = only(LOCK);
    assertThat(row.lockedAt())
        .as("the time of the row; the store's was %s before and %s after", before, row.seenAt())
        .isBetween(before, row.seenAt())
        .isEqualTo(row.lockedAt().truncatedTo(ChronoUnit.SECONDS));
    assertThat(row.seenAt())
        .as("the time of reading")
        .isEqualTo(row.seenAt().truncatedTo(ChronoUnit.SECONDS));
  }

  @Test
  @DisplayName("L-04 Rows of different candidates never replace each other.")
  final void candidatesStayApart() {
    announce(LOCK, ours(1));
    plant(LOCK, PLUGIN, "", 5);
    announce(LOCK, ours(2));
    plant(LOCK, PLUGIN_LATER, "", 5);
    announce(LOCK, ours(3));
    renew(LOCK, ours(1));

    assertSeen(LOCK, ours(1), ours(2), ours(3), PLUGIN, PLUGIN_LATER);
  }

  @Test
  @DisplayName("L-05 look gives the rows in the order of their lock ids.")
  final void rowsComeInOrder() {
    LockId upper = new LockId("A");
    LockId lower = new LockId("a");
    for (LockId lockId : List.of(lower, ours(9), ours(1), upper, ours(4))) {
      announce(LOCK, lockId);
    }
    plant(LOCK, PLUGIN, "", 20);

    assertSeen(LOCK, ours(1), ours(4), ours(9), PLUGIN, upper, lower);
  }

  @Test
  @DisplayName("L-06 look gives all rows with the same time of reading.")
  final void rowsHaveTheSameTimeOfReading() {
    announce(LOCK, ours(1));
    plant(LOCK, ours(2), "bob", 7);
    plant(LOCK, PLUGIN, "", EXPIRED);

    List<LockCandidate> seen = look(LOCK);
    assertThat(seen)
        .as("the times of reading")
        .extracting(LockCandidate::seenAt)
        .containsOnly(seen.get(0).seenAt())
        .hasSize(3);
  }

  @Test
  @DisplayName("L-07 A row of the Python plugin is seen, with its age and without a holder.")
  final void rowOfThePluginIsSeen() {
    plant(LOCK, PLUGIN, "", 12);

    LockCandidate row = only(LOCK);
    assertThat(row.lockId()).as("the candidate").isEqualTo(PLUGIN);
    assertThat(row.holder()).as("the holder").isEmpty();
    assertAge(row, 12);
  }

  @Test
  @DisplayName("L-08 look shows stale rows too.")
  final void staleRowsAreSeen() {
    plant(LOCK, ours(1), "alice", LockTableContract.OLDEST);
    plant(LOCK, PLUGIN, "", EXPIRED);
    announce(LOCK, ours(2));

    assertSeen(LOCK, ours(1), ours(2), PLUGIN);
  }

  @Test
  @DisplayName("L-09 A holder of any characters comes back as it was announced.")
  final void holderComesBack() {
    OddTexts.ids()
        .forEach(
            text -> {
              String lock = "dev:" + text.getName();
              locks().announce(id(lock), ours(1), text.getPayload());
              assertSameIds(
                  "the holder announced as " + text.getName(),
                  List.of(only(lock).holder()),
                  text.getPayload());
            });
  }

  @Test
  @DisplayName("L-58 announceAll announces one candidate in exactly its locks, as announce does.")
  final void announceAllAnnouncesInExactlyItsLocks() {
    String odd = "it's {fn now()} \\ ? :x <y>";
    String holder = "it's 100% \"alice\" \\ ? {x:String}";
    plant(LOCK, PLUGIN, "", 5);
    plant("dev:other", PLUGIN, "", 5);
    Instant before = storeTime();
    locks().announceAll(Set.of(id(LOCK), id(odd)), ours(1), holder);
    locks().announceAll(Set.of(), ours(2), holder);

    assertSeen(LOCK, ours(1), PLUGIN);
    assertSeen("dev:other", PLUGIN);
    LockCandidate row = only(odd);
    assertThat(row.lockId()).as("the candidate").isEqualTo(ours(1));
    assertThat(row.holder()).as("the holder").isEqualTo(holder);
    assertThat(row.lockedAt()).as("the time of the row").isBetween(before, row.seenAt());
    assertThat(withdraw(odd, ours(1))).as("withdraw of the row").isTrue();
    assertSeen(LOCK, ours(1), PLUGIN);
  }

  @Test
  @DisplayName("L-59 lookAll gives what look gives, of exactly its locks that have the candidate.")
  final void lookAllGivesWhatLookGives() {
    plant(LOCK, ours(1), "alice", 5);
    plant(LOCK, ours(2), "bob", EXPIRED);
    plant(LOCK, PLUGIN, "", 7);
    plant("dev:alone", ours(1), "alice", EXPIRED);
    plant("dev:others", ours(2), "bob", 5);
    plant("dev:not asked for", ours(1), "alice", 5);
    renew(LOCK, ours(1));
    Set<StateId> asked = Set.of(id(LOCK), id("dev:alone"), id("dev:others"), id("dev:none"));

    Map<StateId, List<LockCandidate>> seen = locks().lookAll(asked, ours(1));
    assertThat(seen)
        .as("the locks that have the candidate")
        .containsOnlyKeys(id(LOCK), id("dev:alone"));
    seen.forEach(
        (lock, rows) ->
            assertThat(rows)
                .as("the rows of the lock %s", lock)
                .extracting(LookContract::named)
                .isEqualTo(look(lock.text()).stream().map(LookContract::named).toList()));
    assertThat(seen.get(id(LOCK)).get(0).lockedAt())
        .as("the time of the renewed row")
        .isEqualTo(look(LOCK).get(0).lockedAt());
    assertThat(locks().lookAll(Set.of(), ours(1))).as("the locks of none").isEmpty();
  }

  @Test
  @DisplayName("L-60 Hundreds of locks are announced, seen, renewed and withdrawn together.")
  final void hundredsOfLocks() {
    Set<StateId> ids = new HashSet<>();
    for (int i = 0; i < 300; i++) {
      ids.add(id(i % 2 == 0 ? i + "'".repeat(1000) : "prod:tap-" + i + "-to-target"));
    }
    plant("dev:other", ours(1), "alice", 5);
    locks().announceAll(ids, ours(1), "alice");

    assertThat(locks().lookAll(ids, ours(1)).keySet()).as("the locks seen").isEqualTo(ids);
    assertThat(locks().renewAll(ids, ours(1), STALE_TIME)).as("the renewed").isEqualTo(ids);
    assertThat(locks().withdrawAll(ids, ours(1))).as("the withdrawn").isEqualTo(ids);
    assertThat(all(StateIdGlob.ALL)).as("the rows that are left").hasSize(1);
  }
}
