package dev.statectl.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.statectl.lock.Fence;
import dev.statectl.state.State;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** What {@code delete} and {@code deleteAll} do. */
abstract class DeleteContract extends ContractTopic {
  DeleteContract(StateStoreContract contract) {
    super(contract);
  }

  @Test
  @DisplayName("S-24 delete gives true when there was a state and false when there was none.")
  final void deleteTellsWhetherThereWasAState() {
    assertThat(store().delete(id("dev:a"))).as("delete where nothing was ever stored").isFalse();
    store().save(state("dev:a", "{\"a\":1}"));
    store().save(state("dev:empty", "{}"));

    assertThat(store().delete(id("dev:a"))).as("delete of a state").isTrue();
    assertThat(store().delete(id("dev:a"))).as("delete of the same state again").isFalse();
    assertThat(store().delete(id("dev:empty"))).as("delete of an empty state").isTrue();
    assertNotFound("dev:a");
    assertHoldsExactly();
  }

  @Test
  @DisplayName("S-25 delete removes all versions of a state: none comes back.")
  final void deleteRemovesAllVersions() {
    plant("dev:planted", "{\"v\":1}", null, version("2020-01-01T00:00:00.001Z"));
    plant("dev:planted", "{\"v\":2}", null, version("2020-01-01T00:00:00.002Z"));
    plant("dev:planted", "{\"v\":3}", null, FUTURE);
    store().save(state("dev:saved", "{\"v\":1}"));
    store().save(state("dev:saved", "{\"v\":2}"));

    store().delete(id("dev:planted"));
    store().delete(id("dev:saved"));

    assertNotFound("dev:planted");
    assertNotFound("dev:saved");
    assertHoldsExactly();
  }

  @Test
  @DisplayName("S-26 delete removes the state of exactly its id and leaves all others.")
  final void deleteLeavesOtherStates() {
    State upper = state("DEV:tap_a", "{\"a\":1}");
    State longer = state("dev:tap_a:suffix", "{\"a\":2}");
    State similar = state("dev:tapXa", "{\"a\":3}");
    store().saveAll(List.of(upper, longer, similar, state("dev:tap_a", "{\"a\":4}")));

    store().delete(id("dev:tap_a"));
    store().delete(id("dev:tap"));
    store().delete(id("dev:*"));
    store().delete(id("dev:%"));
    store().delete(id(""));

    assertHoldsExactly(upper, similar, longer);
  }

  @Test
  @DisplayName("S-27 A state that is saved after its delete is found, also with the same bytes.")
  final void stateIsSavedAgainAfterItsDelete() {
    State same = state("dev:same", "{\"a\":1}");
    State other = state("dev:other", "{\"a\":2}");
    store().save(same);
    store().save(state("dev:other", "{\"a\":1}"));
    store().delete(id("dev:same"));
    store().delete(id("dev:other"));
    store().save(same);
    store().save(other);

    assertHoldsExactly(other, same);
  }

  @Test
  @DisplayName("S-28 delete removes what cannot be read, and gives true.")
  final void deleteRemovesWhatCannotBeRead() {
    plant("dev:tap-to-target", "{\"a\":", "7");

    assertThat(store().delete(id("dev:tap-to-target"))).as("delete of what is unreadable").isTrue();
    assertNotFound("dev:tap-to-target");
    assertHoldsExactly();
  }

  @Test
  @DisplayName("S-72 delete under a lock removes all versions, and what cannot be read.")
  final void deleteUnderALockRemovesAllVersions() {
    Fence fence = announced("dev:lock");
    plant("dev:planted", "{\"v\":1}", null, PAST);
    plant("dev:planted", "{\"v\":2}", null, FUTURE);
    plant("dev:unreadable", "{\"a\":", "7");
    plant("", "{\"a\":1}", null);
    store().save(state("dev:saved", "{\"v\":1}"));
    store().save(state("dev:saved", "{\"v\":2}"), fence);

    for (String text : List.of("dev:planted", "dev:unreadable", "", "dev:saved")) {
      assertThat(store().delete(id(text), fence)).as("delete of '%s'", text).isTrue();
      assertNotFound(text);
    }
    assertHoldsExactly();
  }

  @Test
  @DisplayName("S-29 deleteAll removes every state, readable or not, and gives their number.")
  final void deleteAllRemovesEveryStateAndCounts() {
    store().save(state("dev:a", "{\"a\":1}"));
    store().save(state("dev:a", "{\"a\":2}"));
    store().save(state("dev:empty", "{}"));
    plant("dev:unreadable", "[]", null);
    plant("", "{\"a\":1}", null);

    assertThat(store().deleteAll()).as("the number of states that were removed").isEqualTo(4);
    assertNotFound("dev:a");
    assertHoldsExactly();
    assertThat(store().deleteAll()).as("the number when nothing is left").isZero();
  }

  @Test
  @DisplayName("S-30 A state that is saved after deleteAll is found, also with the same bytes.")
  final void stateIsSavedAgainAfterDeleteAll() {
    State same = state("dev:same", "{\"a\":1}");
    store().save(same);
    store().deleteAll();
    store().save(same);

    assertHoldsExactly(same);
  }
}
