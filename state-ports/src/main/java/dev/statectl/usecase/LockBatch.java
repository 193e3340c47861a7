package dev.statectl.usecase;

import dev.statectl.lock.LockId;
import dev.statectl.lock.LockTerms;
import dev.statectl.port.LockTable;
import dev.statectl.port.StateFailure;
import dev.statectl.state.StateId;
import java.util.Collections;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Locks of many ids that are held by one candidate: taken, renewed and released together, each by
 * itself lost or not. From {@link AcquireLock#acquireAll} until {@link #release()}. Thread-safe.
 */
final class LockBatch {
  private final Set<StateId> ids;
  private final LockId lockId;
  private final Withdrawal withdrawal;
  private final Lease lease;

  private LockBatch(Set<StateId> ids, LockId lockId, Withdrawal withdrawal, Lease lease) {
    this.ids = ids;
    this.lockId = lockId;
    this.withdrawal = withdrawal;
    this.lease = lease;
  }

  static LockBatch held(
      Set<StateId> ids,
      LockId lockId,
      long sentAt,
      LockTable table,
      LockTerms terms,
      LockMeans means) {
    return new LockBatch(
        Collections.unmodifiableSet(ids),
        lockId,
        new Withdrawal(table, terms, means),
        Lease.of(ids, sentAt, held -> table.renewAll(held, lockId, terms.stale()), terms, means));
  }

  /** The ids whose locks were taken. */
  Set<StateId> ids() {
    return ids;
  }

  /** Tells whether the lock of an id is held no more, and why. */
  Optional<StateFailure.LockLost> lossOf(StateId id) {
    return Optional.ofNullable(lease.lossOf(id))
        .map(reason -> new StateFailure.LockLost(id, reason));
  }

  /**
   * Lets go of all; once.
   *
   * @return for each id whose lock was lost, or whose row could not be removed, the failure
   */
  Map<StateId, StateFailure> release() {
    Map<StateId, StateFailure> failures = new HashMap<>();
    // Before the lease ends: after that, nobody finds out that it ran out.
    Map<StateId, StateFailure> losses = new HashMap<>();
    ids.forEach(id -> lossOf(id).ifPresent(lost -> losses.put(id, lost)));
    if (!lease.end() || ids.isEmpty()) {
      return failures;
    }
    Set<StateId> there;
    try {
      there = lease.betweenRenewals(() -> withdrawal.withdrawAll(ids, lockId));
    } catch (StateFailure e) {
      ids.forEach(id -> failures.put(id, e));
      there = ids;
    }
    for (StateId id : ids) {
      if (losses.containsKey(id)) {
        failures.put(id, losses.get(id));
      } else if (!there.contains(id)) {
        failures.put(id, new StateFailure.LockLost(id, StateLock.GONE));
      }
    }
    return failures;
  }
}
