package dev.statectl.clickhouse;

import dev.statectl.port.StateFailure;
import java.util.function.BooleanSupplier;

/**
 * Deletes, and looks whether what was deleted is gone. A server that ran several ordinary deletes
 * of one table at a time was seen to answer one in a thousand as done and to keep its row (26.5,
 * over plain HTTP); deleted once more, it went.
 */
final class Deletion {
  private static final int MOST_TRIES = 5;

  private Deletion() {}

  /**
   * Deletes until it is gone.
   *
   * @param what what is deleted, for a message
   * @param delete runs the statement
   * @param isThere looks; what it throws says that the outcome is unknown
   * @throws StateFailure.OutcomeUnknown when it is still there in the end
   */
  static void untilGone(String what, Runnable delete, BooleanSupplier isThere) {
    for (int tries = 1; ; tries++) {
      delete.run();
      if (!isThere.getAsBoolean()) {
        return;
      }
      if (tries == MOST_TRIES) {
        throw new StateFailure.OutcomeUnknown(
            what
                + " was deleted "
                + MOST_TRIES
                + " times, and the server still shows it; look at system.mutations",
            null);
      }
    }
  }
}
