package dev.statectl.cli;

import java.time.Duration;
import java.util.Locale;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * How far a work is, on the last line of a terminal: from the third second on, so that short works
 * stay silent, and not more often than a person reads. Made by {@link Diagnostics#progress}.
 */
final class ProgressLine implements AutoCloseable {
  private static final Duration FIRST = Duration.ofSeconds(2);
  private static final Duration NEXT = Duration.ofMillis(200);
  private static final int BAR = 20;

  private final Diagnostics diagnostics;
  private final boolean shown;
  private final String doing;
  private final LongSupplier nanoTime;
  private final long started;
  private @Nullable Duration drawn;

  ProgressLine(Diagnostics diagnostics, boolean shown, String doing, LongSupplier nanoTime) {
    this.diagnostics = diagnostics;
    this.shown = shown;
    this.doing = doing;
    this.nanoTime = nanoTime;
    this.started = nanoTime.getAsLong();
  }

  /**
   * Tells how far the work is. May be called as often as one likes.
   *
   * @param done how many are done
   * @param total how many there are; 0 if that is not known
   */
  void report(long done, long total) {
    if (!shown) {
      return;
    }
    Duration elapsed = Duration.ofNanos(nanoTime.getAsLong() - started);
    if (elapsed.compareTo(drawn == null ? FIRST : drawn.plus(NEXT)) < 0) {
      return;
    }
    drawn = elapsed;
    diagnostics.showStatus(total > 0 ? bar(done, total, elapsed) : doing + " " + done);
  }

  /** Takes the line away. */
  @Override
  public void close() {
    if (drawn != null) {
      diagnostics.clearStatus();
    }
  }

  private String bar(long done, long total, Duration elapsed) {
    double part = Math.min(1.0, (double) done / total);
    int full = (int) (part * BAR);
    String line =
        String.format(
            Locale.ROOT,
            "%s [%s%s] %d/%d, %d %%",
            doing,
            "#".repeat(full),
            ".".repeat(BAR - full),
            done,
            total,
            (int) (part * 100));
    if (done == 0 || done >= total) {
      return line;
    }
    return line
        + ", about "
        + DurationText.of(
            Duration.ofNanos((long) (elapsed.toNanos() / (double) done * (total - done))))
        + " left";
  }
}
