package dev.statectl.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.statectl.port.StoredState;
import dev.statectl.state.State;
import dev.statectl.state.StateId;
import dev.statectl.state.StateIdGlob;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** What {@code forEachState} does. */
abstract class WalkStatesContract extends WalkTopic {
  WalkStatesContract(StateStoreContract contract) {
    super(contract);
  }

  @Override
  final void walk(StateIdGlob glob, Consumer<? super StateId> action) {
    store().forEachState(glob, state -> action.accept(state.id()));
  }

  @Test
  @DisplayName("S-39 forEachState meets every id once, however often its state was saved.")
  final void everyIdIsMetOnce() {
    checkOnce();
  }

  @Test
  @DisplayName("S-40 forEachState goes in the order of code points.")
  final void statesComeInOrder() {
    checkOrder();
  }

  @Test
  @DisplayName("S-41 forEachState meets exactly the states whose ids the glob picks.")
  final void globPicksTheStates() {
    checkGlobs();
  }

  @Test
  @DisplayName("S-42 forEachState meets what cannot be read, among all others.")
  final void unreadableStatesAreMet() {
    checkUnreadableAmongOthers();
  }

  @Test
  @DisplayName("S-43 forEachState calls its action in the calling thread.")
  final void actionIsCalledInTheCallingThread() {
    checkCallingThread();
  }

  @Test
  @DisplayName("S-44 The action of forEachState may use the store, also change it.")
  final void actionMayUseTheStore() {
    checkActionUsesStore();
  }

  @Test
  @DisplayName("S-45 What the action of forEachState throws ends the walk and arrives unchanged.")
  final void whatTheActionThrowsArrives() {
    checkExceptionArrives();
  }

  @Test
  @DisplayName("S-46 The store goes on working when actions of forEachState ended many walks.")
  final void storeGoesOnAfterEndedWalks() {
    checkStoreGoesOn();
  }

  @Test
  @DisplayName("S-47 forEachState gives each state with the halves and the version that find does.")
  final void statesAreAsFindGivesThem() {
    store().save(state("dev:a", "{ \"a\":1.0}", "{\"p\": 1e3}"));
    store().save(state("dev:a", "{ \"a\":2.0}", "{\"p\": 2e3}"));
    store().save(state("dev:empty", "{}"));
    plant("dev:planted", "null", "{\"n\": NaN }");

    List<StoredState> met = states();
    assertThat(idsOf(met)).containsExactly("dev:a", "dev:empty", "dev:planted");
    for (StoredState stored : met) {
      State walked = readable(stored);
      State found = found(stored.id().text());
      assertSameHalves(walked, found);
      assertThat(walked.version()).as("the version in the walk").isEqualTo(found.version());
    }
    assertSameHalves(readable(met.get(0)), state("dev:a", "{ \"a\":2.0}", "{\"p\": 2e3}"));
  }
}
