package dev.statectl.usecase;

import dev.statectl.port.StateFailure;
import dev.statectl.port.StateStore;
import dev.statectl.state.StateId;

/** Clears states, so that the next run starts from the beginning. Thread-safe. */
public final class ClearState {
  private final StateStore store;
  private final AcquireLock locks;

  /**
   * Makes the use case.
   *
   * @param store where states are kept
   * @param locks takes the id's lock
   */
  public ClearState(StateStore store, AcquireLock locks) {
    this.store = store;
    this.locks = locks;
  }

  /**
   * Clears the state of an id under its lock.
   *
   * @param id the id
   * @throws StateFailure.NotFound when there is none
   * @throws StateFailure as {@link StateStore#delete(StateId)} and {@link AcquireLock} do
   */
  public void clear(StateId id) {
    if (!locks.with(id, lock -> store.delete(id, lock.fence()))) {
      throw new StateFailure.NotFound(id);
    }
  }

  /**
   * Clears all states, without their locks: who writes meanwhile may find its state cleared.
   *
   * @return how many there were
   * @throws StateFailure as {@link StateStore#deleteAll} does
   */
  public long clearAll() {
    return store.deleteAll();
  }
}
