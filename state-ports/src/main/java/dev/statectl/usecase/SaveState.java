package dev.statectl.usecase;

import dev.statectl.port.StateFailure;
import dev.statectl.port.StateStore;
import dev.statectl.state.State;
import dev.statectl.state.StateVersion;

/**
 * Saves what a run left, as a pipeline does after each batch: a state without a completed half is
 * merged into the stored partial half, any other replaces what is stored ({@link State#updatedBy}).
 *
 * <p>Thread-safe, but merging is a read and then a write: of two saves of one id at the same time,
 * here or in another program, one may replace the other instead of being merged with it.
 */
public final class SaveState {
  private final StateStore store;

  /**
   * Makes the use case.
   *
   * @param store where states are kept
   */
  public SaveState(StateStore store) {
    this.store = store;
  }

  /**
   * Saves a state.
   *
   * @param state the state that a run left
   * @return the version that was stored
   * @throws StateFailure.UnreadableState when the state is to be merged into one that cannot be
   *     read; nothing is changed
   * @throws StateFailure as {@link StateStore#save} does
   * @throws IllegalArgumentException when the id may not be written
   */
  public StateVersion save(State state) {
    if (state.completed().isEmpty()) {
      State updated = store.find(state.id()).map(stored -> stored.updatedBy(state)).orElse(state);
      return store.save(updated);
    }
    return store.save(state);
  }
}
