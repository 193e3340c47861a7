package dev.statectl.usecase;

import dev.statectl.port.HistoryRecord;
import dev.statectl.port.StateFailure;
import dev.statectl.port.StateHistory;
import dev.statectl.port.StateStore;
import dev.statectl.state.StateId;
import dev.statectl.state.StateVersion;
import java.util.Optional;

/**
 * Restores a version of a state: stores it again, as a new version. Nothing in the history is
 * rewritten. Thread-safe.
 */
public final class RestoreState {
  private final StateHistory history;
  private final Restoration restoration;

  /**
   * Makes the use case.
   *
   * @param store where states are kept
   * @param history where they are recorded
   * @param locks takes the id's lock
   */
  public RestoreState(StateStore store, StateHistory history, AcquireLock locks) {
    this.history = history;
    this.restoration = new Restoration(store, history, locks);
  }

  /**
   * Tells what would be done. Changes nothing and takes no lock.
   *
   * @param id whose state
   * @param version which version of it
   * @return the plan
   * @throws StateFailure.NotFound when the history has no such version, or it is a removal
   * @throws StateFailure.UnreadableState when the version is no state
   * @throws StateFailure as {@link StateHistory#find} and {@link StateStore#find} do
   */
  public RestorePlan plan(StateId id, StateVersion version) {
    HistoryRecord found =
        history.find(id, version).orElseThrow(() -> new StateFailure.NotFound(id, version));
    return new RestorePlan(
        id,
        restoration.current(id),
        restoration.newest(id),
        found.entry(),
        Restoration.stateOf(found),
        false);
  }

  /**
   * Does what was planned, under the id's lock, and reads it back.
   *
   * @param plan the plan
   * @return the version that was stored; empty when the target was stored already and nothing was
   *     written
   * @throws StateFailure.Conflict when the state is not what the plan was made upon, and nothing
   *     was changed, or when somebody changed it before it was read back
   * @throws StateFailure as {@link StateStore#save} and {@link AcquireLock} do
   * @throws IllegalArgumentException when the id may not be written
   */
  public Optional<StateVersion> apply(RestorePlan plan) {
    return restoration.apply(plan);
  }
}
