package dev.statectl.cli;

import java.time.Duration;

/** Durations for people, in whole seconds. */
final class DurationText {
  private DurationText() {}

  /**
   * As in {@code 12 s}, {@code 3 min 20 s}, {@code 26 h 5 min}, {@code 40 d}; what is negative
   * counts as 0.
   */
  static String of(Duration duration) {
    // A countdown does not say 0 while there is time left.
    long seconds = Math.max(0, duration.plusNanos(999_999_999).toSeconds());
    if (seconds < 60) {
      return seconds + " s";
    }
    if (seconds < 3600) {
      return seconds / 60 + " min" + (seconds % 60 == 0 ? "" : " " + seconds % 60 + " s");
    }
    long minutes = seconds / 60;
    if (minutes >= 48 * 60) {
      return minutes / (24 * 60) + " d";
    }
    return minutes / 60 + " h" + (minutes % 60 == 0 ? "" : " " + minutes % 60 + " min");
  }
}
