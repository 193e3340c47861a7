package dev.statectl.port;

import java.util.List;

/**
 * How a finding is mended. Immutable and thread-safe.
 *
 * @param means what the steps are
 * @param steps what to do, one after the other; statements without a semicolon, each on one line
 * @param safe whether it may be done without understanding it: nothing that is stored is lost by
 *     it, it does no harm while others use the store, and it may be done twice
 */
public record Mend(Means means, List<String> steps, boolean safe) {

  /** What the steps of a mend are. */
  public enum Means {
    /** Statements for the database. */
    SQL,
    /** Commands for a POSIX shell. */
    COMMAND,
    /** Sentences for a person. */
    ADVICE
  }

  /**
   * Copies the steps.
   *
   * @param means what the steps are
   * @param steps what to do; not empty
   * @param safe whether it may be done without understanding it
   * @throws IllegalArgumentException when there are no steps
   */
  public Mend {
    steps = List.copyOf(steps);
    if (steps.isEmpty()) {
      throw new IllegalArgumentException("a mend without steps");
    }
  }

  /**
   * Makes a mend that a person runs.
   *
   * @param statements the statements
   * @return the mend, which is not safe
   */
  public static Mend sql(String... statements) {
    return new Mend(Means.SQL, List.of(statements), false);
  }

  /**
   * Makes a mend that a person runs.
   *
   * @param commands the commands
   * @return the mend, which is not safe
   */
  public static Mend command(String... commands) {
    return new Mend(Means.COMMAND, List.of(commands), false);
  }

  /**
   * Makes a mend that has no exact words.
   *
   * @param sentences what to do
   * @return the mend, which is not safe
   */
  public static Mend advice(String... sentences) {
    return new Mend(Means.ADVICE, List.of(sentences), false);
  }

  /**
   * Gives the same mend as one that is safe.
   *
   * @return the mend
   */
  public Mend asSafe() {
    return new Mend(means, steps, true);
  }
}
