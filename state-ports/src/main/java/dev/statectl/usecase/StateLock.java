package dev.statectl.usecase;

import dev.statectl.lock.Fence;
import dev.statectl.lock.LockId;
import dev.statectl.lock.LockTerms;
import dev.statectl.port.LockTable;
import dev.statectl.port.StateFailure;
import dev.statectl.state.StateId;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

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
  private static final String GONE = "its row was gone when it was released";

  private final StateId id;
  private final LockId lockId;
  private final LockTable table;
  private final LockTerms terms;
  private final LockMeans means;

  // Held while a renewal is sent, so that none can arrive after the row was withdrawn.
  private final Object sending = new Object();

  // Guards the fields below.
  private final Object guard = new Object();
  private long validUntil;
  private boolean closed;
  private @Nullable String loss;
  private final List<Consumer<StateFailure.LockLost>> listeners = new ArrayList<>();
  private Runnable cancelRenewal = () -> {};

  private StateLock(
      StateId id, LockId lockId, long sentAt, LockTable table, LockTerms terms, LockMeans means) {
    this.id = id;
    this.lockId = lockId;
    this.table = table;
    this.terms = terms;
    this.means = means;
    this.validUntil = sentAt + terms.stale().toNanos();
  }

  static StateLock held(
      StateId id, LockId lockId, long sentAt, LockTable table, LockTerms terms, LockMeans means) {
    StateLock lock = new StateLock(id, lockId, sentAt, table, terms, means);
    lock.renewInTime(sentAt);
    return lock;
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
    synchronized (guard) {
      return !closed && loss == null && !hasRunOut();
    }
  }

  /**
   * Gives what a write under the lock hands to the store.
   *
   * @return the fence
   * @throws StateFailure.LockLost when the lock was lost or ran out
   * @throws IllegalStateException when the lock was closed
   */
  public Fence fence() {
    synchronized (guard) {
      if (closed) {
        throw new IllegalStateException("the lock of '" + id + "' was released");
      }
      if (loss == null && !hasRunOut()) {
        return new Fence(id, lockId, terms.stale());
      }
    }
    lose("it was not renewed in time");
    synchronized (guard) {
      throw new StateFailure.LockLost(id, Objects.requireNonNullElse(loss, "it was released"));
    }
  }

  /**
   * Asks to be told when the lock is lost while it is open.
   *
   * @param listener is called once, in the thread that finds out: the timer's, or that of a caller
   *     of {@link #fence()}; at once, in the caller's, when the lock is lost already
   */
  public void onLost(Consumer<StateFailure.LockLost> listener) {
    String lost;
    synchronized (guard) {
      lost = loss;
      if (lost == null) {
        listeners.add(listener);
      }
    }
    if (lost != null) {
      listener.accept(new StateFailure.LockLost(id, lost));
    }
  }

  /**
   * Lets go: ends the renewals and removes the holder's row. Closing twice does nothing.
   *
   * @throws StateFailure.LockLost when the lock was lost, or the row was gone already
   * @throws StateFailure when the row could not be removed; it becomes stale by itself
   */
  @Override
  public void close() {
    String lost;
    synchronized (guard) {
      if (closed) {
        return;
      }
      closed = true;
      cancelRenewal.run();
      lost = loss;
    }
    boolean wasThere;
    synchronized (sending) {
      wasThere = new Withdrawal(table, terms, means).withdraw(id, lockId);
    }
    if (lost == null && !wasThere) {
      lost = GONE;
    }
    if (lost != null) {
      throw new StateFailure.LockLost(id, lost);
    }
  }

  /**
   * Lets go of several locks of one table together: a table may remove many rows in one step.
   *
   * @return for the locks that {@link #close()} would have failed for, the failure
   */
  static Map<StateId, StateFailure> closeAll(List<StateLock> locks) {
    Map<StateId, LockId> rows = new LinkedHashMap<>();
    Map<StateId, String> losses = new HashMap<>();
    for (StateLock lock : locks) {
      synchronized (lock.guard) {
        if (lock.closed) {
          continue;
        }
        lock.closed = true;
        lock.cancelRenewal.run();
        if (lock.loss != null) {
          losses.put(lock.id, lock.loss);
        }
      }
      synchronized (lock.sending) {
        // A renewal that was under way has ended now, and none begins any more.
        rows.put(lock.id, lock.lockId);
      }
    }
    Map<StateId, StateFailure> failures = new HashMap<>();
    if (rows.isEmpty()) {
      return failures;
    }
    StateLock any = locks.get(0);
    try {
      Set<StateId> there =
          new Withdrawal(any.table, any.terms, any.means).withdrawAll(Map.copyOf(rows));
      rows.keySet().stream()
          .filter(id -> !there.contains(id))
          .forEach(id -> losses.putIfAbsent(id, GONE));
    } catch (StateFailure e) {
      rows.keySet().forEach(id -> failures.put(id, e));
    }
    losses.forEach((id, loss) -> failures.put(id, new StateFailure.LockLost(id, loss)));
    return failures;
  }

  private void renewAfter(Duration delay) {
    synchronized (guard) {
      if (!closed && loss == null) {
        cancelRenewal = means.timer().after(delay, this::renew);
      }
    }
  }

  // The time counts from when the row was sent, as its age does: the answer may have taken long.
  private void renewInTime(long sentAt) {
    Duration past = Duration.ofNanos(means.nanoTime().getAsLong() - sentAt);
    Duration left = terms.renewAfter().minus(past);
    renewAfter(left.isNegative() ? Duration.ZERO : left);
  }

  private void renew() {
    String lost;
    synchronized (sending) {
      lost = tryToRenew();
    }
    // Not before: a listener may wait for another thread that closes the lock.
    if (lost != null) {
      lose(lost);
    }
  }

  // Gives the reason why the lock is lost, if it is.
  private @Nullable String tryToRenew() {
    synchronized (guard) {
      if (closed || loss != null) {
        return null;
      }
    }
    long sentAt = means.nanoTime().getAsLong();
    try {
      if (!table.renew(id, lockId, terms.stale())) {
        return "its row was removed or became stale";
      }
    } catch (StateFailure e) {
      return retryUnlessOver(e);
    } catch (RuntimeException e) {
      return "it could not be renewed: " + e.getClass().getSimpleName();
    }
    synchronized (guard) {
      validUntil = sentAt + terms.stale().toNanos();
    }
    renewInTime(sentAt);
    return null;
  }

  private @Nullable String retryUnlessOver(StateFailure failure) {
    synchronized (guard) {
      if (hasRunOut()) {
        return "it could not be renewed in time: " + failure.getMessage();
      }
    }
    renewAfter(terms.stale().dividedBy(20));
    return null;
  }

  private void lose(String reason) {
    List<Consumer<StateFailure.LockLost>> told;
    synchronized (guard) {
      if (closed || loss != null) {
        return;
      }
      loss = reason;
      told = List.copyOf(listeners);
    }
    told.forEach(l -> l.accept(new StateFailure.LockLost(id, reason)));
  }

  private boolean hasRunOut() {
    return means.nanoTime().getAsLong() - validUntil >= 0;
  }
}
