package dev.statectl.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.statectl.lock.Fence;
import dev.statectl.lock.LockCandidate;
import dev.statectl.port.StateFailure;
import dev.statectl.state.State;
import dev.statectl.state.StateIdGlob;
import dev.statectl.state.StateVersion;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What {@code save} and {@code delete} with a fence do. */
abstract class FencedContract extends LockTopic {
  private static final int SAVES = 5;

  FencedContract(LockTableContract contract) {
    super(contract);
  }

  @Test
  @DisplayName("L-32 A save under a lock is stored while the holder's row is fresh.")
  final void saveUnderAFreshRowIsStored() {
    Fence fence = announced(LOCK);
    State first = state(LOCK, "{\"n\":1.0}", "{\"p\":1}");
    StateVersion version = store().save(first, fence);
    assertHoldsExactly(first);
    assertThat(found(LOCK).version()).as("the version found").isEqualTo(version);

    State second = state(LOCK, "{}", "{\"p\":2}");
    version = store().save(second, fence);
    assertHoldsExactly(second);
    assertThat(found(LOCK).version()).as("the version found").isEqualTo(version);
  }

  @Test
  @DisplayName("L-33 A delete under a lock removes the state and tells whether there was one.")
  final void deleteUnderAFreshRowRemoves() {
    Fence fence = announced(LOCK);
    assertThat(store().delete(id(LOCK), fence)).as("delete where nothing was stored").isFalse();
    State other = state("dev:other", "{\"a\":2}");
    store().save(other);
    store().save(state(LOCK, "{\"a\":1}"));
    store().save(state(LOCK, "{}"), fence);

    assertThat(store().delete(id(LOCK), fence)).as("delete of a state").isTrue();
    assertThat(store().delete(id(LOCK), fence)).as("delete of the same state again").isFalse();
    assertHoldsExactly(other);
  }

  @Test
  @DisplayName("L-34 Where no lock was announced, a write under one fails and creates nothing.")
  final void writeWhereNothingWasAnnouncedFails() {
    Fence fence = fence(LOCK, ours(1));

    checkLost(LOCK, "save", () -> store().save(state(LOCK, "{\"a\":1}"), fence));
    checkLost(LOCK, "delete", () -> store().delete(id(LOCK), fence));
    assertHoldsExactly();
    checkRefused(LOCK, fence);
    assertThat(all(StateIdGlob.ALL)).as("the rows of locks after refused writes").isEmpty();
  }

  @Test
  @DisplayName("L-35 A write under a lock whose row was withdrawn fails and changes nothing.")
  final void writeUnderAWithdrawnRowFails() {
    Fence fence = announced(LOCK);
    renew(LOCK, ours(1));
    withdraw(LOCK, ours(1));

    checkRefused(LOCK, fence);
  }

  @Test
  @DisplayName("L-36 A write under a lock whose row is stale fails and changes nothing.")
  final void writeUnderAStaleRowFails() {
    plant(LOCK, ours(1), "alice", STALE + 1);

    checkRefused(LOCK, fence(LOCK, ours(1)));
  }

  @Test
  @DisplayName("L-37 A write under a lock that is another's by now fails and changes nothing.")
  final void writeUnderAnothersRowFails() {
    plant(LOCK, ours(1), "alice", EXPIRED);
    locks().removeStale(id(LOCK), STALE_TIME);
    announce(LOCK, ours(2));
    plant(LOCK, PLUGIN, "", 0);

    checkRefused(LOCK, fence(LOCK, ours(1)));
  }

  @Test
  @DisplayName("L-38 A write is fenced by the lock that it names, whatever id is written.")
  final void writeIsFencedByTheLockItNames() {
    String run = "@run:" + LOCK;
    Fence fence = announced(run);
    State state = state(LOCK, "{\"a\":1}");
    store().save(state, fence);
    assertHoldsExactly(state);
    assertThat(store().delete(id(LOCK), fence)).as("delete under the lock of a run").isTrue();

    announce(LOCK, ours(2));
    checkRefused(LOCK, fence(LOCK, ours(1)));
    checkRefused(run, fence(run, ours(2)));
    withdraw(run, ours(1));
    checkRefused(run, fence);
  }

  @Test
  @DisplayName("L-39 A write under a row of exactly the stale age is made.")
  final void writeUnderARowOfTheStaleAgeIsMade() {
    atExactlyTheStaleAge(
        lock -> store().save(state(lock.text(), "{\"a\":1}"), fence(lock.text(), ours(1))));
    atExactlyTheStaleAge(lock -> store().delete(lock, fence(lock.text(), ours(1))));
  }

  @Test
  @DisplayName("L-40 A write under a lock counts from the last renewal.")
  final void writeCountsFromTheLastRenewal() {
    plant(LOCK, ours(1), "alice", 40);
    Fence fence = new Fence(id(LOCK), ours(1), Duration.ofSeconds(39));
    checkRefused(LOCK, fence);
    renew(LOCK, ours(1));

    State state = state(LOCK, "{\"a\":2}");
    store().save(state, fence);
    assertFound(state);
    assertThat(store().delete(id(LOCK), fence)).as("delete after the renewal").isTrue();
  }

  @Test
  @DisplayName("L-41 A save under a lock is refused for its id or its size as any save is.")
  final void saveUnderALockObeysTheRulesOfSave() {
    Fence fence = announced(LOCK);
    OddTexts.idsThatMayNotBeWritten()
        .forEach(
            text -> {
              State state = state(text.getPayload(), "{\"a\":1}");
              assertThat(
                      failure(
                          IllegalArgumentException.class,
                          "save under a lock with the id " + Texts.printable(text.getPayload()),
                          () -> store().save(state, fence)))
                  .as("the refusal")
                  .hasMessage(state.id().fault().orElseThrow());
            });
    State large = LargeStates.oneByteTooLarge("dev:large");
    StateFailure.TooLarge refusal =
        failure(
            StateFailure.TooLarge.class,
            "save under a lock of a state of " + large.utf8Length() + " bytes",
            () -> store().save(large, fence));

    assertThat(refusal.id()).as("the id in the refusal").isEqualTo(large.id());
    assertHoldsExactly();
  }

  @Test
  @DisplayName("L-42 Each save gets a later version than the one before, under a lock or not.")
  final void everySaveGetsALaterVersion() {
    Fence fence = announced(LOCK);
    StateVersion before = StateVersion.NONE;
    for (int n = 1; n <= SAVES; n++) {
      State fenced = state(LOCK, "{\"n\":" + n + "}");
      StateVersion first = store().save(fenced, fence);
      assertThat(first).as("the version of save number %d under a lock", n).isGreaterThan(before);
      assertFound(fenced);
      State plain = state(LOCK, "{\"n\":-" + n + "}");
      before = store().save(plain);
      assertThat(before).as("the version of the plain save after it").isGreaterThan(first);
      assertFound(plain);
    }
    store().delete(id(LOCK), fence);
    State again = state(LOCK, "{\"n\":-" + SAVES + "}");
    store().save(again, fence);
    assertHoldsExactly(again);
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("oddDocuments")
  @DisplayName("L-43 Documents saved under a lock come back byte for byte, whatever their size.")
  final void documentsComeBack(String document) {
    Fence fence = announced(LOCK);
    State completed = state("dev:completed", document, "{\"p\":1}");
    State partial = state("dev:partial", "{}", document);
    store().save(completed, fence);
    store().save(partial, fence);

    assertHoldsExactly(completed, partial);
  }

  static Stream<Named<String>> oddDocuments() {
    return PayloadsContract.oddDocuments();
  }

  @Test
  @DisplayName("L-44 A state of any id is saved and deleted under a lock.")
  final void stateOfAnyIdIsWritten() {
    Fence fence = announced(LOCK);
    OddTexts.ids()
        .forEach(
            text -> {
              State state = state(text.getPayload(), "{\"a\":1}");
              store().save(state, fence);
              assertHoldsExactly(state);
              assertThat(store().delete(state.id(), fence))
                  .as("delete of %s", text.getName())
                  .isTrue();
              assertHoldsExactly();
            });
  }

  @Test
  @DisplayName("L-45 A write under a lock leaves the rows of all locks as they are.")
  final void writeLeavesTheRows() {
    plant(LOCK, ours(1), "alice", 30);
    plant(LOCK, ours(2), "bob", EXPIRED);
    plant("dev:other", PLUGIN, "", 10);
    store().save(state(LOCK, "{\"a\":1}"), fence(LOCK, ours(1)));
    store().delete(id(LOCK), fence(LOCK, ours(1)));

    assertSeen(LOCK, ours(1), ours(2));
    List<LockCandidate> rows = all(StateIdGlob.ALL);
    assertThat(rows).as("the rows of all locks").hasSize(3);
    assertAge(rows.get(0), 10);
    assertAge(rows.get(1), 30);
    assertAge(rows.get(2), EXPIRED);
  }

  /** Checks that no write under the fence is made, over a state and where none is. */
  private void checkRefused(String lock, Fence fence) {
    State before = state("dev:kept", "{ \"a\" : 1.0 }", "{\"p\":[1e3]}");
    StateVersion version = store().save(before);

    checkLost(lock, "save", () -> store().save(state("dev:kept", "{\"a\":2}"), fence));
    checkLost(lock, "save where nothing is", () -> store().save(state("dev:new", "{}"), fence));
    checkLost(lock, "delete", () -> store().delete(id("dev:kept"), fence));
    checkLost(lock, "delete where nothing is", () -> store().delete(id("dev:new"), fence));
    assertHoldsExactly(before);
    assertThat(found("dev:kept").version())
        .as("the version after refused writes")
        .isEqualTo(version);
  }

  private static void checkLost(String lock, String what, ThrowingCallable write) {
    StateFailure.LockLost lost =
        failure(StateFailure.LockLost.class, what + " under a lock that is lost", write);
    assertThat(lost.id()).as("the lock in the failure of %s", what).isEqualTo(id(lock));
    assertThat(lost).as("the message of the failed %s", what).hasMessageContaining(lock);
  }
}
