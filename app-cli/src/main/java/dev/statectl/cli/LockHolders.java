package dev.statectl.cli;

import dev.statectl.lock.LockCandidate;
import dev.statectl.state.StateId;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** Finds who holds a lock. */
final class LockHolders {
  private LockHolders() {}

  /**
   * All whose row counts, and whoever has the claim although it has no row: it ended between the
   * two, or is about to announce itself. The first has been there longest, so it is the holder if
   * anybody is; the others wait.
   */
  static List<LockDescription> of(StateId id, BackendComponent component) {
    List<LockCandidate> rows = component.locks().look(id);
    Stream<LockCandidate> claimant =
        component.locks().claimant(id).stream()
            .filter(claim -> rows.stream().noneMatch(row -> row.lockId().equals(claim.lockId())));
    return Stream.concat(rows.stream(), claimant)
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
