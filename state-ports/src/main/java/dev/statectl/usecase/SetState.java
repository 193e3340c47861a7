package dev.statectl.usecase;

import dev.statectl.json.JsonObject;
import dev.statectl.port.SaveRules;
import dev.statectl.port.StateFailure;
import dev.statectl.port.StateStore;
import dev.statectl.state.State;
import dev.statectl.state.StateId;
import dev.statectl.state.StateVersion;

/** Sets a state by hand: the document becomes the completed half, the partial half is emptied. */
public final class SetState {
  private final StateStore store;
  private final AcquireLock locks;

  /**
   * Makes the use case.
   *
   * @param store where states are kept
   * @param locks takes the id's lock
   */
  public SetState(StateStore store, AcquireLock locks) {
    this.store = store;
    this.locks = locks;
  }

  /**
   * Sets the state of an id under its lock, whatever was stored before, also what cannot be read.
   *
   * @param id the id
   * @param document the new completed half; an empty one leaves an empty state
   * @return the version that was stored
   * @throws StateFailure as {@link StateStore#save(State)} and {@link AcquireLock} do
   * @throws IllegalArgumentException when the id may not be written
   */
  public StateVersion set(StateId id, JsonObject document) {
    return set(id, document, GuardRails.NONE);
  }

  /**
   * Sets the state of an id as {@link #set(StateId, JsonObject)} does, unless guard rails refuse
   * it. Of what is stored and cannot be read nothing is doubted but the new state's length.
   *
   * @param id the id
   * @param document the new completed half; an empty one leaves an empty state
   * @param guardRails are asked under the id's lock, about what is replaced
   * @return the version that was stored
   * @throws StateFailure.Doubtful when the guard rails refuse it; nothing is changed
   * @throws StateFailure as {@link StateStore#find}, {@link StateStore#save(State)} and {@link
   *     AcquireLock} do
   * @throws IllegalArgumentException when the id may not be written
   */
  public StateVersion set(StateId id, JsonObject document, GuardRails guardRails) {
    State state = State.of(id, document, JsonObject.EMPTY);
    SaveRules.check(state);
    return locks.with(
        id,
        lock -> {
          guardRails.check(store, state);
          return store.save(state, lock.fence());
        });
  }
}
