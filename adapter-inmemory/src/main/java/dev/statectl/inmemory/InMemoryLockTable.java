package dev.statectl.inmemory;

import dev.statectl.lock.Fence;
import dev.statectl.lock.LockCandidate;
import dev.statectl.lock.LockId;
import dev.statectl.port.LockTable;
import dev.statectl.state.StateId;
import dev.statectl.state.StateIdGlob;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The candidates for locks in memory, in whole seconds as the database keeps them. Every operation
 * runs within the store's own lock, so a fenced write sees the rows of its moment, and a claim is
 * decided by whoever comes first.
 */
final class InMemoryLockTable implements LockTable {
  private final StoreLock lock;
  private final Clock clock;
  private final Runnable prepareChange;
  private final TreeMap<StateId, TreeMap<LockId, Row>> rows = new TreeMap<>();
  private final TreeMap<StateId, Claim> claims = new TreeMap<>();

  /** Of a candidate that claimed, or of one that did not, whose row counts by itself. */
  private record Row(Instant lockedAt, String holder, boolean claimed) {
    Row at(Instant time) {
      return new Row(time, holder, claimed);
    }
  }

  private record Claim(LockId lockId, Instant lockedAt, String holder) {}

  /**
   * @param prepareChange keeps other programs out before the first candidate is announced: the
   *     candidates are known to this process only
   */
  InMemoryLockTable(StoreLock lock, Clock clock, Runnable prepareChange) {
    this.lock = lock;
    this.clock = clock;
    this.prepareChange = prepareChange;
  }

  @Override
  public boolean claim(StateId id, LockId lockId, String holder, Duration stale) {
    return lock.run(
        () -> {
          prepareChange.run();
          Claim claim = claims.get(id);
          if (claim == null || isStale(claim.lockedAt(), stale)) {
            claims.put(id, new Claim(lockId, now(), holder));
            return true;
          }
          return claim.lockId().equals(lockId);
        });
  }

  @Override
  public Optional<LockCandidate> claimant(StateId id) {
    return lock.run(
        () ->
            Optional.ofNullable(claims.get(id))
                .map(
                    claim ->
                        new LockCandidate(
                            id, claim.lockId(), claim.lockedAt(), now(), claim.holder())));
  }

  @Override
  public void announce(StateId id, LockId lockId, String holder) {
    lock.run(
        () -> {
          prepareChange.run();
          return put(id, lockId, new Row(now(), holder, hasClaim(id, lockId)));
        });
  }

  @Override
  public List<LockCandidate> look(StateId id) {
    return lock.run(() -> candidates(id, rows.getOrDefault(id, new TreeMap<>())));
  }

  @Override
  public boolean renew(StateId id, LockId lockId, Duration stale) {
    return lock.run(
        () -> {
          if (!isFresh(id, lockId, stale)) {
            return false;
          }
          rows.get(id).computeIfPresent(lockId, (i, row) -> row.at(now()));
          if (hasClaim(id, lockId)) {
            claims.computeIfPresent(id, (i, c) -> new Claim(lockId, now(), c.holder()));
          }
          return true;
        });
  }

  @Override
  public boolean withdraw(StateId id, LockId lockId) {
    return lock.run(
        () -> {
          if (hasClaim(id, lockId)) {
            claims.remove(id);
          }
          Map<LockId, Row> candidates = rows.get(id);
          if (candidates == null || candidates.remove(lockId) == null) {
            return false;
          }
          forgetIfEmpty(id);
          return true;
        });
  }

  @Override
  public void removeStale(StateId id, Duration stale) {
    lock.run(
        () -> {
          Map<LockId, Row> candidates = rows.get(id);
          if (candidates != null) {
            candidates.values().removeIf(row -> isStale(row.lockedAt(), stale));
            forgetIfEmpty(id);
          }
          return null;
        });
  }

  @Override
  public void forEach(StateIdGlob glob, Consumer<? super LockCandidate> action) {
    List<LockCandidate> all =
        lock.run(
            () -> {
              List<LockCandidate> found = new ArrayList<>();
              rows.forEach((id, candidates) -> found.addAll(candidates(id, candidates)));
              return found;
            });
    for (LockCandidate candidate : all) {
      if (glob.matches(candidate.id())) {
        action.accept(candidate);
      }
    }
  }

  /**
   * Puts a row as another program would, some time ago, so that tests can meet such rows without
   * waiting.
   */
  void plant(StateId id, LockId lockId, String holder, Duration age) {
    lock.run(() -> put(id, lockId, new Row(now().minus(age), holder, false)));
  }

  /** Puts a claim in the same way, in the place of any other. */
  void plantClaim(StateId id, LockId lockId, String holder, Duration age) {
    lock.run(() -> claims.put(id, new Claim(lockId, now().minus(age), holder)));
  }

  /** Tells whether a holder may still write. */
  boolean isOpen(Fence fence) {
    return lock.run(() -> isFresh(fence.lock(), fence.lockId(), fence.stale()));
  }

  private @Nullable Row put(StateId id, LockId lockId, Row row) {
    return rows.computeIfAbsent(id, i -> new TreeMap<>()).put(lockId, row);
  }

  private boolean isFresh(StateId id, LockId lockId, Duration stale) {
    Row row = rows.getOrDefault(id, new TreeMap<>()).get(lockId);
    return row != null
        && !isStale(row.lockedAt(), stale)
        && (!row.claimed() || hasClaim(id, lockId) && !isStale(claims.get(id).lockedAt(), stale));
  }

  private boolean hasClaim(StateId id, LockId lockId) {
    Claim claim = claims.get(id);
    return claim != null && claim.lockId().equals(lockId);
  }

  private boolean isStale(Instant lockedAt, Duration stale) {
    return Duration.between(lockedAt, now()).compareTo(stale) > 0;
  }

  private List<LockCandidate> candidates(StateId id, Map<LockId, Row> candidates) {
    Instant now = now();
    return candidates.entrySet().stream()
        .map(
            e ->
                new LockCandidate(
                    id, e.getKey(), e.getValue().lockedAt(), now, e.getValue().holder()))
        .toList();
  }

  private void forgetIfEmpty(StateId id) {
    rows.computeIfPresent(id, (i, candidates) -> candidates.isEmpty() ? null : candidates);
  }

  private Instant now() {
    return clock.instant().truncatedTo(ChronoUnit.SECONDS);
  }
}
