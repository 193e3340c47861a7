package dev.statectl.lock;

import java.time.Duration;

/**
 * The times that everyone who locks keeps to.
 *
 * @param mode when a candidate first looks
 * @param stale how old a row may become before it counts no more; whole seconds, from two to 300,
 *     the same for all who use the table (the Python plugin's is 300 s)
 * @param settle how long a candidate waits before it looks in settle mode, and how long a peer's
 *     insert may take to be seen
 * @param timeout how long to try for a lock; zero to try once
 * @param retry how long to wait between two tries, at least 1 ms
 */
public record LockTerms(
    LockMode mode, Duration stale, Duration settle, Duration timeout, Duration retry) {

  // The TTL of the lock table, ours and the Python plugin's.
  private static final Duration LONGEST_STALE = Duration.ofSeconds(300);

  /**
   * The Python plugin's times, in immediate mode: stale 300 s, settle 1 s, timeout 30 s, retry 1 s.
   */
  public static final LockTerms DEFAULT =
      new LockTerms(
          LockMode.IMMEDIATE,
          Duration.ofSeconds(300),
          Duration.ofSeconds(1),
          Duration.ofSeconds(30),
          Duration.ofSeconds(1));

  /**
   * Checks the times and how they stand to each other.
   *
   * @param mode when a candidate first looks
   * @param stale how old a row may become before it counts no more
   * @param settle how long a candidate waits before it looks in settle mode
   * @param timeout how long to try for a lock
   * @param retry how long to wait between two tries
   * @throws IllegalArgumentException when stale is not in whole seconds, shorter than two or longer
   *     than 300 (the lock table's TTL then removes rows, also those of holders), settle or timeout
   *     is negative, retry is shorter than 1 ms, or settle is not shorter than half of stale (a
   *     candidate would be stale before it may look twice)
   */
  public LockTerms {
    if (stale.getNano() != 0 || stale.getSeconds() < 2) {
      throw new IllegalArgumentException("stale must be whole seconds, two or more, not " + stale);
    }
    if (stale.compareTo(LONGEST_STALE) > 0) {
      throw new IllegalArgumentException(
          "stale must not be longer than 300 s, when a lock's row may be removed, is " + stale);
    }
    if (settle.isNegative()) {
      throw new IllegalArgumentException("settle must not be negative, is " + settle);
    }
    if (timeout.isNegative()) {
      throw new IllegalArgumentException("timeout must not be negative, is " + timeout);
    }
    if (retry.compareTo(Duration.ofMillis(1)) < 0) {
      throw new IllegalArgumentException("retry must be 1 ms or more, is " + retry);
    }
    if (settle.multipliedBy(2).compareTo(stale) >= 0) {
      throw new IllegalArgumentException(
          "settle must be shorter than half of stale, but is " + settle + " of " + stale);
    }
  }

  /**
   * Gives the terms with another time to wait.
   *
   * @param other how long to try for a lock
   * @return the terms
   */
  public LockTerms withTimeout(Duration other) {
    return new LockTerms(mode, stale, settle, other, retry);
  }

  /**
   * Gives the terms with another mode.
   *
   * @param other when a candidate first looks
   * @return the terms
   */
  public LockTerms withMode(LockMode other) {
    return new LockTerms(other, stale, settle, timeout, retry);
  }

  /**
   * Tells when a held lock is to be renewed.
   *
   * @return half of the stale time
   */
  public Duration renewAfter() {
    return stale.dividedBy(2);
  }
}
