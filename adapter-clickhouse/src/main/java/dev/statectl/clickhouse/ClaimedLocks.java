package dev.statectl.clickhouse;

import dev.statectl.lock.LockId;
import dev.statectl.state.StateId;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Which candidates of this process claimed their lock before they announced themselves: they hold
 * it only by row and claim together. Others, such as peers and those who do not claim, hold by
 * their row. Thread-safe.
 */
final class ClaimedLocks {
  private record Claimed(StateId id, LockId lockId) {}

  private final Set<Claimed> claimed = ConcurrentHashMap.newKeySet();

  boolean contains(StateId id, LockId lockId) {
    return claimed.contains(new Claimed(id, lockId));
  }

  /** Gives those of some locks that a candidate claimed, in their order. */
  Set<StateId> of(Collection<StateId> ids, LockId lockId) {
    Set<StateId> found = new LinkedHashSet<>(ids);
    found.removeIf(id -> !contains(id, lockId));
    return found;
  }

  void add(Collection<StateId> ids, LockId lockId) {
    ids.forEach(id -> claimed.add(new Claimed(id, lockId)));
  }

  void remove(Collection<StateId> ids, LockId lockId) {
    ids.forEach(id -> claimed.remove(new Claimed(id, lockId)));
  }
}
