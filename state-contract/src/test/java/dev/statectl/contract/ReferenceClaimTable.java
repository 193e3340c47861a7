package dev.statectl.contract;

import dev.statectl.lock.LockCandidate;
import dev.statectl.lock.LockId;
import dev.statectl.state.StateId;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** The plainest table of locks with an arbiter that keeps every rule. */
class ReferenceClaimTable extends ReferenceLockTable {
  final Map<StateId, LockCandidate> claims = new HashMap<>();
  // Who claimed before it announced itself; the rows of others count by themselves.
  private final Set<List<Object>> claimed = new HashSet<>();

  @Override
  public synchronized boolean claim(StateId id, LockId lockId, String holder, Duration stale) {
    checkOpen();
    if (isFree(id, stale)) {
      put(id, lockId, holder);
    }
    return hasClaim(id, lockId);
  }

  @Override
  public synchronized Optional<LockCandidate> claimant(StateId id) {
    checkOpen();
    return Optional.ofNullable(claims.get(id));
  }

  @Override
  public synchronized boolean renew(StateId id, LockId lockId, Duration stale) {
    boolean renewed = super.renew(id, lockId, stale);
    if (renewed && hasClaim(id, lockId)) {
      put(id, lockId, claims.get(id).holder());
    }
    return renewed;
  }

  @Override
  public synchronized boolean withdraw(StateId id, LockId lockId) {
    boolean removed = super.withdraw(id, lockId);
    if (hasClaim(id, lockId)) {
      claims.remove(id);
    }
    return removed;
  }

  @Override
  synchronized boolean plantClaim(RawLock claim) {
    LockCandidate planted = candidate(claim);
    claims.put(planted.id(), planted);
    return true;
  }

  @Override
  Optional<LockCandidate> fresh(StateId id, LockId lockId, Duration stale) {
    return super.fresh(id, lockId, stale)
        .filter(row -> !claimed.contains(List.of(id, lockId)) || holdsByClaim(id, lockId, stale));
  }

  boolean isFree(StateId id, Duration stale) {
    LockCandidate claim = claims.get(id);
    return claim == null || isStale(claim, stale);
  }

  boolean hasClaim(StateId id, LockId lockId) {
    LockCandidate claim = claims.get(id);
    return claim != null && claim.lockId().equals(lockId);
  }

  /** Whether a candidate that claimed still has the claim, and not a stale one. */
  boolean holdsByClaim(StateId id, LockId lockId, Duration stale) {
    return hasClaim(id, lockId) && !isStale(claims.get(id), stale);
  }

  final void put(StateId id, LockId lockId, String holder) {
    claimed.add(List.of(id, lockId));
    claims.put(id, new LockCandidate(id, lockId, NOW, NOW, holder));
  }
}
