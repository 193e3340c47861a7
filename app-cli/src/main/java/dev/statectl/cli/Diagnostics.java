package dev.statectl.cli;

import java.io.PrintStream;
import java.util.function.LongSupplier;

/**
 * Messages to the person or the log behind standard error, a line each. On a terminal the last line
 * may show how far a work is; it gives way to every message. Thread-safe.
 */
final class Diagnostics {
  private static final String PREFIX = "statectl: ";

  private final PrintStream err;
  private final boolean terminal;
  private final LongSupplier nanoTime;

  // Guarded by this.
  private boolean quiet;
  private int statusWidth;

  /** For a log, which shows no progress. */
  Diagnostics(PrintStream err) {
    this(err, false, System::nanoTime);
  }

  /**
   * For what is behind standard error.
   *
   * @param terminal whether that is a terminal
   * @param nanoTime a clock that is never set
   */
  Diagnostics(PrintStream err, boolean terminal, LongSupplier nanoTime) {
    this.err = err;
    this.terminal = terminal;
    this.nanoTime = nanoTime;
  }

  /** From now on only what must be said is said. */
  synchronized void beQuiet() {
    quiet = true;
  }

  /** Says one thing that must be said. Whatever the message quotes, it stays one line. */
  void say(String message) {
    line(PREFIX + PrintableText.escaped(message));
  }

  /** Says what a person may want to know and a script need not: what was done, and notices. */
  synchronized void inform(String message) {
    if (!quiet) {
      say(message);
    }
  }

  /** Writes a line as it is, for programs. */
  synchronized void line(String text) {
    clearStatus();
    err.print(text + "\n");
  }

  /** Ends a line that somebody else began. */
  synchronized void endLine() {
    err.print("\n");
  }

  /** Shows where a failure came from. */
  synchronized void trace(Throwable failure) {
    clearStatus();
    failure.printStackTrace(err);
  }

  /**
   * Gives a line that shows how far a work is, to whoever waits at a terminal. Close it when the
   * work is done.
   *
   * @param doing what is done, as in {@code clearing}
   */
  synchronized ProgressLine progress(String doing) {
    return new ProgressLine(this, terminal && !quiet, doing, nanoTime);
  }

  /** Shows a text in place of the last one, without a line's end. */
  synchronized void showStatus(String text) {
    String shown = PREFIX + text;
    err.print("\r" + shown + " ".repeat(Math.max(0, statusWidth - shown.length())));
    err.flush();
    statusWidth = shown.length();
  }

  /** Takes away what {@link #showStatus} showed. */
  synchronized void clearStatus() {
    if (statusWidth > 0) {
      err.print("\r" + " ".repeat(statusWidth) + "\r");
      err.flush();
      statusWidth = 0;
    }
  }
}
