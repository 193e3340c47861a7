package dev.statectl.contract;

import dev.statectl.state.StateId;
import dev.statectl.state.StateIdGlob;
import java.util.function.Consumer;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** What {@code forEachId} does. */
abstract class WalkIdsContract extends WalkTopic {
  WalkIdsContract(StateStoreContract contract) {
    super(contract);
  }

  @Override
  final void walk(StateIdGlob glob, Consumer<? super StateId> action) {
    store().forEachId(glob, action);
  }

  @Test
  @DisplayName("S-31 forEachId meets every id once, however often its state was saved.")
  final void everyIdIsMetOnce() {
    checkOnce();
  }

  @Test
  @DisplayName("S-32 forEachId goes in the order of code points.")
  final void idsComeInOrder() {
    checkOrder();
  }

  @Test
  @DisplayName("S-33 forEachId meets exactly the ids that the glob picks.")
  final void globPicksTheIds() {
    checkGlobs();
  }

  @Test
  @DisplayName("S-34 forEachId meets ids whose state cannot be read, among all others.")
  final void idsOfUnreadableStatesAreMet() {
    checkUnreadableAmongOthers();
  }

  @Test
  @DisplayName("S-35 forEachId calls its action in the calling thread.")
  final void actionIsCalledInTheCallingThread() {
    checkCallingThread();
  }

  @Test
  @DisplayName("S-36 The action of forEachId may use the store, also change it.")
  final void actionMayUseTheStore() {
    checkActionUsesStore();
  }

  @Test
  @DisplayName("S-37 What the action of forEachId throws ends the walk and arrives unchanged.")
  final void whatTheActionThrowsArrives() {
    checkExceptionArrives();
  }

  @Test
  @DisplayName("S-38 The store goes on working when actions of forEachId ended many walks.")
  final void storeGoesOnAfterEndedWalks() {
    checkStoreGoesOn();
  }
}
