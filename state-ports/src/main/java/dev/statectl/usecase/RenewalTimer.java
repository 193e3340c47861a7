package dev.statectl.usecase;

import java.time.Duration;

/** Runs the renewals of held locks. Thread-safe. */
@FunctionalInterface
public interface RenewalTimer {

  /**
   * Runs a task once, later, in a thread of the timer's own.
   *
   * @param delay how long from now
   * @param task what to run; it throws nothing
   * @return takes the task back; does nothing when it ran or runs
   */
  Runnable after(Duration delay, Runnable task);
}
