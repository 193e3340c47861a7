package dev.statectl.cli;

import dev.statectl.lock.LockCandidate;
import dev.statectl.lock.LockId;
import dev.statectl.port.LockTable;
import dev.statectl.state.StateId;
import dev.statectl.state.StateIdGlob;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

/** A lock table that says once, when it is asked for, what keeps locks from being immediate. */
final class ObstacleTellingLockTable implements LockTable {
  private final LockTable table;
  private final Diagnostics diagnostics;
  private boolean told;

  ObstacleTellingLockTable(LockTable table, Diagnostics diagnostics) {
    this.table = table;
    this.diagnostics = diagnostics;
  }

  @Override
  public Optional<String> immediateObstacle() {
    Optional<String> obstacle = table.immediateObstacle();
    obstacle.ifPresent(this::tellOnce);
    return obstacle;
  }

  @Override
  public boolean claim(StateId id, LockId lockId, String holder, Duration stale) {
    return table.claim(id, lockId, holder, stale);
  }

  @Override
  public Set<StateId> claimAll(Set<StateId> ids, LockId lockId, String holder, Duration stale) {
    return table.claimAll(ids, lockId, holder, stale);
  }

  @Override
  public Optional<LockCandidate> claimant(StateId id) {
    return table.claimant(id);
  }

  @Override
  public void announce(StateId id, LockId lockId, String holder) {
    table.announce(id, lockId, holder);
  }

  @Override
  public List<LockCandidate> look(StateId id) {
    return table.look(id);
  }

  @Override
  public boolean renew(StateId id, LockId lockId, Duration stale) {
    return table.renew(id, lockId, stale);
  }

  @Override
  public boolean withdraw(StateId id, LockId lockId) {
    return table.withdraw(id, lockId);
  }

  @Override
  public void removeStale(StateId id, Duration stale) {
    table.removeStale(id, stale);
  }

  @Override
  public void announceAll(Set<StateId> ids, LockId lockId, String holder) {
    table.announceAll(ids, lockId, holder);
  }

  @Override
  public Map<StateId, List<LockCandidate>> lookAll(Set<StateId> ids, LockId lockId) {
    return table.lookAll(ids, lockId);
  }

  @Override
  public Set<StateId> renewAll(Set<StateId> ids, LockId lockId, Duration stale) {
    return table.renewAll(ids, lockId, stale);
  }

  @Override
  public Set<StateId> withdrawAll(Set<StateId> ids, LockId lockId) {
    return table.withdrawAll(ids, lockId);
  }

  @Override
  public void removeStaleAll(Set<StateId> ids, Duration stale) {
    table.removeStaleAll(ids, stale);
  }

  @Override
  public void forEach(StateIdGlob glob, Consumer<? super LockCandidate> action) {
    table.forEach(glob, action);
  }

  private synchronized void tellOnce(String obstacle) {
    if (!told) {
      told = true;
      diagnostics.inform(obstacle);
    }
  }
}
