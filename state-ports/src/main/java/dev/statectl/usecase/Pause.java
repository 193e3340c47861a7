package dev.statectl.usecase;

import java.time.Duration;

/** How to wait. The real one sleeps; a test's moves its clock. Thread-safe. */
@FunctionalInterface
public interface Pause {

  /**
   * Waits.
   *
   * @param duration how long
   * @throws InterruptedException when the waiting thread is interrupted
   */
  void pause(Duration duration) throws InterruptedException;
}
