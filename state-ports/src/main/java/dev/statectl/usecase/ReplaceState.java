package dev.statectl.usecase;

import dev.statectl.json.JsonObject;
import dev.statectl.port.SaveRules;
import dev.statectl.port.StateFailure;
import dev.statectl.port.StateStore;
import dev.statectl.state.State;
import dev.statectl.state.StateId;
import dev.statectl.state.StateVersion;
import java.util.Optional;

/**
 * Sets a state by hand if it still is what was looked at before, however long ago. Thread-safe.
 *
 * <p>States are compared by their halves and not by their versions: who stored the same again has
 * changed nothing.
 */
public final class ReplaceState {
  private final StateStore store;
  private final AcquireLock locks;

  /**
   * Makes the use case.
   *
   * @param store where states are kept
   * @param locks takes the id's lock
   */
  public ReplaceState(StateStore store, AcquireLock locks) {
    this.store = store;
    this.locks = locks;
  }

  /**
   * Compares what is stored with what was seen and, if it is the same, makes the document the
   * completed half and empties the partial one: all under the id's lock.
   *
   * @param id the id
   * @param seen the state that was looked at, or empty when there was none
   * @param document the new completed half; an empty one leaves an empty state
   * @return the version that was stored; empty when something else is stored than was seen, so that
   *     nothing was changed
   * @throws StateFailure as {@link StateStore#find}, {@link StateStore#save(State)} and {@link
   *     AcquireLock} do, but for {@link StateFailure.UnreadableState}: what cannot be read is
   *     something else
   * @throws IllegalArgumentException when the id may not be written
   */
  public Optional<StateVersion> replace(StateId id, Optional<State> seen, JsonObject document) {
    return replace(id, seen, document, GuardRails.NONE);
  }

  /**
   * Does what {@link #replace(StateId, Optional, JsonObject)} does, unless guard rails refuse it.
   *
   * @param id the id
   * @param seen the state that was looked at, or empty when there was none
   * @param document the new completed half; an empty one leaves an empty state
   * @param guardRails are asked under the id's lock, when what is stored is what was seen
   * @return the version that was stored; empty when something else is stored than was seen, so that
   *     nothing was changed
   * @throws StateFailure.Doubtful when the guard rails refuse it; nothing is changed
   * @throws StateFailure as {@link #replace(StateId, Optional, JsonObject)} does
   * @throws IllegalArgumentException when the id may not be written
   */
  public Optional<StateVersion> replace(
      StateId id, Optional<State> seen, JsonObject document, GuardRails guardRails) {
    State state = State.of(id, document, JsonObject.EMPTY);
    SaveRules.check(state);
    return locks.with(
        id,
        lock -> {
          if (!isStored(id, seen)) {
            return Optional.empty();
          }
          guardRails.check(seen, state);
          return Optional.of(store.save(state, lock.fence()));
        });
  }

  private boolean isStored(StateId id, Optional<State> seen) {
    try {
      return halves(store.find(id)).equals(halves(seen));
    } catch (StateFailure.UnreadableState e) {
      return false;
    }
  }

  private static Optional<State> halves(Optional<State> state) {
    return state.map(s -> s.withVersion(StateVersion.NONE));
  }
}
