package dev.statectl.lock;

import dev.statectl.state.StateId;
import java.time.Duration;
import java.time.Instant;

/**
 * A row of the lock table: somebody holds the lock of a state or would like to. Both times are the
 * server's, in whole seconds, read in one statement.
 *
 * @param id whose lock it is
 * @param lockId which candidate it is
 * @param lockedAt when the row was last written
 * @param seenAt the server's time when the row was read
 * @param holder who it is, for people; empty for the Python plugin, which does not say
 */
public record LockCandidate(
    StateId id, LockId lockId, Instant lockedAt, Instant seenAt, String holder) {

  /**
   * Tells how old the row was when it was read.
   *
   * @return the age; negative when the server's clock was set back since
   */
  public Duration age() {
    return Duration.between(lockedAt, seenAt);
  }

  /**
   * Tells since when the candidate is there, for people. One of ours was named at that time by its
   * own clock ({@link LockId#madeAt()}), of which only this is taken; another was never renewed.
   *
   * @return the instant, no later than {@link #lockedAt}
   */
  public Instant since() {
    return lockId.madeAt().filter(made -> made.isBefore(lockedAt)).orElse(lockedAt);
  }

  /**
   * Names who it is, also where nobody said so: one of ours cannot on a table that has only the
   * plugin's columns.
   *
   * @return the holder, or what program it is
   */
  public String who() {
    if (!holder.isEmpty()) {
      return holder;
    }
    return lockId.isOurs() ? "statectl or a user of its library" : "the Meltano plugin";
  }

  /**
   * Tells whether the row counts no more.
   *
   * @param terms say how old a row may become
   * @return true when it is older than {@link LockTerms#stale()}
   */
  public boolean isStale(LockTerms terms) {
    return age().compareTo(terms.stale()) > 0;
  }

  /**
   * Tells when the row counts no more unless it is renewed.
   *
   * @param terms say how old a row may become
   * @return the instant by the server's clock
   */
  public Instant expires(LockTerms terms) {
    return lockedAt.plus(terms.stale());
  }
}
