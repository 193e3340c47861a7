package dev.statectl.usecase;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Completes futures in the order in which they were given, one at a time: whoever runs completions
 * runs also what others add meanwhile. So what depends on the futures keeps the order, although
 * several threads give them. Thread-safe; not for holders of locks, since dependents run here.
 */
final class OrderedCompletions {
  private final Queue<Runnable> left = new ConcurrentLinkedQueue<>();
  private final ReentrantLock running = new ReentrantLock();

  /** Adds a completion, to be run later. */
  void add(Runnable completion) {
    left.add(completion);
  }

  /** Runs what is left, unless another thread is about it, which then runs that, too. */
  void run() {
    // Again when something came after the other thread had looked for the last time.
    while (!left.isEmpty() && !running.isHeldByCurrentThread() && running.tryLock()) {
      try {
        runAll();
      } finally {
        running.unlock();
      }
    }
  }

  /**
   * Returns when all that was added before has run, in this thread or another; in one that runs a
   * completion at once, since that would wait for itself.
   */
  void finish() {
    if (running.isHeldByCurrentThread()) {
      return;
    }
    running.lock();
    try {
      runAll();
    } finally {
      running.unlock();
    }
  }

  private void runAll() {
    for (Runnable next = left.poll(); next != null; next = left.poll()) {
      next.run();
    }
  }
}
