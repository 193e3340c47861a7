package dev.statectl.usecase;

import dev.statectl.port.SaveRules;
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
  private final AcquireLock locks;

  /**
   * Makes the use case.
   *
   * @param store where states are kept
   * @param locks takes the id's lock where the caller holds none
   */
  public SaveState(StateStore store, AcquireLock locks) {
    this.store = store;
    this.locks = locks;
  }

  /**
   * Saves a state under its id's lock, which is taken and released.
   *
   * @param state the state that a run left
   * @return the version that was stored
   * @throws StateFailure.UnreadableState when the state is to be merged into one that cannot be
   *     read; nothing is changed
   * @throws StateFailure as {@link StateStore#save(State)} and {@link AcquireLock} do
   * @throws IllegalArgumentException when the id may not be written
   */
  public StateVersion save(State state) {
    SaveRules.check(state);
    return locks.with(state.id(), lock -> save(state, lock));
  }

  /**
   * Saves a state under a lock that is held already, as long as it is: the advertised way for a run
   * with many checkpoints.
   *
   * @param state the state that a run left
   * @param lock the lock of the state's id, or of a run around it
   * @return the version that was stored
   * @throws StateFailure.LockLost when the lock is held no more; nothing is changed
   * @throws StateFailure as {@link #save(State)} does
   * @throws IllegalArgumentException when the id may not be written
   */
  public StateVersion save(State state, StateLock lock) {
    if (state.completed().isEmpty()) {
      State updated = store.find(state.id()).map(stored -> stored.updatedBy(state)).orElse(state);
      return store.save(updated, lock.fence());
    }
    return store.save(state, lock.fence());
  }
}
