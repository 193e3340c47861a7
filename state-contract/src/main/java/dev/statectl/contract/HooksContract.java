package dev.statectl.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.statectl.port.Backend;
import dev.statectl.state.StateId;
import dev.statectl.state.StateIdGlob;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** What the adapter's author owes the kit; when these fail, look at the hooks first. */
abstract class HooksContract extends ContractTopic {
  HooksContract(StateStoreContract contract) {
    super(contract);
  }

  @Test
  @DisplayName("H-01 openBackend() gives a backend in which nothing is stored.")
  final void openBackendGivesAnEmptyBackend() {
    assertThat(ids()).as("the ids stored in a backend that was just opened").isEmpty();
  }

  @Test
  @DisplayName("H-02 Two backends that openBackend() gives share no state.")
  final void twoBackendsShareNothing() {
    Backend other = anotherBackend();
    store().save(state("dev:tap-to-target", "{\"a\":1}"));

    List<StateId> met = new ArrayList<>();
    other.states().forEachId(StateIdGlob.ALL, met::add);
    assertThat(met).as("the ids stored in the backend that nothing was saved to").isEmpty();
  }

  @Test
  @DisplayName("H-03 A planted row is stored in the backend that was opened last.")
  final void plantStoresInTheBackendOpenedLast() {
    plant("dev:tap-to-target", "{\"a\":1}", null);

    assertThat(ids())
        .as("the ids stored after a row was planted")
        .containsExactly("dev:tap-to-target");
  }
}
