package dev.statectl.usecase;

import dev.statectl.port.StateFailure;
import dev.statectl.port.StateStore;
import dev.statectl.state.State;
import dev.statectl.state.StateId;
import java.util.Optional;

/** Whether there is something under an id. What cannot be read is there, too. */
final class Presence {
  private final StateStore store;

  Presence(StateStore store) {
    this.store = store;
  }

  /**
   * What is under an id.
   *
   * @param exists whether there is something
   * @param state the state; empty also when it cannot be read
   */
  record Found(boolean exists, Optional<State> state) {}

  boolean of(StateId id) {
    return find(id).exists();
  }

  Found find(StateId id) {
    try {
      Optional<State> state = store.find(id);
      return new Found(state.isPresent(), state);
    } catch (StateFailure.UnreadableState e) {
      return new Found(true, Optional.empty());
    }
  }
}
