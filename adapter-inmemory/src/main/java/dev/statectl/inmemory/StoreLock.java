package dev.statectl.inmemory;

import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The one lock of a backend, which also knows whether the backend was closed. */
final class StoreLock {
  private final ReentrantLock lock = new ReentrantLock();
  private boolean closed;

  /** Runs an operation alone, unless the backend was closed. */
  <T extends @Nullable Object> T run(Supplier<T> operation) {
    lock.lock();
    try {
      if (closed) {
        throw new IllegalStateException("the backend is closed");
      }
      return operation.get();
    } finally {
      lock.unlock();
    }
  }

  /** Closes the backend; the first time, runs what is to be done last. */
  void close(Runnable last) {
    lock.lock();
    try {
      if (!closed) {
        last.run();
      }
      closed = true;
    } finally {
      lock.unlock();
    }
  }
}
