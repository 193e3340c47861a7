package dev.statectl.usecase;

import dev.statectl.port.SaveRules;
import dev.statectl.port.StateFailure;
import dev.statectl.port.StateStore;
import dev.statectl.state.State;
import dev.statectl.state.StateId;
import java.util.Optional;
import java.util.function.UnaryOperator;

/**
 * Changes a part of a state: reads it, changes it and stores it under the id's lock, so that
 * nothing that a run wrote meanwhile is lost. Thread-safe.
 */
public final class ChangeState {
  private final StateStore store;
  private final AcquireLock locks;

  /**
   * Makes the use case.
   *
   * @param store where states are kept
   * @param locks takes the id's lock
   */
  public ChangeState(StateStore store, AcquireLock locks) {
    this.store = store;
    this.locks = locks;
  }

  /**
   * What was there and what was stored.
   *
   * @param before the state that was changed
   * @param after the state that was stored; the same when nothing was to be changed
   */
  public record Changed(State before, State after) {}

  /**
   * Changes a state.
   *
   * @param id the id
   * @param change makes the new state of the stored one, of the same id; what it throws passes, and
   *     nothing is stored. When it gives equal halves, nothing is stored either
   * @return what was there and what was stored
   * @throws StateFailure.NotFound when nothing is stored under the id
   * @throws StateFailure as {@link StateStore#find}, {@link StateStore#save(State)} and {@link
   *     AcquireLock} do
   */
  public Changed change(StateId id, UnaryOperator<State> change) {
    return change(id, change, GuardRails.NONE);
  }

  /**
   * Changes a state, unless guard rails refuse it.
   *
   * @param id the id
   * @param change makes the new state of the stored one, as for {@link #change(StateId,
   *     UnaryOperator)}
   * @param guardRails are asked under the id's lock, about what is stored and what would be
   * @return what was there and what was stored
   * @throws StateFailure.Doubtful when the guard rails refuse it; nothing is changed
   * @throws StateFailure as {@link #change(StateId, UnaryOperator)} does
   */
  public Changed change(StateId id, UnaryOperator<State> change, GuardRails guardRails) {
    return locks.with(
        id,
        lock -> {
          State before = store.find(id).orElseThrow(() -> new StateFailure.NotFound(id));
          State after = change.apply(before);
          if (!after.completed().equals(before.completed())
              || !after.partial().equals(before.partial())) {
            SaveRules.check(after);
            guardRails.check(Optional.of(before), after);
            store.save(after, lock.fence());
          }
          return new Changed(before, after);
        });
  }
}
