package dev.statectl.port;

import dev.statectl.lock.LockCandidate;
import dev.statectl.lock.LockId;
import dev.statectl.state.StateId;
import dev.statectl.state.StateIdGlob;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

/**
 * The port that keeps the candidates for locks. It stores and shows; who holds a lock is decided by
 * {@link dev.statectl.lock.LockRules}, which {@link dev.statectl.usecase.AcquireLock} runs over it.
 *
 * <p>All times are the store's own, in whole seconds, never the caller's. A row that was announced
 * or renewed by a call that returned is seen by every later look, from any process. Implementations
 * are thread-safe. Every method may throw {@link StateFailure.Unavailable}, {@link
 * StateFailure.Denied}, {@link StateFailure.WrongSchema}, and {@link IllegalStateException} when
 * the backend was closed. Where no lock was ever announced, reads find nothing and create nothing.
 *
 * <p>A table may have an arbiter: something beside its rows, such as a Keeper, that gives the claim
 * to a lock to one candidate at a time. A candidate claims a lock before it announces itself. Its
 * row says to everybody that it is there, also to those who do not claim; the claim decides among
 * those who do, even where reads do not see every row. What a candidate holds by a claim it holds
 * only while row and claim are both there and fresh. Both are renewed and withdrawn together.
 */
public interface LockTable {

  /**
   * Claims a lock for a candidate that will be announced next. The claim has the store's time; it
   * is the candidate's until it is withdrawn, or is stale and another claims it. Asking again for
   * what one has gives true.
   *
   * <p>The default is for a table without an arbiter, whose rows alone decide: it always gives true
   * and keeps nothing.
   *
   * @param id whose lock it is
   * @param lockId the candidate, of an id never used before
   * @param holder who it is, for people
   * @param stale how old the claim of another must be to be taken over
   * @return true when the claim is the candidate's, false when another has it
   * @throws StateFailure.OutcomeUnknown when the claim may be the candidate's or not; the caller
   *     withdraws it
   */
  default boolean claim(StateId id, LockId lockId, String holder, Duration stale) {
    return true;
  }

  /**
   * Claims many locks for one candidate, as {@link #claim} does one.
   *
   * @param ids whose locks
   * @param lockId the candidate, of an id never used before
   * @param holder who it is, for people
   * @param stale how old the claim of another must be to be taken over
   * @return the ids of the locks whose claim is the candidate's
   * @throws StateFailure.OutcomeUnknown when some of the claims may be the candidate's; the caller
   *     withdraws all
   */
  default Set<StateId> claimAll(Set<StateId> ids, LockId lockId, String holder, Duration stale) {
    Set<StateId> claimed = new HashSet<>();
    for (StateId id : ids) {
      try {
        if (claim(id, lockId, holder, stale)) {
          claimed.add(id);
        }
      } catch (StateFailure e) {
        if (claimed.isEmpty()) {
          throw e;
        }
        throw new StateFailure.OutcomeUnknown(
            "a part of " + ids.size() + " locks was claimed: " + e.getMessage(), e);
      }
    }
    return claimed;
  }

  /**
   * Tells who has the claim to a lock, stale or not. Mostly a candidate that has a row, too;
   * without one it is about to announce itself, or ended before it could.
   *
   * @param id whose lock it is
   * @return the claim with its time; empty when nobody has it, and always where the table has no
   *     arbiter
   */
  default Optional<LockCandidate> claimant(StateId id) {
    return Optional.empty();
  }

  /**
   * Inserts the row of a new candidate, with the store's time.
   *
   * @param id whose lock it is
   * @param lockId the candidate, of an id never used before
   * @param holder who it is, for people
   * @throws StateFailure.OutcomeUnknown when the row may have been inserted or not; the caller
   *     withdraws it
   */
  void announce(StateId id, LockId lockId, String holder);

  /**
   * Shows all rows of one lock, stale ones too.
   *
   * @param id whose lock it is
   * @return the newest row of each candidate, in the order of lock ids, all with the same time of
   *     reading
   */
  List<LockCandidate> look(StateId id);

  /**
   * Gives a candidate's row the store's present time, if the row is still there and not stale: what
   * became stale stays so. So it does with the claim of a candidate that claimed the lock.
   *
   * @param id whose lock it is
   * @param lockId the candidate
   * @param stale how old the row and the claim may be
   * @return true when the row was renewed, and the claim if the candidate claimed; false when
   *     either was gone or stale
   * @throws StateFailure.OutcomeUnknown when the row may have been renewed or not
   */
  boolean renew(StateId id, LockId lockId, Duration stale);

  /**
   * Removes a candidate's row and its claim, and nobody else's: its own when it lets go, another's
   * when it is broken.
   *
   * @param id whose lock it is
   * @param lockId the candidate
   * @return true when the row was there, stale or not; a claim without a row gives false
   * @throws StateFailure.OutcomeUnknown when the row or the claim may have been removed or not;
   *     asking again is safe
   */
  boolean withdraw(StateId id, LockId lockId);

  /**
   * Inserts the row of one new candidate into each of many locks, as {@link #announce} does into
   * one. A table that can do it in fewer steps overrides this and the other methods for many locks.
   *
   * @param ids whose locks; each lock is another's business
   * @param lockId the candidate, of an id never used before
   * @param holder who it is, for people
   * @throws StateFailure.OutcomeUnknown when some of the rows may have been inserted; the caller
   *     withdraws all
   */
  default void announceAll(Set<StateId> ids, LockId lockId, String holder) {
    int announced = 0;
    for (StateId id : ids) {
      try {
        announce(id, lockId, holder);
      } catch (StateFailure e) {
        if (announced == 0) {
          throw e;
        }
        throw new StateFailure.OutcomeUnknown(
            "a part of " + ids.size() + " rows was inserted: " + e.getMessage(), e);
      }
      announced++;
    }
  }

  /**
   * Shows the rows of many locks in which one candidate announced itself, as {@link #look} does of
   * one.
   *
   * @param ids whose locks
   * @param lockId the candidate
   * @return what {@link #look} gives of each lock, in any order of locks; nothing of a lock that
   *     has no row of the candidate
   */
  default Map<StateId, List<LockCandidate>> lookAll(Set<StateId> ids, LockId lockId) {
    Map<StateId, List<LockCandidate>> seen = new HashMap<>();
    for (StateId id : ids) {
      List<LockCandidate> rows = look(id);
      if (rows.stream().anyMatch(row -> row.lockId().equals(lockId))) {
        seen.put(id, rows);
      }
    }
    return seen;
  }

  /**
   * Renews the rows of one candidate in many locks, as {@link #renew} does in one.
   *
   * @param ids whose locks
   * @param lockId the candidate
   * @param stale how old a row may be
   * @return the ids of the locks whose row was renewed
   * @throws StateFailure.OutcomeUnknown when rows may have been renewed or not
   * @throws StateFailure as {@link #renew} does; some rows may have been renewed by then
   */
  default Set<StateId> renewAll(Set<StateId> ids, LockId lockId, Duration stale) {
    Set<StateId> renewed = new HashSet<>();
    for (StateId id : ids) {
      if (renew(id, lockId, stale)) {
        renewed.add(id);
      }
    }
    return renewed;
  }

  /**
   * Removes the rows of one candidate from many locks, as {@link #withdraw} does from one.
   *
   * @param ids whose locks
   * @param lockId the candidate
   * @return the ids of the locks whose row was there, stale or not
   * @throws StateFailure.OutcomeUnknown when rows may have been removed or not; asking again is
   *     safe
   * @throws StateFailure as {@link #withdraw} does; some rows may have been removed by then
   */
  default Set<StateId> withdrawAll(Set<StateId> ids, LockId lockId) {
    Set<StateId> there = new HashSet<>();
    for (StateId id : ids) {
      if (withdraw(id, lockId)) {
        there.add(id);
      }
    }
    return there;
  }

  /**
   * Removes the stale rows of one lock, if there are any. Stale claims are left to whoever claims
   * next.
   *
   * @param id whose lock it is
   * @param stale rows older than this are removed
   */
  void removeStale(StateId id, Duration stale);

  /**
   * Removes the stale rows of many locks, as {@link #removeStale} does of one. Asked for locks in
   * which some were seen.
   *
   * @param ids whose locks
   * @param stale rows older than this are removed
   */
  default void removeStaleAll(Set<StateId> ids, Duration stale) {
    ids.forEach(id -> removeStale(id, stale));
  }

  /**
   * Walks all rows of the locks that a glob picks, in the order of ids, then of lock ids.
   *
   * @param glob picks the ids
   * @param action is called with the newest row of each candidate, in the calling thread
   */
  void forEach(StateIdGlob glob, Consumer<? super LockCandidate> action);

  /**
   * Tells what keeps {@link dev.statectl.lock.LockMode#IMMEDIATE} from being safe here, so that
   * every lock is taken in settle mode instead. Known once a candidate was announced.
   *
   * @return the reason and how to mend it, for people; empty when there is none, or nothing was
   *     announced yet
   */
  default Optional<String> immediateObstacle() {
    return Optional.empty();
  }
}
