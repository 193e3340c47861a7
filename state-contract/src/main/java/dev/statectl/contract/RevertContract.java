package dev.statectl.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.statectl.lock.Fence;
import dev.statectl.port.HistoryEntry;
import dev.statectl.state.State;
import dev.statectl.state.StateVersion;
import java.util.Optional;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** What {@code revert} does. */
abstract class RevertContract extends HistoryTopic {
  RevertContract(StateHistoryContract contract) {
    super(contract);
  }

  @Test
  @DisplayName("R-25 revert stores a record's state again as a later version, and says which.")
  final void revertStoresAgain() {
    enable();
    Fence fence = announced(ID);
    State first = state(ID, "{ \"a\" : 1.0 }", "{\"p\":1}");
    StateVersion one = store().save(first);
    StateVersion two = store().save(state(ID, "{\"a\":2}"));
    StateVersion three = history().revert(first.withVersion(one), fence);

    assertThat(three).as("the version of what was stored again").isGreaterThan(two);
    assertFound(first);
    assertThat(found(ID).version()).as("the version that is found").isEqualTo(three);
    assertVersions(ID, three, two, one);
    assertThat(entries(ID))
        .as("what each record says that it goes back to")
        .extracting(entry -> entry.revertedTo().orElse(StateVersion.NONE))
        .containsExactly(one, StateVersion.NONE, StateVersion.NONE);
    assertHolds(records(ID).get(0), first);
    StateVersion four = store().save(state(ID, "{\"a\":3}"), fence);
    assertThat(entries(ID).get(0))
        .as("the record of a save after it")
        .extracting(HistoryEntry::version, HistoryEntry::revertedTo)
        .containsExactly(four, Optional.empty());
  }
}
