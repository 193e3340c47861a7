package dev.statectl.usecase;

import dev.statectl.port.StateFailure;
import dev.statectl.port.StateStore;
import dev.statectl.state.State;
import dev.statectl.state.StateId;
import java.util.Optional;

/**
 * Moves the state of one id to another, both halves byte for byte.
 *
 * <ol>
 *   <li>The locks of both ids are taken, in their order, so that two moves never wait for each
 *       other.
 *   <li>The destination is written, fenced by its lock.
 *   <li>It is read back and compared.
 *   <li>The source is deleted, fenced by its lock: nobody who locks has changed it meanwhile.
 * </ol>
 *
 * <p>Wherever that ends, the state is under one of the two ids at least. Thread-safe.
 */
public final class MoveState {
  private final StateStore store;
  private final AcquireLock locks;
  private final CopyState copyState;

  /**
   * Makes the use case.
   *
   * @param store where states are kept
   * @param locks takes the locks of both ids
   */
  public MoveState(StateStore store, AcquireLock locks) {
    this.store = store;
    this.locks = locks;
    this.copyState = new CopyState(store, locks);
  }

  /**
   * What a move did.
   *
   * @param state the state as it is stored under the destination now
   * @param notDeleted why the source could not be deleted, or empty when it was: then the state is
   *     under both ids, unless the failure is {@link StateFailure.OutcomeUnknown}
   */
  public record Moved(State state, Optional<StateFailure> notDeleted) {}

  /**
   * Moves a state under the locks of both ids.
   *
   * @param transfer from where to where
   * @return the state, and whether the source is left
   * @throws StateFailure.NotFound when there is no state under the source; nothing is changed
   * @throws StateFailure.UnreadableState when what is stored under the source cannot be read;
   *     nothing is changed
   * @throws StateFailure.Conflict when there is something under the destination, and the transfer
   *     does not overwrite: nothing is changed; or when the destination does not hold what was
   *     written to it: the source is left
   * @throws StateFailure as {@link StateStore#save(State)} and {@link AcquireLock} do; the source
   *     is left
   */
  public Moved move(Transfer transfer) {
    StateId source = transfer.source();
    StateId destination = transfer.destination();
    if (source.compareTo(destination) < 0) {
      return locks.with(
          source, from -> locks.with(destination, to -> moveUnder(from, to, transfer)));
    }
    return locks.with(destination, to -> locks.with(source, from -> moveUnder(from, to, transfer)));
  }

  private Moved moveUnder(StateLock from, StateLock to, Transfer transfer) {
    State written = copyState.copy(transfer, to);
    if (!isStored(written)) {
      throw new StateFailure.Conflict(
          transfer.destination(),
          "the state of '"
              + transfer.destination()
              + "' is not what was written to it; '"
              + transfer.source()
              + "' was not deleted");
    }
    try {
      store.delete(transfer.source(), from.fence());
      return new Moved(written, Optional.empty());
    } catch (StateFailure e) {
      return new Moved(written, Optional.of(e));
    }
  }

  private boolean isStored(State written) {
    return store
        .find(written.id())
        .filter(
            found ->
                found.completed().equals(written.completed())
                    && found.partial().equals(written.partial()))
        .isPresent();
  }
}
