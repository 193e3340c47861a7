package dev.statectl.port;

import java.time.Duration;

/** What every adapter checks before it looks into a history or begins one. */
public final class HistoryRules {
  private HistoryRules() {}

  /**
   * Checks how long records are to be kept.
   *
   * @param keep how long
   * @return the same in whole seconds
   * @throws IllegalArgumentException when it is less than a second
   */
  public static Duration checkedKeep(Duration keep) {
    if (keep.toSeconds() < 1) {
      throw new IllegalArgumentException("history must be kept for at least a second, not " + keep);
    }
    return Duration.ofSeconds(keep.toSeconds());
  }

  /**
   * Checks how many records are to be met.
   *
   * @param limit how many at most
   * @throws IllegalArgumentException when it is less than 1
   */
  public static void checkLimit(int limit) {
    if (limit < 1) {
      throw new IllegalArgumentException("a limit must be at least 1, not " + limit);
    }
  }
}
