package dev.statectl.usecase;

import dev.statectl.port.StateFailure;
import dev.statectl.port.StateStore;
import dev.statectl.state.State;
import dev.statectl.state.StateId;

/** Copies the state of one id to another, both halves byte for byte. Thread-safe. */
public final class CopyState {
  private final StateStore store;
  private final AcquireLock locks;
  private final Presence presence;

  /**
   * Makes the use case.
   *
   * @param store where states are kept
   * @param locks takes the destination's lock
   */
  public CopyState(StateStore store, AcquireLock locks) {
    this.store = store;
    this.locks = locks;
    this.presence = new Presence(store);
  }

  /**
   * Copies a state under the destination's lock.
   *
   * @param transfer from where to where
   * @return the state as it was stored under the destination, of version {@link
   *     dev.statectl.state.StateVersion#NONE}
   * @throws StateFailure.NotFound when there is no state under the source; nothing is changed
   * @throws StateFailure.UnreadableState when what is stored under the source cannot be read;
   *     nothing is changed
   * @throws StateFailure.Conflict when there is something under the destination, and the transfer
   *     does not overwrite; nothing is changed
   * @throws StateFailure as {@link StateStore#save(State)} and {@link AcquireLock} do
   */
  public State copy(Transfer transfer) {
    return locks.with(transfer.destination(), lock -> copy(transfer, lock));
  }

  /** Copies under a lock of the destination that is held. */
  State copy(Transfer transfer, StateLock lock) {
    StateId source = transfer.source();
    State found = store.find(source).orElseThrow(() -> new StateFailure.NotFound(source));
    if (!transfer.overwrites() && presence.of(transfer.destination())) {
      throw new StateFailure.Conflict(
          transfer.destination(),
          "a state of '"
              + transfer.destination()
              + "' was stored meanwhile; nothing was changed; try again to be asked about it");
    }
    State copy = State.of(transfer.destination(), found.completed(), found.partial());
    store.save(copy, lock.fence());
    return copy;
  }
}
