package dev.statectl.benchmark;

import java.util.Arrays;
import java.util.Locale;

/**
 * What a series of times comes to, in milliseconds.
 *
 * @param count how many times were taken
 * @param min the shortest
 * @param p50 the median, by which things are compared
 * @param p90 nine of ten are not longer
 * @param p99 99 of 100 are not longer; the longest where there are fewer
 * @param max the longest
 * @param total their sum
 */
record Timing(int count, double min, double p50, double p90, double p99, double max, double total) {
  private static final double NANOS = 1e6;

  static Timing of(long... nanos) {
    if (nanos.length == 0) {
      throw new IllegalArgumentException("nothing was measured");
    }
    long[] sorted = nanos.clone();
    Arrays.sort(sorted);
    return new Timing(
        sorted.length,
        sorted[0] / NANOS,
        percentile(sorted, 50),
        percentile(sorted, 90),
        percentile(sorted, 99),
        sorted[sorted.length - 1] / NANOS,
        Arrays.stream(sorted).sum() / NANOS);
  }

  /** The nearest rank, which is one of the times themselves. */
  private static double percentile(long[] sorted, int percent) {
    int rank = (int) Math.ceil(sorted.length * percent / 100.0);
    return sorted[Math.max(0, rank - 1)] / NANOS;
  }

  /** The median and the 99th percentile, as a table shows them. */
  String shown() {
    return millis(p50) + " / " + millis(p99);
  }

  static String millis(double millis) {
    String format = millis < 10 ? "%.2f" : millis < 100 ? "%.1f" : "%,.0f";
    return String.format(Locale.ROOT, format, millis);
  }
}
