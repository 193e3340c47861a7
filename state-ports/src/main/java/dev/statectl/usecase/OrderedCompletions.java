package dev.statectl.usecase;

import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;

/**
 * Completes futures in the order in which they were given, one at a time: whoever has something to
 * complete runs also what others add meanwhile. So what depends on the futures keeps the order,
 * although several threads give them. Thread-safe.
 */
final class OrderedCompletions {
  private final Deque<Runnable> left = new ArrayDeque<>();
  private long added;
  private long done;
  private @Nullable Thread runner;

  /** Adds a completion, to be run by {@link #run()}. */
  synchronized void add(Runnable completion) {
    left.add(completion);
    added++;
  }

  /**
   * Runs what is left, unless another thread does. Not for holders of locks: dependents run here.
   */
  void run() {
    synchronized (this) {
      if (runner != null) {
        return;
      }
      runner = Thread.currentThread();
    }
    for (Runnable next = next(); next != null; next = next()) {
      next.run();
      synchronized (this) {
        done++;
        notifyAll();
      }
    }
  }

  private synchronized @Nullable Runnable next() {
    Runnable next = left.poll();
    if (next == null) {
      runner = null;
    }
    return next;
  }

  /**
   * Waits until all that was added before has run; not in the thread that runs it, which would wait
   * for itself.
   *
   * @return whether the thread was interrupted meanwhile
   */
  synchronized boolean await() {
    long all = added;
    boolean interrupted = false;
    while (done < all && runner != Thread.currentThread()) {
      try {
        wait();
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    return interrupted;
  }
}
