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
   * Deletes what nobody misses where it stays for a while: on a replica that is down the server
   * does it when that is back, and says so as if it had failed.
   */
  static void whereReplicasAre(Runnable delete) {
    try {
      delete.run();
    } catch (StateFailure.OutcomeUnknown e) {
      if (!ClickHouseErrors.isUnfinished(e)) {
        throw e;
      }
    }
  }

  /**
   * Deletes until it is gone. Where a replica is down it is enough that it is gone from the others.
   *
   * @param what what is deleted, for a message
   * @param delete runs the statement
   * @param isThere looks; what it throws says that the outcome is unknown
   * @throws StateFailure.OutcomeUnknown when it is still there in the end
   */
  static void untilGone(String what, Runnable delete, BooleanSupplier isThere) {
    for (int tries = 1; ; tries++) {
      try {
        delete.run();
      } catch (StateFailure.OutcomeUnknown e) {
        if (!ClickHouseErrors.isUnfinished(e) || isThere.getAsBoolean()) {
          throw e;
        }
        return;
      }
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
