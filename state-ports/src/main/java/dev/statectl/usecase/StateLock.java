package dev.statectl.usecase;

import dev.statectl.lock.Fence;
import dev.statectl.lock.LockId;
import dev.statectl.lock.LockTerms;
import dev.statectl.port.LockTable;
import dev.statectl.port.StateFailure;
import dev.statectl.state.StateId;
import java.util.Objects;
import java.util.Set;
import java.util.function.Consumer;

/**
 * A lock that is held: from {@link AcquireLock} until {@link #close()}, once. It is renewed by
 * itself when half of the stale time has passed, for as long as it is open.
 *
 * <p>A lock can be lost: its row was removed (broken by an operator), or it could not be renewed
 * before it became stale. The time counts from before the last renewal was sent, by the local
 * monotonic clock, so the holder knows of the end of its lock no later than anybody else. Writes
 * under a lock are fenced ({@link #fence()}): should the holder itself be stopped for long, the
 * store refuses what it still sends.
 *
 * <p>Thread-safe.
 */
public final class StateLock implements AutoCloseable {
  /** Why a lock is lost that was thought to be held until the end. */
  static final String GONE = "its row was gone when it was released";

  private final StateId id;
  private final LockId lockId;
  private final LockTerms terms;
  private final Withdrawal withdrawal;
  private final Lease lease;

  private StateLock(
      StateId id, LockId lockId, LockTerms terms, Withdrawal withdrawal, Lease lease) {
    this.id = id;
    this.lockId = lockId;
    this.terms = terms;
    this.withdrawal = withdrawal;
    this.lease = lease;
  }

  static StateLock held(
      StateId id, LockId lockId, long sentAt, LockTable table, LockTerms terms, LockMeans means) {
    Lease lease =
        Lease.of(
            Set.of(id),
            sentAt,
            held -> table.renew(id, lockId, terms.stale()) ? held : Set.of(),
            terms,
            means);
    return new StateLock(id, lockId, terms, new Withdrawal(table, terms, means), lease);
  }

  /**
   * Tells whose lock it is.
   *
   * @return the id
   */
  public StateId id() {
    return id;
  }

  /**
   * Tells which candidate holds it.
   *
   * @return the lock id
   */
  public LockId lockId() {
    return lockId;
  }

  /**
   * Tells whether the lock is held now.
   *
   * @return false when it was lost or closed, or ran out
   */
  public boolean isValid() {
    return lease.isHeld(id);
  }

  /**
   * Gives what a write under the lock hands to the store.
   *
   * @return the fence
   * @throws StateFailure.LockLost when the lock was lost or ran out
   * @throws IllegalStateException when the lock was closed
   */
  public Fence fence() {
    if (lease.isEnded()) {
      throw new IllegalStateException("the lock of '" + id + "' was released");
    }
    String loss = lease.lossOf(id);
    if (loss == null && lease.isHeld(id)) {
      return new Fence(id, lockId, terms.stale());
    }
    throw new StateFailure.LockLost(id, Objects.requireNonNullElse(loss, "it was released"));
  }

  /**
   * Asks to be told when the lock is lost while it is open.
   *
   * @param listener is called once, in the thread that finds out: the timer's, or that of a caller
   *     of {@link #fence()}; at once, in the caller's, when the lock is lost already
   */
  public void onLost(Consumer<StateFailure.LockLost> listener) {
    lease.onLost(listener);
  }

  /**
   * Lets go: ends the renewals and removes the holder's row. Closing twice does nothing.
   *
   * @throws StateFailure.LockLost when the lock was lost, or the row was gone already
   * @throws StateFailure when the row could not be removed; it becomes stale by itself
   */
  @Override
  public void close() {
    if (!lease.end()) {
      return;
    }
    boolean wasThere = lease.betweenRenewals(() -> withdrawal.withdraw(id, lockId));
    String lost = lease.lossOf(id);
    if (lost == null && !wasThere) {
      lost = GONE;
    }
    if (lost != null) {
      throw new StateFailure.LockLost(id, lost);
    }
  }
}
