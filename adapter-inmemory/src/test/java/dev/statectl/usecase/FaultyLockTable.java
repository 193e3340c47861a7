package dev.statectl.usecase;

import dev.statectl.lock.LockCandidate;
import dev.statectl.lock.LockId;
import dev.statectl.port.LockTable;
import dev.statectl.port.StateFailure;
import dev.statectl.state.StateId;
import dev.statectl.state.StateIdGlob;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

/**
 * A lock table behind a bad line: the next answers may be lost before or after the work is done.
 */
final class FaultyLockTable implements LockTable {
  private final LockTable table;
  private final Deque<Runnable> before = new ArrayDeque<>();
  private final Deque<Runnable> after = new ArrayDeque<>();
  private boolean losesNextClaim;

  FaultyLockTable(LockTable table) {
    this.table = table;
  }

  /** The next call does nothing and is not answered. */
  void loseNextRequest() {
    before.add(
        () -> {
          throw new StateFailure.Unavailable("the line is down", null);
        });
    after.add(() -> {});
  }

  /** The next call does its work, and the answer is lost. */
  void loseNextAnswer() {
    before.add(() -> {});
    after.add(
        () -> {
          throw new StateFailure.OutcomeUnknown("the answer was lost", null);
        });
  }

  /** The next call does its work, and something happens before it is answered. */
  void delayNext(Runnable meanwhile) {
    before.add(() -> {});
    after.add(meanwhile);
  }

  /** The next call is answered. */
  void passNext() {
    before.add(() -> {});
    after.add(() -> {});
  }

  /** The next claim is given, and the answer is lost. */
  void loseAnswerToNextClaim() {
    losesNextClaim = true;
  }

  private interface Call<T> {
    T run();
  }

  private <T> T through(Call<T> call) {
    Runnable fails = before.isEmpty() ? () -> {} : before.remove();
    Runnable failsLater = after.isEmpty() ? () -> {} : after.remove();
    fails.run();
    T result = call.run();
    failsLater.run();
    return result;
  }

  // Not counted with the other calls.
  @Override
  public boolean claim(StateId id, LockId lockId, String holder, Duration stale) {
    return claimed(table.claim(id, lockId, holder, stale));
  }

  @Override
  public Set<StateId> claimAll(Set<StateId> ids, LockId lockId, String holder, Duration stale) {
    return claimed(table.claimAll(ids, lockId, holder, stale));
  }

  private <T> T claimed(T result) {
    if (losesNextClaim) {
      losesNextClaim = false;
      throw new StateFailure.OutcomeUnknown("the answer to the claim was lost", null);
    }
    return result;
  }

  @Override
  public Optional<LockCandidate> claimant(StateId id) {
    return table.claimant(id);
  }

  @Override
  public void announce(StateId id, LockId lockId, String holder) {
    through(
        () -> {
          table.announce(id, lockId, holder);
          return true;
        });
  }

  @Override
  public List<LockCandidate> look(StateId id) {
    return through(() -> table.look(id));
  }

  @Override
  public boolean renew(StateId id, LockId lockId, Duration stale) {
    return through(() -> table.renew(id, lockId, stale));
  }

  @Override
  public boolean withdraw(StateId id, LockId lockId) {
    return through(() -> table.withdraw(id, lockId));
  }

  @Override
  public void removeStale(StateId id, Duration stale) {
    through(
        () -> {
          table.removeStale(id, stale);
          return true;
        });
  }

  @Override
  public void announceAll(Set<StateId> ids, LockId lockId, String holder) {
    through(
        () -> {
          table.announceAll(ids, lockId, holder);
          return true;
        });
  }

  @Override
  public Map<StateId, List<LockCandidate>> lookAll(Set<StateId> ids, LockId lockId) {
    return through(() -> table.lookAll(ids, lockId));
  }

  @Override
  public Set<StateId> renewAll(Set<StateId> ids, LockId lockId, Duration stale) {
    return through(() -> table.renewAll(ids, lockId, stale));
  }

  @Override
  public Set<StateId> withdrawAll(Set<StateId> ids, LockId lockId) {
    return through(() -> table.withdrawAll(ids, lockId));
  }

  @Override
  public void removeStaleAll(Set<StateId> ids, Duration stale) {
    through(
        () -> {
          table.removeStaleAll(ids, stale);
          return true;
        });
  }

  @Override
  public void forEach(StateIdGlob glob, Consumer<? super LockCandidate> action) {
    table.forEach(glob, action);
  }
}
