package dev.statectl.cli;

import java.util.function.Consumer;

/** The signals that ask this process to end. */
interface StopSignals {

  /**
   * Takes the signals from now on, in place of the JVM, which would end at once.
   *
   * @param handler is called with each, in a thread of its own
   * @return gives them back
   */
  Registration take(Consumer<StopSignal> handler);

  /**
   * Tells whether a signal came from the terminal, which sends it to child processes as well.
   *
   * @param signal which one
   */
  boolean reachesChildren(StopSignal signal);

  /** Ends the process at once, as the signal would. */
  void end(StopSignal signal);

  /** Gives the signals back when it is closed. */
  interface Registration extends AutoCloseable {
    @Override
    void close();
  }
}
