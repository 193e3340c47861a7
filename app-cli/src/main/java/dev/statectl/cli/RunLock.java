package dev.statectl.cli;

import dev.statectl.state.StateId;

/**
 * The lock that {@code lock run} holds: one besides that of the id, which is left to the command.
 */
final class RunLock {
  private static final String PREFIX = "@run:";

  private RunLock() {}

  /** Its name. */
  static StateId of(StateId id) {
    // Not checked as a state's: a state's id and the prefix may be longer than a state's id.
    return StateId.ofStored(PREFIX + id);
  }

  /** Tells whether a text is such a name. */
  static boolean isOne(String text) {
    return text.startsWith(PREFIX);
  }
}
