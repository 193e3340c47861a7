package dev.statectl.cli;

import dev.statectl.lock.LockCandidate;
import dev.statectl.state.StateId;
import java.util.Comparator;
import java.util.List;

/** Finds who holds a lock. */
final class LockHolders {
  private LockHolders() {}

  /**
   * All whose row counts. The first has been there longest, so it is the holder if anybody is; the
   * others wait.
   */
  static List<LockDescription> of(StateId id, BackendComponent component) {
    return component.locks().look(id).stream()
        .filter(row -> !row.isStale(component.locking().terms()))
        .sorted(Comparator.comparing(LockCandidate::since).thenComparing(LockCandidate::lockId))
        .map(row -> new LockDescription(row, component.locking().terms()))
        .toList();
  }

  /** Says that there is none, and whether there is a run of that id. */
  static CommandFailure nobody(StateId id, BackendComponent component) {
    String message = "nobody holds the lock of '" + id + "'";
    StateId run = RunLock.of(id);
    return new CommandFailure(
        ExitCode.NOT_FOUND,
        of(run, component).isEmpty()
            ? message
            : message + "; 'lock run' holds another, that of '" + run + "'");
  }
}
