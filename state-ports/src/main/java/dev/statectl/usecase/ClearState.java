package dev.statectl.usecase;

import dev.statectl.port.StateFailure;
import dev.statectl.port.StateStore;
import dev.statectl.state.StateId;

/** Clears states, so that the next run starts from the beginning. Thread-safe. */
public final class ClearState {
  private final StateStore store;

  /**
   * Makes the use case.
   *
   * @param store where states are kept
   */
  public ClearState(StateStore store) {
    this.store = store;
  }

  /**
   * Clears the state of an id.
   *
   * @param id the id
   * @throws StateFailure.NotFound when there is none
   * @throws StateFailure as {@link StateStore#delete} does
   */
  public void clear(StateId id) {
    if (!store.delete(id)) {
      throw new StateFailure.NotFound(id);
    }
  }

  /**
   * Clears all states.
   *
   * @return how many there were
   * @throws StateFailure as {@link StateStore#deleteAll} does
   */
  public long clearAll() {
    return store.deleteAll();
  }
}
