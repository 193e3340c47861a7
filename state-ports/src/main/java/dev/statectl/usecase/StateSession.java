package dev.statectl.usecase;

import dev.statectl.json.JsonObject;
import dev.statectl.port.SaveRules;
import dev.statectl.port.StateFailure;
import dev.statectl.port.StateStore;
import dev.statectl.state.State;
import dev.statectl.state.StateId;
import dev.statectl.state.StateVersion;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * A run with many checkpoints: holds the lock of one state from {@link #open} to {@link #close()},
 * accepts a checkpoint at any time, and writes the newest state at most once per interval.
 *
 * <p>There are two promises, and they are kept apart:
 *
 * <ul>
 *   <li><b>Accepted</b> is what {@link #save} returned for. It is in memory and not stored yet. As
 *       long as the session is open it is never given up: after a write that failed it is written
 *       again, an interval later and not before a second has passed.
 *   <li><b>Stored</b> is what the future that {@code save} gave completed for, or what was accepted
 *       before a {@link #flush()} or {@link #close()} that returned. Either the checkpoint itself
 *       is stored, or a newer state in which it is merged.
 * </ul>
 *
 * Whoever has to pass on only what is stored, such as a Singer target its STATE messages, does so
 * when the future completes. They complete in the order in which their checkpoints were accepted,
 * one after the other, in the timer's thread or one that flushes or closes, and before a flush or
 * close that waits for them returns. So what depends on them keeps that order; it may use the
 * session, but must be short, and not wait for another thread that flushes or closes. A future that
 * fails says that the session will not store the checkpoint: the lock was lost, or the last write
 * of {@code close()} failed.
 *
 * <p>A checkpoint counts as in {@link SaveState}: one without a completed half is merged into the
 * partial half, any other replaces both halves. However many are written at once, the stored state
 * has the bytes that single saves would have left. No guard rails are applied: a pipeline's own
 * saves are never doubted.
 *
 * <p>The first checkpoint is written at once, in the timer's thread, and so is each for which the
 * interval is over; the interval begins when a write ends. What is accepted during a write or the
 * interval after it is written together at its end. There is never more than one write at a time.
 * Writes are fenced by the lock; what others write past the lock meanwhile is replaced.
 *
 * <p>When a write has failed, {@code save} throws what it failed with, and accepts nothing, until
 * one succeeds: nobody gets further and further ahead of what is stored. Once the lock is lost, it
 * throws {@link StateFailure.LockLost} for good.
 *
 * <p>Thread-safe.
 */
public final class StateSession implements AutoCloseable {
  private static final Duration LEAST_RETRY = Duration.ofSeconds(1);

  private final StateStore store;
  private final StateLock lock;
  private final Timer timer;
  private final LongSupplier nanoTime;
  private final Duration interval;

  private final OrderedCompletions completions = new OrderedCompletions();

  // Held while a checkpoint is merged, which may take a read and must not hold up a write.
  private final Object accepting = new Object();

  // Held while a write is made, so that there is one at a time.
  private final Object sending = new Object();

  // Guards the fields below.
  private final Object guard = new Object();
  private @Nullable State newest;
  private long accepted;
  private long stored;
  private StateVersion version = StateVersion.NONE;
  private final List<CompletableFuture<StateVersion>> waiting = new ArrayList<>();
  private boolean writing;
  private long notBefore;
  private long turns;
  private @Nullable Runnable cancelTurn;
  private @Nullable Throwable failure;
  private boolean outcomeIsUnknown;
  private StateFailure.@Nullable LockLost loss;
  private boolean closed;

  /** What one write stores, and whom it concerns. */
  private record Write(State state, long accepted, List<CompletableFuture<StateVersion>> waiting) {}

  private StateSession(StateStore store, StateLock lock, Duration interval, LockMeans means) {
    this.store = store;
    this.lock = lock;
    this.timer = means.timer();
    this.nanoTime = means.nanoTime();
    this.interval = interval;
    this.notBefore = nanoTime.getAsLong();
  }

  /**
   * Takes the lock of a state, waiting for it as long as its terms say, and begins a session.
   * Nothing is read or written yet.
   *
   * @param id whose state is saved
   * @param store where it is kept
   * @param locks takes the lock, which is renewed until the session is closed
   * @param interval how long after the end of a write the next one begins at the earliest; zero to
   *     write again at once
   * @param means the timer that writes, and the clock for the interval. A write takes as long as
   *     the store does, so a timer that also renews the lock should have a second thread
   * @return the session, to be closed
   * @throws StateFailure as {@link AcquireLock#acquire(StateId)} does
   * @throws IllegalArgumentException when the id may not be written, or the interval is negative
   */
  public static StateSession open(
      StateId id, StateStore store, AcquireLock locks, Duration interval, LockMeans means) {
    SaveRules.check(State.of(id, JsonObject.EMPTY, JsonObject.EMPTY));
    if (interval.isNegative()) {
      throw new IllegalArgumentException("interval must not be negative, is " + interval);
    }
    StateLock lock = locks.acquire(id);
    StateSession session = new StateSession(store, lock, interval, means);
    lock.onLost(session::lose);
    return session;
  }

  /**
   * Accepts a checkpoint, to be stored soon. The first one without a completed half reads what is
   * stored, if none with one came before; apart from that nothing is waited for. A checkpoint for
   * which this throws is not accepted: it will not be stored, and changes nothing.
   *
   * @param state the state that the run left so far
   * @return the caller's own; completes with the version that was stored when the checkpoint is, or
   *     fails with the {@link StateFailure} for which it will not be
   * @throws StateFailure.LockLost when the lock is held no more; says how many checkpoints before
   *     this one are not stored
   * @throws StateFailure.TooLarge when the state that comes of it is larger than {@link
   *     SaveRules#MAX_STATE_BYTES}
   * @throws StateFailure.UnreadableState when it is to be merged into one that cannot be read
   * @throws StateFailure what the last write failed with, until one succeeds, with the number of
   *     checkpoints before this one that are not stored yet; or as {@link StateStore#find} does
   * @throws IllegalArgumentException when the state has another id
   * @throws IllegalStateException when the session was closed, or the backend
   * @throws java.util.concurrent.RejectedExecutionException when the timer was shut down
   */
  public CompletableFuture<StateVersion> save(State state) {
    if (!state.id().equals(lock.id())) {
      throw new IllegalArgumentException(
          "a state of '" + state.id() + "' cannot be saved in the session of '" + lock.id() + "'");
    }
    synchronized (accepting) {
      checkAccepting();
      State merged = merged(state);
      SaveRules.check(merged);
      synchronized (guard) {
        checkAccepting();
        if (!writing && cancelTurn == null) {
          takeTurn();
        }
        newest = merged;
        accepted++;
        CompletableFuture<StateVersion> future = new CompletableFuture<>();
        waiting.add(future);
        return future;
      }
    }
  }

  /**
   * Stores what was accepted before, now and in the calling thread, whether or not the interval is
   * over; waits for a write that is under way. Does nothing when all is stored. An interrupt of the
   * calling thread is kept for later: a write has the store's own timeouts.
   *
   * @return the version that holds all that was accepted before, or a later one; {@link
   *     StateVersion#NONE} when nothing was ever accepted
   * @throws StateFailure.LockLost when the lock is held no more; says how many checkpoints are not
   *     stored
   * @throws StateFailure as {@link StateStore#save(State, dev.statectl.lock.Fence)} does, with the
   *     number of checkpoints that are not stored yet; they are tried again
   * @throws IllegalStateException when the session was closed, or the backend
   */
  public StateVersion flush() {
    synchronized (guard) {
      if (closed) {
        throw closedAlready();
      }
    }
    return storeAll(false);
  }

  /**
   * Stores what was accepted, once, and releases the lock, also when that failed. Whoever wants to
   * try for longer calls {@link #flush()} before. An interrupt of the calling thread before or
   * meanwhile is kept for later. Closing twice does nothing.
   *
   * @throws StateFailure.LockLost when the lock was lost and checkpoints are not stored; says how
   *     many. That all is stored is no failure
   * @throws StateFailure as {@link #flush()} does; nobody tries again. A failure to release the
   *     lock is suppressed by it
   * @throws StateFailure.OutcomeUnknown besides, when all is stored but the lock's row could not be
   *     removed, so that others wait until it is stale
   * @throws IllegalStateException when the backend was closed before
   */
  @Override
  public void close() {
    synchronized (guard) {
      if (closed) {
        return;
      }
      closed = true;
      cancelTurn();
    }
    boolean interrupted = Thread.interrupted();
    try {
      finish();
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  private void finish() {
    RuntimeException failed = null;
    try {
      storeAll(true);
    } catch (RuntimeException e) {
      failed = e;
      synchronized (guard) {
        giveUpWaiting(e);
      }
      completions.finish();
    }
    try {
      lock.close();
    } catch (StateFailure.LockLost e) {
      // The writes were fenced, so they were made while the lock was held.
      if (failed != null) {
        failed.addSuppressed(e);
      }
    } catch (RuntimeException e) {
      if (failed == null) {
        failed = notReleased(e);
      } else {
        failed.addSuppressed(e);
      }
    }
    if (failed != null) {
      throw failed;
    }
  }

  private RuntimeException notReleased(RuntimeException e) {
    return new StateFailure.OutcomeUnknown(
        "all checkpoints of '"
            + lock.id()
            + "' are stored, but the lock could not be released: "
            + e.getMessage(),
        e);
  }

  private State merged(State state) {
    if (!state.completed().isEmpty()) {
      return state;
    }
    State base;
    synchronized (guard) {
      base = newest;
    }
    if (base == null) {
      base = store.find(lock.id()).orElse(null);
    }
    return base == null ? state : base.updatedBy(state);
  }

  private void checkAccepting() {
    synchronized (guard) {
      if (closed) {
        throw closedAlready();
      }
      if (loss != null) {
        throw unstored().lost(loss);
      }
      if (failure != null) {
        throw unstored().because("the checkpoint was not accepted: ", " yet", failure);
      }
    }
  }

  private IllegalStateException closedAlready() {
    return new IllegalStateException("the session of '" + lock.id() + "' was closed");
  }

  // What fails is told to whoever calls next.
  private void writeInTurn(long turn) {
    synchronized (sending) {
      Write write;
      synchronized (guard) {
        if (turn != turns) {
          return;
        }
        write = begin();
      }
      carryOut(write);
    }
    completions.run();
  }

  private StateVersion storeAll(boolean closing) {
    boolean interrupted = Thread.interrupted();
    long all;
    try {
      synchronized (sending) {
        Write write = null;
        synchronized (guard) {
          all = accepted;
          if (accepted > stored) {
            if (loss != null) {
              throw unstored().lost(loss);
            }
            if (closed && !closing) {
              throw closedAlready();
            }
            write = begin();
          }
        }
        if (write != null) {
          carryOut(write);
        }
      }
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
    completions.finish();
    synchronized (guard) {
      if (stored >= all) {
        return version;
      }
      throw loss == null
          ? unstored().because("", closing ? "" : " yet", Objects.requireNonNull(failure))
          : unstored().lost(loss);
    }
  }

  private void carryOut(Write write) {
    StateVersion written = null;
    Throwable failed = null;
    try {
      written = store.save(write.state(), lock.fence());
    } catch (RuntimeException | Error e) {
      failed = e;
    }
    synchronized (guard) {
      writing = false;
      if (written == null) {
        failed(write, Objects.requireNonNull(failed));
      } else {
        succeeded(write, written);
      }
      if (loss != null) {
        giveUpWaiting(unstored().lost(loss));
      } else if (accepted > stored && !closed) {
        takeNextTurn();
      }
    }
  }

  // Called by the lock.
  private void lose(StateFailure.LockLost lost) {
    synchronized (guard) {
      if (loss != null) {
        return;
      }
      loss = lost;
      cancelTurn();
      if (writing) {
        // It may have been fenced in time; whoever carries it out tells.
        return;
      }
      giveUpWaiting(unstored().lost(lost));
    }
    completions.run();
  }

  // All below is called with the guard held.

  private Unstored unstored() {
    return new Unstored(lock.id(), accepted - stored, outcomeIsUnknown);
  }

  private void takeTurn() {
    long turn = ++turns;
    long left = notBefore - nanoTime.getAsLong();
    cancelTurn = timer.after(Duration.ofNanos(Math.max(0, left)), () -> writeInTurn(turn));
  }

  private void cancelTurn() {
    turns++;
    if (cancelTurn != null) {
      cancelTurn.run();
      cancelTurn = null;
    }
  }

  private Write begin() {
    cancelTurn();
    writing = true;
    Write write = new Write(Objects.requireNonNull(newest), accepted, List.copyOf(waiting));
    waiting.clear();
    return write;
  }

  private void succeeded(Write write, StateVersion written) {
    version = written;
    write.waiting().forEach(future -> completions.add(() -> future.complete(written)));
    stored = write.accepted();
    failure = null;
    outcomeIsUnknown = false;
    notBefore = nanoTime.getAsLong() + interval.toNanos();
  }

  private void failed(Write write, Throwable failed) {
    waiting.addAll(0, write.waiting());
    failure = failed;
    outcomeIsUnknown |= failed instanceof StateFailure.OutcomeUnknown;
    if (failed instanceof StateFailure.LockLost lost && loss == null) {
      loss = lost;
    }
    Duration pause = interval.compareTo(LEAST_RETRY) < 0 ? LEAST_RETRY : interval;
    notBefore = nanoTime.getAsLong() + pause.toNanos();
  }

  private void takeNextTurn() {
    try {
      takeTurn();
    } catch (RuntimeException e) {
      // The timer was shut down: nobody writes any more unless the caller does.
      failure = failure == null ? e : failure;
    }
  }

  private void giveUpWaiting(Throwable failed) {
    waiting.forEach(future -> completions.add(() -> future.completeExceptionally(failed)));
    waiting.clear();
  }
}
