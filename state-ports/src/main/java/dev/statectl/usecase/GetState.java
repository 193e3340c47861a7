package dev.statectl.usecase;

import dev.statectl.port.StateFailure;
import dev.statectl.port.StateStore;
import dev.statectl.state.State;
import dev.statectl.state.StateId;

/** Gets one state. Thread-safe. */
public final class GetState {
  private final StateStore store;

  /**
   * Makes the use case.
   *
   * @param store where states are kept
   */
  public GetState(StateStore store) {
    this.store = store;
  }

  /**
   * Gets the state of an id.
   *
   * @param id the id
   * @return the state
   * @throws StateFailure.NotFound when there is none
   * @throws StateFailure as {@link StateStore#find} does
   */
  public State get(StateId id) {
    return store.find(id).orElseThrow(() -> new StateFailure.NotFound(id));
  }
}
