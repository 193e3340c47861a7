package dev.statectl.usecase;

import dev.statectl.lock.LockId;
import dev.statectl.lock.LockRules;
import dev.statectl.lock.LockTerms;
import dev.statectl.port.LockTable;
import dev.statectl.port.StateFailure;
import dev.statectl.state.StateId;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;

/**
 * Removes candidates' rows and does not give up at the first failure: a row left behind keeps
 * everybody out until it is stale. It asks again until it is answered, for half a minute at least
 * and as long as one would wait for a lock, but not after the row is stale anyway. An interrupt
 * says that nobody wants to wait for what is done under the lock; it ends this only when it comes a
 * second time.
 */
final class Withdrawal {
  // Also for those who do not wait for locks: others would have to wait for their row.
  private static final Duration LEAST_PATIENCE = Duration.ofSeconds(30);

  private final LockTable table;
  private final LockTerms terms;
  private final LockMeans means;

  Withdrawal(LockTable table, LockTerms terms, LockMeans means) {
    this.table = table;
    this.terms = terms;
    this.means = means;
  }

  /** Tells whether the row was there, or may have been when a first try was not answered. */
  boolean withdraw(StateId id, LockId lockId) {
    Set<StateId> one = Set.of(id);
    return !untilAnswered(() -> table.withdraw(id, lockId) ? one : Set.of(), one, false).isEmpty();
  }

  /**
   * Tells which of the rows were there. After a try that was not answered to its end that is any of
   * them: a part may have been removed by it.
   */
  Set<StateId> withdrawAll(Set<StateId> ids, LockId lockId) {
    return untilAnswered(() -> table.withdrawAll(ids, lockId), ids, true);
  }

  private Set<StateId> untilAnswered(
      Supplier<Set<StateId>> withdrawal, Set<StateId> all, boolean inParts) {
    long deadline = means.nanoTime().getAsLong() + patience().toNanos();
    boolean mayHaveRemoved = false;
    boolean interrupted = false;
    try {
      for (int tries = 1; ; tries++) {
        StateFailure failure;
        try {
          Set<StateId> there = withdrawal.get();
          return mayHaveRemoved ? all : there;
        } catch (StateFailure.OutcomeUnknown e) {
          mayHaveRemoved = true;
          failure = e;
        } catch (StateFailure.Unavailable e) {
          mayHaveRemoved |= inParts;
          failure = e;
        }
        if (means.nanoTime().getAsLong() - deadline >= 0) {
          throw failure;
        }
        try {
          means.pause().pause(LockRules.pause(tries, means.random().getAsDouble(), terms));
        } catch (InterruptedException e) {
          if (interrupted) {
            throw failure;
          }
          interrupted = true;
        }
      }
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  private Duration patience() {
    Duration wanted = Collections.max(List.of(terms.timeout(), LEAST_PATIENCE));
    return Collections.min(List.of(wanted, terms.stale()));
  }
}
