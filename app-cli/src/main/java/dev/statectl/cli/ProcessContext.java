package dev.statectl.cli;

import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.file.Path;
import java.time.Clock;
import java.util.Map;

/**
 * What the machine gives to a process: nothing in this package asks the machine itself.
 *
 * @param in standard input
 * @param out standard output, for data only; as a plain stream, since a {@link PrintStream} hides
 *     that a disk is full
 * @param err standard error, for messages
 * @param environment the environment variables
 * @param workingDirectory the working directory, absolute
 * @param terminal where a person can be asked
 * @param signals the signals that ask the process to end
 * @param owner who runs the process, for people: user, machine, process id
 * @param clock the time
 */
record ProcessContext(
    InputStream in,
    OutputStream out,
    PrintStream err,
    Map<String, String> environment,
    Path workingDirectory,
    Terminal terminal,
    StopSignals signals,
    String owner,
    Clock clock) {

  /** Tells the directory only: variables hold secrets. */
  @Override
  public String toString() {
    return "ProcessContext[" + workingDirectory + "]";
  }
}
