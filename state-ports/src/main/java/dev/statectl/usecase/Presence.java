package dev.statectl.usecase;

import dev.statectl.port.StateFailure;
import dev.statectl.port.StateStore;
import dev.statectl.state.StateId;

/** Whether there is something under an id. What cannot be read is there, too. */
final class Presence {
  private final StateStore store;

  Presence(StateStore store) {
    this.store = store;
  }

  boolean of(StateId id) {
    try {
      return store.find(id).isPresent();
    } catch (StateFailure.UnreadableState e) {
      return true;
    }
  }
}
