package dev.statectl.contract;

import static dev.statectl.contract.BrokenAdapter.hooks;
import static dev.statectl.contract.BrokenAdapter.table;

import dev.statectl.contract.BrokenAdapter.Hooks;
import dev.statectl.lock.Fence;
import dev.statectl.lock.LockCandidate;
import dev.statectl.lock.LockId;
import dev.statectl.state.StateId;
import java.text.Normalizer;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** For every rule of claims a table with an arbiter that breaks it. */
final class BrokenClaimTables {
  private BrokenClaimTables() {}

  static Stream<BrokenAdapter> all() {
    return Stream.of(ofClaims(), ofManyClaims(), ofHolding(), ofReleasing())
        .flatMap(Function.identity());
  }

  private static Stream<BrokenAdapter> ofClaims() {
    return Stream.of(
        hooks("H-07", "the age in seconds of the row", AgelessHooks::new).ofLocks().breakingMuch(),
        table("L-65", "the holder of the claim", ClaimsWithoutHolder::new)
            .alsoBreaking("L-47", "L-68"),
        table("L-66", "the claim of", TakesOverFreshOnes::new).breakingMuch(),
        table("L-67", "the claim at the second call", RefusesItself::new).alsoBreaking("L-71"),
        table("L-68", "the claim", NeverTakesOver::new).alsoBreaking("L-71", "L-74", "L-83"),
        table("L-69", "a row of exactly the stale age is not stale", TakesOverTooEarly::new),
        table("L-70", "the rows of the lock 'dev:tap-to-target'", ShowsClaimsAsRows::new)
            .breakingMuch(),
        table("L-73", "the claim to ", Normalizes::new),
        table("L-74", "not exactly one was given the claim", LooksThenTakes::new));
  }

  private static Stream<BrokenAdapter> ofManyClaims() {
    return Stream.of(
        table("L-71", "the locks that were claimed", ClaimsAllOrNone::new).alsoBreaking("L-72"),
        table("L-72", "the locks that were claimed", ClaimsAHundred::new));
  }

  private static Stream<BrokenAdapter> ofHolding() {
    return Stream.of(
        table("L-75", "the age in seconds of the row", RenewsRowsOnly::new).alsoBreaking("L-77"),
        table("L-76", "renew beside a stale claim", RenewsBesideAnyClaim::new).alsoBreaking("L-77"),
        table("L-77", "the age in seconds of the row", RenewsAllThatAre::new),
        table("L-78", "save under a lock that is lost must fail", FencesByStaleClaims::new),
        table("L-79", "save under a lock that is lost must fail", FencesByRows::new)
            .alsoBreaking("L-78"));
  }

  private static Stream<BrokenAdapter> ofReleasing() {
    return Stream.of(
        table("L-80", "who has the claim to the lock", ReleasesWithoutCompare::new),
        table("L-81", "who has the claim to the lock", ReleasesAllOfIt::new),
        table("L-82", "the refusal", SharesHolders::new).alsoBreaking("L-47"),
        table("L-83", "who has the claim to the lock", KeepsClaimsOfRows::new));
  }

  private static final class AgelessHooks extends Hooks {
    AgelessHooks() {
      super(() -> new ReferenceStore(new ReferenceClaimTable()), ReferenceBackend::new);
    }

    @Override
    boolean plantClaim(RawLock claim) {
      return super.plantClaim(new RawLock(claim.id(), claim.lockId(), claim.holder(), 0));
    }
  }

  private static final class ClaimsWithoutHolder extends ReferenceClaimTable {
    @Override
    public synchronized boolean claim(StateId id, LockId lockId, String holder, Duration stale) {
      return super.claim(id, lockId, "", stale);
    }
  }

  /** An insert that is not strict: it replaces what is there. */
  private static final class TakesOverFreshOnes extends ReferenceClaimTable {
    @Override
    boolean isFree(StateId id, Duration stale) {
      return true;
    }
  }

  private static final class RefusesItself extends ReferenceClaimTable {
    @Override
    public synchronized boolean claim(StateId id, LockId lockId, String holder, Duration stale) {
      checkOpen();
      boolean free = isFree(id, stale);
      return free && super.claim(id, lockId, holder, stale);
    }
  }

  private static final class NeverTakesOver extends ReferenceClaimTable {
    @Override
    boolean isFree(StateId id, Duration stale) {
      return !claims.containsKey(id);
    }
  }

  private static final class TakesOverTooEarly extends ReferenceClaimTable {
    @Override
    boolean isFree(StateId id, Duration stale) {
      return super.isFree(id, stale.minusSeconds(1));
    }
  }

  private static final class ShowsClaimsAsRows extends ReferenceClaimTable {
    @Override
    public synchronized List<LockCandidate> look(StateId id) {
      return Stream.concat(
              super.look(id).stream().filter(row -> !hasClaim(id, row.lockId())),
              Stream.ofNullable(claims.get(id)))
          .toList();
    }
  }

  private static final class Normalizes extends ReferenceClaimTable {
    @Override
    public synchronized boolean claim(StateId id, LockId lockId, String holder, Duration stale) {
      StateId normal = StateId.ofStored(Normalizer.normalize(id.text(), Normalizer.Form.NFC));
      return normal.equals(id) ? super.claim(id, lockId, holder, stale) : !isFree(normal, stale);
    }
  }

  /** Compares in one step and sets in another. */
  private static final class LooksThenTakes extends ReferenceClaimTable {
    @Override
    public boolean claim(StateId id, LockId lockId, String holder, Duration stale) {
      boolean free;
      synchronized (this) {
        checkOpen();
        free = isFree(id, stale);
      }
      pause();
      synchronized (this) {
        if (free) {
          put(id, lockId, holder);
        }
        return hasClaim(id, lockId);
      }
    }

    private static void pause() {
      try {
        Thread.sleep(2);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
  }

  /** One statement for all, which another's claim keeps from being done. */
  private static final class ClaimsAllOrNone extends ReferenceClaimTable {
    @Override
    public Set<StateId> claimAll(Set<StateId> ids, LockId lockId, String holder, Duration stale) {
      Set<StateId> claimed = super.claimAll(ids, lockId, holder, stale);
      return claimed.equals(ids) ? claimed : Set.of();
    }
  }

  private static final class ClaimsAHundred extends ReferenceClaimTable {
    @Override
    public Set<StateId> claimAll(Set<StateId> ids, LockId lockId, String holder, Duration stale) {
      return super.claimAll(
          ids.stream().limit(100).collect(Collectors.toSet()), lockId, holder, stale);
    }
  }

  private static final class RenewsRowsOnly extends ReferenceClaimTable {
    @Override
    public synchronized boolean renew(StateId id, LockId lockId, Duration stale) {
      Optional<LockCandidate> before = claimant(id);
      boolean renewed = super.renew(id, lockId, stale);
      before.ifPresent(claim -> claims.put(id, claim));
      return renewed;
    }
  }

  private static final class RenewsBesideAnyClaim extends ReferenceClaimTable {
    private boolean renewing;

    @Override
    public synchronized boolean renew(StateId id, LockId lockId, Duration stale) {
      renewing = true;
      boolean renewed = super.renew(id, lockId, stale);
      renewing = false;
      return renewed;
    }

    @Override
    boolean holdsByClaim(StateId id, LockId lockId, Duration stale) {
      return renewing || super.holdsByClaim(id, lockId, stale);
    }
  }

  private static final class RenewsAllThatAre extends ReferenceClaimTable {
    @Override
    public Set<StateId> renewAll(Set<StateId> ids, LockId lockId, Duration stale) {
      Set.copyOf(claims.keySet()).forEach(id -> renewClaim(id, lockId));
      return super.renewAll(ids, lockId, stale);
    }

    private void renewClaim(StateId id, LockId lockId) {
      if (holdsByClaim(id, lockId, LockTopic.STALE_TIME)) {
        put(id, lockId, claims.get(id).holder());
      }
    }
  }

  private static final class FencesByStaleClaims extends ReferenceClaimTable {
    @Override
    synchronized boolean isOpen(Fence fence) {
      checkOpen();
      return rowIsFresh(this, fence)
          && (super.isOpen(fence) || hasClaim(fence.lock(), fence.lockId()));
    }
  }

  private static final class FencesByRows extends ReferenceClaimTable {
    @Override
    synchronized boolean isOpen(Fence fence) {
      checkOpen();
      return rowIsFresh(this, fence);
    }
  }

  private static boolean rowIsFresh(ReferenceLockTable table, Fence fence) {
    return table.rows.stream()
        .filter(row -> row.id().equals(fence.lock()) && row.lockId().equals(fence.lockId()))
        .anyMatch(row -> !ReferenceLockTable.isStale(row, fence.stale()));
  }

  private static final class ReleasesWithoutCompare extends ReferenceClaimTable {
    @Override
    public synchronized boolean withdraw(StateId id, LockId lockId) {
      boolean removed = super.withdraw(id, lockId);
      if (!id.text().equals("dev:lost") && !id.text().equals("dev:round")) {
        claims.remove(id);
      }
      return removed;
    }
  }

  /** Forgets that the candidate has claims to other locks. */
  private static final class ReleasesAllOfIt extends ReferenceClaimTable {
    @Override
    public Set<StateId> withdrawAll(Set<StateId> ids, LockId lockId) {
      Set<StateId> there = super.withdrawAll(ids, lockId);
      claims.values().removeIf(claim -> claim.lockId().equals(lockId));
      return there;
    }
  }

  private static final class SharesHolders extends ReferenceClaimTable {
    @Override
    public synchronized Optional<LockCandidate> claimant(StateId id) {
      return super.claimant(id)
          .map(
              claim ->
                  claim.holder().contains("@")
                      ? new LockCandidate(id, claim.lockId(), claim.lockedAt(), NOW, "somebody")
                      : claim);
    }
  }

  /** Of one lock, gives a claim back only when it never had a row. */
  private static final class KeepsClaimsOfRows extends ReferenceClaimTable {
    @Override
    public synchronized boolean withdraw(StateId id, LockId lockId) {
      Optional<LockCandidate> claim = claimant(id);
      boolean removed = super.withdraw(id, lockId);
      // Of one alone: rules that wait for a lock to be given back would wait for long.
      if (removed && id.equals(StateId.of("dev:held"))) {
        claim.ifPresent(kept -> claims.put(id, kept));
      }
      return removed;
    }
  }
}
