package dev.statectl.clickhouse;

import dev.statectl.port.StateFailure;
import java.util.function.Supplier;

/**
 * Settles what became of a change whose answer got lost, by looking at what is stored. A change
 * that the server itself reported as gone wrong is not settled: it may be half done.
 */
final class Settlement {
  /** What a look shows. */
  enum Finding {
    DONE,
    /** It is not there, and nothing else is there in its place. */
    NOT_DONE,
    /** Somebody else's later change is there, and hides whether this one was before it. */
    HIDDEN
  }

  private final Backoff backoff;

  Settlement(Backoff backoff) {
    this.backoff = backoff;
  }

  /**
   * Makes a change that may be made again as long as it is not seen: a late copy of it must do no
   * harm.
   *
   * @throws StateFailure.OutcomeUnknown when it could not be settled
   */
  void repeat(Runnable change, Supplier<Finding> look) {
    for (int tries = 1; ; tries++) {
      try {
        change.run();
        return;
      } catch (StateFailure.OutcomeUnknown e) {
        if (!ClickHouseErrors.isAnswerLost(e) || !backoff.await(tries)) {
          throw e;
        }
        Finding found = lookAfter(e, look);
        if (found == Finding.DONE) {
          return;
        }
        if (found == Finding.HIDDEN || tries == Backoff.MOST_TRIES) {
          throw e;
        }
      }
    }
  }

  /**
   * Makes a change once, and waits a moment for it to show: the server may still be at it.
   *
   * @throws StateFailure.OutcomeUnknown when it does not show
   */
  void await(Runnable change, Supplier<Finding> look) {
    try {
      change.run();
    } catch (StateFailure.OutcomeUnknown e) {
      if (!ClickHouseErrors.isAnswerLost(e)) {
        throw e;
      }
      for (int tries = 1; tries < Backoff.MOST_TRIES; tries++) {
        if (!backoff.await(tries)) {
          throw e;
        }
        Finding found = lookAfter(e, look);
        if (found == Finding.DONE) {
          return;
        }
        if (found == Finding.HIDDEN) {
          throw e;
        }
      }
      throw e;
    }
  }

  private static Finding lookAfter(StateFailure.OutcomeUnknown change, Supplier<Finding> look) {
    try {
      return look.get();
    } catch (StateFailure | TableMissingException | IllegalStateException e) {
      // Whatever keeps us from looking, or the backend was closed: the outcome stays unknown.
      change.addSuppressed(e);
      throw change;
    }
  }
}
