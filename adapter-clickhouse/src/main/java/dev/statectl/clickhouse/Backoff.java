package dev.statectl.clickhouse;

import dev.statectl.usecase.Pause;
import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.DoubleSupplier;
import java.util.function.LongSupplier;

/**
 * How often and when something is tried again: four times at most, after 100 ms, 200 ms and 400 ms,
 * each shortened by up to a half at random, so that clients that failed together do not come back
 * together.
 *
 * @param random gives numbers from 0 (inclusive) to 1 (exclusive)
 * @param pause how to wait
 * @param nanoTime the local monotonic clock, in nanoseconds from any start
 */
record Backoff(DoubleSupplier random, Pause pause, LongSupplier nanoTime) {
  /** How often something is tried. */
  static final int MOST_TRIES = 4;

  private static final Duration FIRST_DELAY = Duration.ofMillis(100);

  /** The one of the machine. */
  static Backoff ofMachine() {
    return new Backoff(
        () -> ThreadLocalRandom.current().nextDouble(),
        duration -> Thread.sleep(duration.toMillis()),
        System::nanoTime);
  }

  /** How long to wait after so many tries, at least 1. */
  Duration delay(int tries) {
    long longest = FIRST_DELAY.toNanos() << (tries - 1);
    return Duration.ofNanos((long) (longest * (1 - random.getAsDouble() / 2)));
  }

  /**
   * Waits after so many tries.
   *
   * @return false when the thread was interrupted, whose flag is then set
   */
  boolean await(int tries) {
    return await(delay(tries));
  }

  /** Waits for a delay that was drawn before; gives the same as the other. */
  boolean await(Duration delay) {
    try {
      pause.pause(delay);
      return true;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }
}
