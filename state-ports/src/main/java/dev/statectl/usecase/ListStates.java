package dev.statectl.usecase;

import dev.statectl.port.StateFailure;
import dev.statectl.port.StateStore;
import dev.statectl.state.StateId;
import dev.statectl.state.StateIdGlob;
import java.util.function.Consumer;

/** Lists the ids of states. Thread-safe. */
public final class ListStates {
  private final StateStore store;

  /**
   * Makes the use case.
   *
   * @param store where states are kept
   */
  public ListStates(StateStore store) {
    this.store = store;
  }

  /**
   * Lists the ids that a glob picks.
   *
   * @param glob the glob
   * @param action is called with each id, in order
   * @throws StateFailure as {@link StateStore#forEachId} does
   */
  public void list(StateIdGlob glob, Consumer<? super StateId> action) {
    store.forEachId(glob, action);
  }
}
