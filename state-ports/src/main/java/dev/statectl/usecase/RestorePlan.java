package dev.statectl.usecase;

import dev.statectl.port.HistoryEntry;
import dev.statectl.port.StoredState;
import dev.statectl.state.State;
import dev.statectl.state.StateId;
import java.util.Optional;

/**
 * What {@link RestoreState} or {@link UndoState} would do, and what it was planned upon: it is done
 * only if that is still so. Immutable and thread-safe.
 *
 * @param id whose state is to be restored
 * @param current what is stored now; empty when nothing is
 * @param newest the newest record in the history, if there is one
 * @param source the record that is to be stored again
 * @param target the state that it holds, of the record's version
 * @param undo whether this undoes the last change, so that a further undo goes back further
 */
public record RestorePlan(
    StateId id,
    Optional<StoredState> current,
    Optional<HistoryEntry> newest,
    HistoryEntry source,
    State target,
    boolean undo) {

  /**
   * Tells whether there is nothing to do.
   *
   * @return true when what is stored is the target already, byte for byte
   */
  public boolean changesNothing() {
    return current.filter(stored -> Restoration.isSame(stored, target)).isPresent();
  }
}
