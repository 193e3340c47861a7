package dev.statectl.lock;

import java.time.Duration;
import java.util.Collection;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * What a candidate does when it has looked at the lock table.
 *
 * <ol>
 *   <li>Rows older than the stale time count no more. They are removed where they are met.
 *   <li>A candidate announces itself: it inserts a row with an id of its own. Only then it looks;
 *       in settle mode after the settle time.
 *   <li>Its own row is not there, or stale: somebody removed it, or it came too late. It starts
 *       again, with a new id.
 *   <li>Its row is the only one: the lock is its own.
 *   <li>At its first look there is a row with a smaller id: it withdraws its own, pauses, and
 *       starts again with a new id.
 *   <li>At its first look its id is the smallest of several: it stays, and looks again until none
 *       of those that it met there is left. It must not enter before: one of them may hold the lock
 *       already. Who came later does not matter.
 * </ol>
 *
 * <p>Why that is safe. Whoever enters had its row in the table before its first look. Of two of
 * ours, the second to look first met the first one's row, if that was still there: then it waits
 * for it, or withdraws. So one that came after a first look never enters before the one that looked
 * has gone. A Python peer enters when, one settle time after its insert, its id is the smallest. A
 * peer that came after our first look finds our row, which is smaller, and withdraws; one that was
 * there before is met, and waited for. Staleness: the holder counts the validity of its lock from
 * before it sent the row, the others from after it was stored.
 *
 * <p>The rule holds only while our ids sort before a peer's ({@link LockId#of}), while a row of one
 * candidate cannot replace another's, and while a read sees all acknowledged inserts. Two short
 * cuts are not safe: ids that do not sort first, and entering as the smallest while one that was
 * met is still there.
 */
public final class LockRules {

  private LockRules() {}

  /** What to do next. */
  public enum Step {
    /** The lock is held from now on. */
    ENTER,
    /** Keep the row and look again after a pause. */
    LOOK_AGAIN,
    /** Remove the row, pause, announce anew. */
    WITHDRAW
  }

  /**
   * Decides after a candidate's first look.
   *
   * @param seen all rows of the lock, the newest of each lock id, stale ones too
   * @param mine the candidate's own id
   * @param terms the times that all keep to
   * @return what to do next
   */
  public static Step first(Collection<LockCandidate> seen, LockId mine, LockTerms terms) {
    Set<LockId> others = others(seen, mine, terms);
    if (!isFresh(seen, mine, terms) || others.stream().anyMatch(o -> o.compareTo(mine) < 0)) {
      return Step.WITHDRAW;
    }
    return others.isEmpty() ? Step.ENTER : Step.LOOK_AGAIN;
  }

  /**
   * Decides after a later look of a candidate that stayed.
   *
   * @param seen all rows of the lock, the newest of each lock id, stale ones too
   * @param mine the candidate's own id
   * @param met those that it met at its first look, from {@link #others}
   * @param terms the times that all keep to
   * @return what to do next
   */
  public static Step again(
      Collection<LockCandidate> seen, LockId mine, Set<LockId> met, LockTerms terms) {
    if (!isFresh(seen, mine, terms)) {
      return Step.WITHDRAW;
    }
    boolean left = others(seen, mine, terms).stream().anyMatch(met::contains);
    return left ? Step.LOOK_AGAIN : Step.ENTER;
  }

  /**
   * Tells who else counts.
   *
   * @param seen all rows of the lock, the newest of each lock id, stale ones too
   * @param mine the candidate's own id
   * @param terms the times that all keep to
   * @return the other candidates whose rows are not stale
   */
  public static Set<LockId> others(Collection<LockCandidate> seen, LockId mine, LockTerms terms) {
    return seen.stream()
        .filter(c -> !c.isStale(terms) && !c.lockId().equals(mine))
        .map(LockCandidate::lockId)
        .collect(Collectors.toUnmodifiableSet());
  }

  private static boolean isFresh(Collection<LockCandidate> seen, LockId mine, LockTerms terms) {
    return seen.stream().anyMatch(c -> c.lockId().equals(mine) && !c.isStale(terms));
  }

  /**
   * Decides how long to pause before the next try or look, so that those who met part ways.
   *
   * @param tries how many tries have failed so far, one or more
   * @param random a number from 0 (inclusive) to 1 (exclusive)
   * @param terms give the longest pause, {@link LockTerms#retry()}
   * @return from half of to the whole of a time that begins at 4 ms and doubles with each try up to
   *     the longest pause
   */
  public static Duration pause(int tries, double random, LockTerms terms) {
    long longest = terms.retry().toNanos();
    long doubled = Math.min(longest, 4_000_000L << Math.min(tries - 1, 20));
    return Duration.ofNanos(doubled / 2 + (long) (doubled / 2 * random));
  }
}
