package dev.statectl.cli;

import java.io.PrintStream;

/** Messages to the person or the log behind standard error, a line each. */
final class Diagnostics {
  private static final String PREFIX = "statectl: ";

  private final PrintStream err;

  Diagnostics(PrintStream err) {
    this.err = err;
  }

  /** Says one thing. Whatever the message quotes, it stays one line. */
  void say(String message) {
    err.print(PREFIX + PrintableText.escaped(message) + "\n");
  }

  /** Shows where a failure came from. */
  void trace(Throwable failure) {
    failure.printStackTrace(err);
  }
}
