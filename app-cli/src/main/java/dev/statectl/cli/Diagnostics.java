package dev.statectl.cli;

import java.io.PrintStream;

/** Messages to the person or the log behind standard error, a line each. */
final class Diagnostics {
  private static final String PREFIX = "statectl: ";

  private final PrintStream err;

  Diagnostics(PrintStream err) {
    this.err = err;
  }

  /** Says one thing that must be said. Whatever the message quotes, it stays one line. */
  void say(String message) {
    err.print(PREFIX + PrintableText.escaped(message) + "\n");
  }

  /** Says what a person may want to know and a script need not: what was done, and notices. */
  void inform(String message) {
    say(message);
  }

  /** Shows where a failure came from. */
  void trace(Throwable failure) {
    failure.printStackTrace(err);
  }
}
