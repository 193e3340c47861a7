package dev.statectl.usecase;

import java.time.Duration;

/** Runs what is due later: renewals of held locks, and writes of sessions. Thread-safe. */
@FunctionalInterface
public interface Timer {

  /**
   * Runs a task once, later, in a thread of the timer's own.
   *
   * @param delay how long from now
   * @param task what to run; it throws nothing
   * @return takes the task back; does nothing when it ran or runs
   */
  Runnable after(Duration delay, Runnable task);
}
