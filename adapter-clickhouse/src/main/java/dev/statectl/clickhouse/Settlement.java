package dev.statectl.clickhouse;

import dev.statectl.port.StateFailure;
import java.time.Duration;
import java.util.function.Supplier;

/**
 * Settles what became of a change whose answer got lost, by looking at what is stored. What the
 * server itself reported as gone wrong in the middle may be half done: it is settled only where the
 * server may do it better a moment later.
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
  private final Duration patience;

  /**
   * Settles changes.
   *
   * @param patience after which time a change is not made again, as a server may take long to say
   *     that it cannot tell
   */
  Settlement(Backoff backoff, Duration patience) {
    this.backoff = backoff;
    this.patience = patience;
  }

  /**
   * Makes a change, and again after a fault that may pass as long as it is not seen. After one that
   * stays, such as a time that is over, the server may still be at it, so one only waits for the
   * change to show: the history would have a late one beside its copy. For the same reason a change
   * that is seen counts as done only where the server reported nothing: it may lack its record.
   *
   * @throws StateFailure.OutcomeUnknown when it could not be settled, also when it is a later try
   *     that was refused
   */
  void repeat(Runnable change, Supplier<Finding> look) {
    long startedAt = backoff.nanoTime().getAsLong();
    StateFailure.OutcomeUnknown earlier = null;
    for (int tries = 1; ; tries++) {
      try {
        change.run();
        return;
      } catch (StateFailure.OutcomeUnknown e) {
        if (!ClickHouseErrors.mayPass(e)) {
          awaitAfter(e, look);
          return;
        }
        if (!backoff.await(tries)) {
          throw e;
        }
        Finding found = lookAfter(e, look);
        if (found == Finding.DONE && !ClickHouseErrors.isOfTheServer(e)) {
          return;
        }
        boolean late = backoff.nanoTime().getAsLong() - startedAt >= patience.toNanos();
        if (found != Finding.NOT_DONE || tries == Backoff.MOST_TRIES || late) {
          throw e;
        }
        earlier = e;
      } catch (StateFailure | IllegalStateException e) {
        if (earlier == null) {
          throw e;
        }
        // This try changed nothing, but the one before may still arrive.
        earlier.addSuppressed(e);
        throw earlier;
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
      awaitAfter(e, look);
    }
  }

  private void awaitAfter(StateFailure.OutcomeUnknown change, Supplier<Finding> look) {
    if (!ClickHouseErrors.isAnswerLost(change)) {
      throw change;
    }
    for (int tries = 1; tries < Backoff.MOST_TRIES; tries++) {
      if (!backoff.await(tries)) {
        throw change;
      }
      Finding found = lookAfter(change, look);
      if (found == Finding.DONE) {
        return;
      }
      if (found == Finding.HIDDEN) {
        throw change;
      }
    }
    throw change;
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
