package dev.statectl.usecase;

import dev.statectl.lock.LockCandidate;
import dev.statectl.lock.LockId;
import dev.statectl.lock.LockMode;
import dev.statectl.lock.LockRules;
import dev.statectl.lock.LockTerms;
import dev.statectl.port.LockTable;
import dev.statectl.port.StateFailure;
import dev.statectl.state.StateId;
import java.time.Duration;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Takes a lock: runs {@link LockRules} over a {@link LockTable}.
 *
 * <ol>
 *   <li>Claim the lock for a new candidate. Where the table has an arbiter and another has the
 *       claim, nothing is announced. When the answer is lost, withdraw: the claim may be there.
 *   <li>Announce the candidate. When the answer is lost, withdraw it: the row may be there.
 *   <li>In settle mode, or where the table is not fit for another, wait the settle time.
 *   <li>Look, and do what the rules say. Stale rows that are met are removed.
 *   <li>Not entered: withdraw, pause, look until none of ours is there, and start again.
 *   <li>Not entered by the deadline: withdraw, and say who is in the way.
 * </ol>
 *
 * <p>Thread-safe.
 */
public final class AcquireLock {
  private final LockTable table;
  private final LockTerms terms;
  private final LockMeans means;
  private final String holder;
  private final Consumer<StateFailure.LockHeld> waiting;
  private final Withdrawal withdrawal;

  /**
   * Makes the use case.
   *
   * @param table where candidates are kept
   * @param terms the times that all keep to
   * @param means clock, waiting and randomness
   * @param holder who takes the locks, for people
   */
  public AcquireLock(LockTable table, LockTerms terms, LockMeans means, String holder) {
    this(table, terms, means, holder, held -> {});
  }

  /**
   * Makes the use case, with somebody who is told of each wait.
   *
   * @param table where candidates are kept
   * @param terms the times that all keep to
   * @param means clock, waiting and randomness
   * @param holder who takes the locks, for people
   * @param waiting is told before each pause who is in the way, unless a call names another
   */
  public AcquireLock(
      LockTable table,
      LockTerms terms,
      LockMeans means,
      String holder,
      Consumer<StateFailure.LockHeld> waiting) {
    this.table = table;
    this.terms = terms;
    this.means = means;
    this.holder = holder;
    this.waiting = waiting;
    this.withdrawal = new Withdrawal(table, terms, means);
  }

  /**
   * Takes the lock of an id, waiting for it as long as the terms say.
   *
   * @param id whose lock
   * @return the lock, held, and renewed until it is closed
   * @throws StateFailure.LockHeld when somebody else held it until the deadline
   * @throws StateFailure.Unavailable when the table did not answer, or the thread was interrupted
   *     while it waited (its interrupt flag is then set)
   * @throws StateFailure as the methods of {@link LockTable} do
   */
  public StateLock acquire(StateId id) {
    return acquire(id, terms.timeout(), waiting);
  }

  /**
   * Takes the lock of an id.
   *
   * @param id whose lock
   * @param timeout how long to wait for it; zero to try once
   * @param waiting is told before each pause who is in the way
   * @return the lock, held, and renewed until it is closed
   * @throws StateFailure as {@link #acquire(StateId)} does
   */
  public StateLock acquire(StateId id, Duration timeout, Consumer<StateFailure.LockHeld> waiting) {
    long deadline = means.nanoTime().getAsLong() + timeout.toNanos();
    for (int tries = 1; ; tries++) {
      // Not the first time: most locks are free, and a look would cost as much as an announcement.
      StateFailure.LockHeld inTheWay = tries == 1 ? null : somebody(id);
      if (inTheWay == null) {
        LockId mine = means.lockIds().get();
        // From here the validity of both counts, the claim's and the row's.
        long sentAt = means.nanoTime().getAsLong();
        if (claim(id, mine)) {
          announce(id, mine);
          inTheWay = tryToEnter(id, mine, deadline, waiting);
          if (inTheWay == null && isInTime(sentAt)) {
            return StateLock.held(id, mine, sentAt, table, terms, means);
          }
          if (inTheWay == null) {
            withdrawal.withdraw(id, mine);
            inTheWay = new StateFailure.LockHeld(id, null, terms);
          }
        } else {
          inTheWay = claimedBy(id);
        }
      }
      if (remaining(deadline).isZero()) {
        throw inTheWay;
      }
      waiting.accept(inTheWay);
      sleep(least(LockRules.pause(tries, means.random().getAsDouble(), terms), deadline));
    }
  }

  /**
   * Runs work under the lock of an id and releases it.
   *
   * @param <T> what the work gives
   * @param id whose lock
   * @param work is given the lock; its writes are fenced by it
   * @return what the work gave
   * @throws StateFailure.OutcomeUnknown when the work was done but the lock's row could not be
   *     removed, so that others wait until it is stale
   * @throws StateFailure as {@link #acquire(StateId)} does; what the work throws arrives unchanged
   */
  public <T extends @Nullable Object> T with(StateId id, Function<? super StateLock, T> work) {
    StateLock lock = acquire(id);
    T result;
    try {
      result = work.apply(lock);
    } catch (RuntimeException | Error e) {
      try {
        lock.close();
      } catch (RuntimeException suppressed) {
        e.addSuppressed(suppressed);
      }
      throw e;
    }
    try {
      lock.close();
    } catch (StateFailure.LockLost e) {
      // The writes were fenced, so they were made while the lock was held.
      return result;
    } catch (StateFailure e) {
      throw new StateFailure.OutcomeUnknown(
          "what was to be done under the lock of '"
              + id
              + "' was done, but the lock could not be released: "
              + e.getMessage(),
          e);
    }
    return result;
  }

  /**
   * Takes the locks of many ids that are free, by one candidate and in few steps. For each id it is
   * what {@link #acquire(StateId)} does at its first try, but where somebody else is met this does
   * not stay to wait.
   *
   * @param ids whose locks
   * @return those that were taken, which may be none
   * @throws StateFailure as {@link #acquire(StateId)} does; then none is held
   */
  LockBatch acquireAll(Set<StateId> ids) {
    LockId mine = means.lockIds().get();
    long sentAt = means.nanoTime().getAsLong();
    Set<StateId> claimed = claimAll(ids, mine);
    if (claimed.isEmpty()) {
      return LockBatch.held(claimed, mine, sentAt, table, terms, means);
    }
    announceAll(claimed, mine);
    try {
      settleWhereNeeded();
      Set<StateId> free = free(claimed, mine);
      Set<StateId> others = new LinkedHashSet<>(claimed);
      others.removeAll(free);
      if (!others.isEmpty()) {
        withdrawal.withdrawAll(others, mine);
      }
      if (!isInTime(sentAt)) {
        withdrawal.withdrawAll(free, mine);
        free = Set.of();
      }
      return LockBatch.held(free, mine, sentAt, table, terms, means);
    } catch (RuntimeException e) {
      withdrawAllAfter(e, claimed, mine);
      throw e;
    }
  }

  private Set<StateId> free(Set<StateId> ids, LockId mine) {
    Map<StateId, List<LockCandidate>> seen = table.lookAll(ids, mine);
    Set<StateId> withStale = new LinkedHashSet<>();
    Set<StateId> free = new LinkedHashSet<>();
    for (StateId id : ids) {
      List<LockCandidate> rows = seen.getOrDefault(id, List.of());
      if (rows.stream().anyMatch(c -> c.isStale(terms))) {
        withStale.add(id);
      }
      if (LockRules.first(rows, mine, terms) == LockRules.Step.ENTER) {
        free.add(id);
      }
    }
    if (!withStale.isEmpty()) {
      table.removeStaleAll(withStale, terms.stale());
    }
    return free;
  }

  // In the order of the ids.
  private Set<StateId> claimAll(Set<StateId> ids, LockId mine) {
    Set<StateId> claimed = new LinkedHashSet<>(ids);
    try {
      claimed.retainAll(table.claimAll(ids, mine, holder, terms.stale()));
    } catch (StateFailure.OutcomeUnknown e) {
      withdrawAllAfter(e, ids, mine);
      throw notTaken(ids, e);
    }
    return claimed;
  }

  private void announceAll(Set<StateId> ids, LockId mine) {
    try {
      table.announceAll(ids, mine, holder);
    } catch (StateFailure.OutcomeUnknown e) {
      withdrawAllAfter(e, ids, mine);
      throw notTaken(ids, e);
    } catch (StateFailure e) {
      giveClaimsBackAfter(e, ids, mine);
      throw e;
    }
  }

  private static StateFailure notTaken(Set<StateId> ids, StateFailure.OutcomeUnknown failure) {
    return new StateFailure.Unavailable(
        "the locks of " + ids.size() + " states were not taken: " + failure.getMessage(), failure);
  }

  private void withdrawAllAfter(RuntimeException failure, Set<StateId> ids, LockId mine) {
    try {
      withdrawal.withdrawAll(ids, mine);
    } catch (RuntimeException e) {
      failure.addSuppressed(e);
    }
  }

  private boolean claim(StateId id, LockId mine) {
    try {
      return table.claim(id, mine, holder, terms.stale());
    } catch (StateFailure.OutcomeUnknown e) {
      withdrawAfter(e, id, mine);
      throw notTaken(id, e);
    }
  }

  private void announce(StateId id, LockId mine) {
    try {
      table.announce(id, mine, holder);
    } catch (StateFailure.OutcomeUnknown e) {
      withdrawAfter(e, id, mine);
      throw notTaken(id, e);
    } catch (StateFailure e) {
      giveClaimsBackAfter(e, Set.of(id), mine);
      throw e;
    }
  }

  private static StateFailure notTaken(StateId id, StateFailure.OutcomeUnknown failure) {
    return new StateFailure.Unavailable(
        "the lock of '" + id + "' was not taken: " + failure.getMessage(), failure);
  }

  // Nothing was announced, so only claims may be there. One try: nobody waits for the caller's
  // failure, and a claim that nobody renews becomes stale.
  private void giveClaimsBackAfter(RuntimeException failure, Set<StateId> ids, LockId mine) {
    try {
      StateId any = ids.iterator().next();
      if (table.claimant(any).filter(c -> c.lockId().equals(mine)).isPresent()) {
        table.withdrawAll(ids, mine);
      }
    } catch (RuntimeException e) {
      failure.addSuppressed(e);
    }
  }

  // The claimant may have let go since.
  private StateFailure.LockHeld claimedBy(StateId id) {
    LockCandidate claimant = table.claimant(id).filter(claim -> !claim.isStale(terms)).orElse(null);
    return new StateFailure.LockHeld(id, claimant, terms);
  }

  // Whoever waits for one of ours only looks: rows that come and go would keep the others from
  // being alone. Behind peers it announces: they step back for its smaller id.
  private StateFailure.@Nullable LockHeld somebody(StateId id) {
    List<LockCandidate> seen = look(id);
    boolean free = seen.stream().allMatch(c -> c.isStale(terms) || !c.lockId().isOurs());
    return free ? null : inTheWay(id, seen, null);
  }

  // Enters and gives null, or withdraws and gives who is in the way.
  private StateFailure.@Nullable LockHeld tryToEnter(
      StateId id, LockId mine, long deadline, Consumer<StateFailure.LockHeld> waiting) {
    try {
      settleWhereNeeded();
      Set<LockId> met = Set.of();
      for (int looks = 1; ; looks++) {
        List<LockCandidate> seen = look(id);
        LockRules.Step step;
        if (looks == 1) {
          met = LockRules.others(seen, mine, terms);
          step = LockRules.first(seen, mine, terms);
        } else {
          step = LockRules.again(seen, mine, met, terms);
        }
        if (step == LockRules.Step.ENTER) {
          return null;
        }
        StateFailure.LockHeld inTheWay = inTheWay(id, seen, mine);
        if (step == LockRules.Step.WITHDRAW || remaining(deadline).isZero()) {
          withdrawal.withdraw(id, mine);
          return inTheWay;
        }
        waiting.accept(inTheWay);
        sleep(least(LockRules.pause(looks, means.random().getAsDouble(), terms), deadline));
      }
    } catch (RuntimeException e) {
      withdrawAfter(e, id, mine);
      throw e;
    }
  }

  private void settleWhereNeeded() {
    if (terms.mode() == LockMode.SETTLE || table.immediateObstacle().isPresent()) {
      sleep(terms.settle());
    }
  }

  private void withdrawAfter(RuntimeException failure, StateId id, LockId mine) {
    try {
      withdrawal.withdraw(id, mine);
    } catch (RuntimeException e) {
      failure.addSuppressed(e);
    }
  }

  private List<LockCandidate> look(StateId id) {
    List<LockCandidate> seen = table.look(id);
    if (seen.stream().anyMatch(c -> c.isStale(terms))) {
      table.removeStale(id, terms.stale());
    }
    return seen;
  }

  // The one that has been there longest may be the holder. A renewal makes its row a new one.
  private StateFailure.LockHeld inTheWay(
      StateId id, List<LockCandidate> seen, @Nullable LockId mine) {
    LockCandidate oldest =
        seen.stream()
            .filter(c -> !c.lockId().equals(mine) && !c.isStale(terms))
            .min(Comparator.comparing(LockCandidate::since))
            .orElse(null);
    return new StateFailure.LockHeld(id, oldest, terms);
  }

  private void sleep(Duration duration) {
    try {
      means.pause().pause(duration);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new StateFailure.Unavailable("interrupted while waiting for a lock", e);
    }
  }

  // The answers may have taken so long that the row is about to be stale.
  private boolean isInTime(long sentAt) {
    long past = means.nanoTime().getAsLong() - sentAt;
    return past < terms.renewAfter().toNanos();
  }

  private Duration remaining(long deadline) {
    long nanos = deadline - means.nanoTime().getAsLong();
    return nanos <= 0 ? Duration.ZERO : Duration.ofNanos(nanos);
  }

  private Duration least(Duration pause, long deadline) {
    Duration remaining = remaining(deadline);
    return pause.compareTo(remaining) < 0 ? pause : remaining;
  }
}
