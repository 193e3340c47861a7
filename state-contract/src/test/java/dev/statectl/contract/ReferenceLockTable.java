package dev.statectl.contract;

import dev.statectl.lock.Fence;
import dev.statectl.lock.LockCandidate;
import dev.statectl.lock.LockId;
import dev.statectl.port.LockTable;
import dev.statectl.state.StateId;
import dev.statectl.state.StateIdGlob;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;

/**
 * The plainest table of locks that keeps every rule, without an arbiter. Its clock stands still.
 */
class ReferenceLockTable implements LockTable {
  static final Instant NOW = ReferenceStore.NOW.truncatedTo(ChronoUnit.SECONDS);

  final Set<LockCandidate> rows =
      new TreeSet<>(Comparator.comparing(LockCandidate::id).thenComparing(LockCandidate::lockId));
  boolean closed;

  @Override
  public synchronized void announce(StateId id, LockId lockId, String holder) {
    checkOpen();
    put(new LockCandidate(id, lockId, NOW, NOW, holder));
  }

  @Override
  public synchronized List<LockCandidate> look(StateId id) {
    checkOpen();
    return rows.stream().filter(row -> row.id().equals(id)).toList();
  }

  @Override
  public synchronized boolean renew(StateId id, LockId lockId, Duration stale) {
    checkOpen();
    Optional<LockCandidate> row = fresh(id, lockId, stale);
    row.ifPresent(old -> put(new LockCandidate(id, lockId, NOW, NOW, old.holder())));
    return row.isPresent();
  }

  @Override
  public synchronized boolean withdraw(StateId id, LockId lockId) {
    checkOpen();
    return rows.removeIf(row -> row.id().equals(id) && row.lockId().equals(lockId));
  }

  @Override
  public synchronized void removeStale(StateId id, Duration stale) {
    checkOpen();
    rows.removeIf(row -> row.id().equals(id) && isStale(row, stale));
  }

  @Override
  public void forEach(StateIdGlob glob, Consumer<? super LockCandidate> action) {
    picked(glob).forEach(action);
  }

  /** The rows that a walk meets, as they are now. */
  synchronized List<LockCandidate> picked(StateIdGlob glob) {
    checkOpen();
    return rows.stream().filter(row -> glob.matches(row.id())).toList();
  }

  /** Tells whether a write under the fence may be made. */
  synchronized boolean isOpen(Fence fence) {
    return fresh(fence.lock(), fence.lockId(), fence.stale()).isPresent();
  }

  synchronized void plant(RawLock row) {
    put(candidate(row));
  }

  /** Stores a claim; false where there is no arbiter. */
  boolean plantClaim(RawLock claim) {
    return false;
  }

  static LockCandidate candidate(RawLock row) {
    return new LockCandidate(
        StateId.ofStored(row.id()),
        new LockId(row.lockId()),
        NOW.minusSeconds(row.ageSeconds()),
        NOW,
        row.holder());
  }

  Optional<LockCandidate> fresh(StateId id, LockId lockId, Duration stale) {
    return rows.stream()
        .filter(row -> row.id().equals(id) && row.lockId().equals(lockId))
        .filter(row -> !isStale(row, stale))
        .findFirst();
  }

  void put(LockCandidate row) {
    rows.remove(row);
    rows.add(row);
  }

  static boolean isStale(LockCandidate row, Duration stale) {
    return row.age().compareTo(stale) > 0;
  }

  final void checkOpen() {
    if (closed) {
      throw new IllegalStateException("the backend was closed");
    }
  }
}
