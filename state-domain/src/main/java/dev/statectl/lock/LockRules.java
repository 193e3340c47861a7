package dev.statectl.lock;

import java.time.Duration;
import java.util.Collection;
import java.util.List;

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
 *   <li>There is a row with a smaller id: it withdraws its own, pauses, and starts again with a new
 *       id.
 *   <li>Its id is the smallest of several: it stays, and looks again until one of the other rules
 *       applies. It must not enter: one of the others may hold the lock already.
 * </ol>
 *
 * <p>Why that is safe. Whoever enters had its row in the table before it looked, and saw no other.
 * The second of two who enter would have looked after the first had inserted its row, and would
 * have seen it. A Python peer enters when, one settle time after its insert, its id is the
 * smallest. If our row is there by then, ours is smaller and the peer withdraws; if the peer has
 * entered before our insert, its row is there when we look, and we wait. Staleness: the holder
 * counts the validity of its lock from before it sent the row, the others from after it was stored.
 *
 * <p>The rule holds only while our ids sort before a peer's ({@link LockId#of}), while a row of one
 * candidate cannot replace another's, and while a read sees all acknowledged inserts.
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
   * Decides.
   *
   * @param seen all rows of the lock, the newest of each lock id, stale ones too
   * @param mine the candidate's own id
   * @param terms the times that all keep to
   * @return what to do next
   */
  public static Step next(Collection<LockCandidate> seen, LockId mine, LockTerms terms) {
    List<LockId> fresh =
        seen.stream().filter(c -> !c.isStale(terms)).map(LockCandidate::lockId).sorted().toList();
    if (!fresh.contains(mine) || !fresh.get(0).equals(mine)) {
      return Step.WITHDRAW;
    }
    return fresh.size() == 1 ? Step.ENTER : Step.LOOK_AGAIN;
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
