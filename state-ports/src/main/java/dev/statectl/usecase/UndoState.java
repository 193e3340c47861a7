package dev.statectl.usecase;

import dev.statectl.port.HistoryEntry;
import dev.statectl.port.HistoryRecord;
import dev.statectl.port.StateFailure;
import dev.statectl.port.StateHistory;
import dev.statectl.port.StateStore;
import dev.statectl.port.StoredState;
import dev.statectl.state.State;
import dev.statectl.state.StateId;
import dev.statectl.state.StateVersion;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Undoes the last change of a state, by storing the version before it again as a new one: after a
 * write that is what the write replaced, after a removal what was removed.
 *
 * <p>It goes back as an editor does: an undo after an undo goes back one further, writes that
 * changed no byte are passed over, and a write after an undo begins anew from there. To redo,
 * restore the newer version by name ({@link RestoreState}); that is a change like any other, which
 * an undo undoes.
 *
 * <p>An undo never removes a state: of the first write that the history knows, and of the first
 * after a removal, it says that clearing would do it. Thread-safe.
 */
public final class UndoState {
  private static final int FIRST_LOOK = 64;
  private static final int LATER_LOOKS_ARE_LARGER = 16;

  private final StateHistory history;
  private final Restoration restoration;

  /**
   * Makes the use case.
   *
   * @param store where states are kept
   * @param history where they are recorded
   * @param locks takes the id's lock
   */
  public UndoState(StateStore store, StateHistory history, AcquireLock locks) {
    this.history = history;
    this.restoration = new Restoration(store, history, locks);
  }

  /**
   * Tells what would be done. Changes nothing and takes no lock.
   *
   * @param id whose state
   * @return the plan, which always changes something
   * @throws StateFailure.NotFound when there is no version to go back to
   * @throws StateFailure.UnreadableState when the version to go back to is no state
   * @throws StateFailure as {@link StateHistory#forEach} and {@link StateStore#find} do
   */
  public RestorePlan plan(StateId id) {
    Optional<StoredState> current = restoration.current(id);
    for (int limit = FIRST_LOOK; ; limit = larger(limit)) {
      List<HistoryEntry> entries = new ArrayList<>();
      history.forEach(id, limit, entries::add);
      boolean all = entries.size() < limit || limit == StateHistory.NO_LIMIT;
      Optional<RestorePlan> plan = plan(id, current, entries, all);
      if (plan.isPresent()) {
        return plan.get();
      }
    }
  }

  /**
   * Does what was planned, under the id's lock, and reads it back.
   *
   * @param plan the plan
   * @return the version that was stored
   * @throws StateFailure.Conflict when the state is not what the plan was made upon, and nothing
   *     was changed, or when somebody changed it before it was read back
   * @throws StateFailure as {@link StateHistory#revert} and {@link AcquireLock} do
   * @throws IllegalArgumentException when the id may not be written
   */
  public Optional<StateVersion> apply(RestorePlan plan) {
    return restoration.apply(plan);
  }

  /** Empty when older records are needed to tell. */
  private Optional<RestorePlan> plan(
      StateId id, Optional<StoredState> current, List<HistoryEntry> entries, boolean all) {
    Optional<HistoryEntry> own = current.flatMap(stored -> recordOf(stored, entries));
    int older = own.map(entry -> behind(entry, entries)).orElseGet(() -> older(current, entries));
    for (int i = older; i < entries.size(); i++) {
      HistoryEntry entry = entries.get(i);
      if (entry.kind() == HistoryEntry.Kind.DELETED) {
        if (current.isEmpty()) {
          continue;
        }
        throw new StateFailure.NotFound(
            id,
            "before its last change there was no state of '"
                + id
                + "'; to remove it again: statectl clear; to bring an older version back:"
                + " statectl restore",
            "to remove it again: statectl clear; to bring an older version back: statectl restore");
      }
      if (own.filter(same -> same.fingerprint().equals(entry.fingerprint())).isPresent()) {
        continue;
      }
      State target = Restoration.stateOf(record(entry));
      if (current.filter(stored -> Restoration.isSame(stored, target)).isEmpty()) {
        return Optional.of(
            new RestorePlan(id, current, entries.stream().findFirst(), entry, target, true));
      }
    }
    if (!all) {
      return Optional.empty();
    }
    if (current.isEmpty()) {
      throw new StateFailure.NotFound(id);
    }
    throw new StateFailure.NotFound(
        id,
        "the history of '"
            + id
            + "' knows no version to go back to; to remove the state: statectl clear",
        "to remove the state: statectl clear");
  }

  /** The record of what is stored; empty when it ran out, or was never made. */
  private Optional<HistoryEntry> recordOf(StoredState stored, List<HistoryEntry> entries) {
    Optional<StateVersion> version = Restoration.version(stored);
    if (version.isPresent()) {
      return entries.stream()
          .filter(UndoState::isWritten)
          .filter(entry -> entry.version().equals(version.get()))
          .findFirst();
    }
    // What cannot be read tells no version: it can only be the newest.
    return entries.stream()
        .findFirst()
        .filter(UndoState::isWritten)
        .filter(
            entry ->
                record(entry).state().filter(StoredState.Unreadable.class::isInstance).isPresent());
  }

  /** The index of what was before a record; of an undo, before that to which it went back. */
  private static int behind(HistoryEntry entry, List<HistoryEntry> entries) {
    int at = entries.indexOf(entry);
    while (at < entries.size() && entries.get(at).revertedTo().isPresent()) {
      StateVersion revertedTo = entries.get(at).revertedTo().get();
      do {
        at++;
      } while (at < entries.size()
          && !(isWritten(entries.get(at)) && entries.get(at).version().equals(revertedTo)));
    }
    return at + 1;
  }

  /** The index of the first record that is older than what is stored. */
  private static int older(Optional<StoredState> current, List<HistoryEntry> entries) {
    Optional<StateVersion> version = current.flatMap(Restoration::version);
    if (version.isEmpty()) {
      return 0;
    }
    int at = 0;
    while (at < entries.size() && entries.get(at).version().compareTo(version.get()) >= 0) {
      at++;
    }
    return at;
  }

  private HistoryRecord record(HistoryEntry entry) {
    return history
        .find(entry.id(), entry.version())
        .orElseThrow(
            () ->
                new StateFailure.NotFound(
                    entry.id(),
                    "the version "
                        + entry.version()
                        + " of '"
                        + entry.id()
                        + "' has just run out of the history; try again",
                    "try again"));
  }

  private static boolean isWritten(HistoryEntry entry) {
    return entry.kind() == HistoryEntry.Kind.WRITTEN;
  }

  private static int larger(int limit) {
    return limit > StateHistory.NO_LIMIT / LATER_LOOKS_ARE_LARGER
        ? StateHistory.NO_LIMIT
        : limit * LATER_LOOKS_ARE_LARGER;
  }
}
