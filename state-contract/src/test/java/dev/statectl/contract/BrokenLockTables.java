package dev.statectl.contract;

import static dev.statectl.contract.BrokenAdapter.backend;
import static dev.statectl.contract.BrokenAdapter.hooks;
import static dev.statectl.contract.BrokenAdapter.store;
import static dev.statectl.contract.BrokenAdapter.table;

import dev.statectl.contract.BrokenAdapter.Hooks;
import dev.statectl.lock.Fence;
import dev.statectl.lock.LockCandidate;
import dev.statectl.lock.LockId;
import dev.statectl.port.Backend;
import dev.statectl.port.LockTable;
import dev.statectl.port.StateFailure;
import dev.statectl.state.State;
import dev.statectl.state.StateId;
import dev.statectl.state.StateIdGlob;
import dev.statectl.state.StateVersion;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.text.Normalizer;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** For every rule of locks an adapter that breaks it. */
final class BrokenLockTables {
  private static final Duration STALE = LockTopic.STALE_TIME;

  private BrokenLockTables() {}

  static Stream<BrokenAdapter> all() {
    return Stream.of(
            ofHooks(),
            ofLook(),
            ofRenew(),
            ofRemove(),
            ofWalk(),
            ofNames(),
            ofFencesThatFail(),
            ofFencesThatHold(),
            ofAcquire(),
            ofSession(),
            ofBackend(),
            BrokenClaimTables.all())
        .flatMap(Function.identity());
  }

  private static Stream<BrokenAdapter> ofHooks() {
    return Stream.of(
        hooks("H-04", "the rows in a backend that was just opened", FilledHooks::new)
            .ofLocks()
            .breakingMuch(),
        hooks(
                "H-05",
                "the rows in the backend in which nothing was announced",
                BrokenAdapters.SharingHooks::new)
            .ofLocks(),
        hooks("H-06", "the age in seconds of the row", AgelessHooks::new).ofLocks().breakingMuch());
  }

  private static Stream<BrokenAdapter> ofLook() {
    return Stream.of(
        table("L-01", "the rows of the lock 'dev:tap-to-target'", RemembersCleaning::new),
        table("L-02", "the holder", () -> new Respells(text -> text.replace("example.com", "?"))),
        table("L-03", "the time of the row; the store's was", UsesAnotherClock::new)
            .alsoBreaking("L-58"),
        table("L-04", "the rows of the lock 'dev:tap-to-target'", KeyedByIdOnly::new)
            .breakingMuch(),
        table("L-05", "the rows of the lock 'dev:tap-to-target'", OrdersIgnoringCase::new),
        table("L-06", "the times of reading", ReadsRowByRow::new),
        table("L-07", "the holder", NamesThePlugin::new).alsoBreaking("L-25"),
        table("L-08", "the rows of the lock 'dev:tap-to-target'", HidesOldRows::new)
            .alsoBreaking("H-06"),
        table(
            "L-09",
            "the holder announced as single quotes only",
            () -> new Respells(text -> text.replace("''", "'"))),
        table("L-58", "the holder", AnnouncesAllWithoutHolder::new),
        table("L-59", "the locks that have the candidate", LooksAtAllThatAre::new),
        table("L-60", "the renewed", RenewsAHundred::new));
  }

  private static Stream<BrokenAdapter> ofRenew() {
    return Stream.of(
        table("L-10", "the time of the renewed row", RenewsForLater::new)
            .alsoBreaking("L-14", "L-25", "L-61"),
        table("L-11", "the holder of the renewed row", RenewsWithoutHolder::new)
            .alsoBreaking("L-61"),
        table("L-12", "renew of a row that was withdrawn", RenewBringsBack::new)
            .alsoBreaking("L-16", "L-29"),
        table("L-13", "renew of a stale row", RenewsStale::new).alsoBreaking("L-61"),
        table("L-14", "a row of exactly the stale age is not stale: [renew]", RenewsTooLate::new),
        table("L-15", "the age in seconds of the row", RenewsWholeLock::new).alsoBreaking("L-61"),
        table("L-16", "the rows of the lock 'dev:tap-to-target'", ReleasesWithOlderVersion::new),
        table("L-61", "the age in seconds of the row", RenewsAllThatAre::new));
  }

  private static Stream<BrokenAdapter> ofRemove() {
    return Stream.of(
        table("L-17", "withdraw of", DeniesStale::new).alsoBreaking("L-57"),
        table("L-18", "the rows of the lock 'dev:tap-to-target'", WithdrawsIgnoringCase::new),
        table("L-19", "the rows of the lock 'dev:tap-to-target'", WithdrawsNewestVersion::new)
            .alsoBreaking("L-12", "L-16", "L-27", "L-29", "L-35", "L-57", "L-60"),
        table("L-20", "the rows of the lock 'dev:tap-to-target'", FreesSuccessor::new),
        table("L-57", "the rows of the lock 'dev:other'", WithdrawsAllOfIt::new)
            .alsoBreaking("L-60"),
        table("L-62", "the rows of the lock 'dev:other'", CleansAll::new),
        table("L-21", "the rows of the lock 'dev:other'", CleansWholeTable::new)
            .alsoBreaking("L-50", "L-62"),
        table(
            "L-22",
            "a row of exactly the stale age is not stale: [the rows of the lock",
            CleansTooEarly::new),
        table("L-23", "the rows of the lock 'dev:tap-to-target'", CleansByFirstTime::new));
  }

  private static Stream<BrokenAdapter> ofWalk() {
    return Stream.of(
        table("L-24", "the rows in the order of the walk", WalksByChars::new),
        table("L-25", "the rows of the walk", WalksRenewals::new),
        table("L-26", "the locks that the glob 'dev:tap_a' picks", PicksLike::new),
        table("L-27", "java.util.ConcurrentModificationException", WalksLive::new),
        table("L-28", "what the walk threw when its action threw", Translates::new));
  }

  private static Stream<BrokenAdapter> ofNames() {
    return Stream.of(
        table("L-29", "the rows of the lock '{fn now()}'", RewritesEscapes::new)
            .alsoBreaking("L-30", "L-58"),
        table("L-30", "the rows of the lock 'caf\\u00e9'", Normalizes::new),
        table("L-31", "the locks that the glob '*' picks", HidesBlankIds::new));
  }

  private static Stream<BrokenAdapter> ofFencesThatFail() {
    return Stream.of(
        table(
            "L-34",
            "save under a lock that is lost must fail with LockLost, but threw",
            WantsItsTable::new),
        table("L-35", "save under a lock that is lost must fail", FencesByOldRows::new)
            .alsoBreaking("L-38", "L-51", "L-64"),
        table("L-36", "save under a lock that is lost must fail", FencesByStaleRows::new)
            .alsoBreaking("L-40"),
        table("L-37", "save under a lock that is lost must fail", FencesByAnyRow::new)
            .alsoBreaking("L-38", "L-51", "L-64"),
        table("L-38", "the lock of '@run:dev:tap-to-target' was lost", FencesByStateId::new)
            .alsoBreaking("L-29"),
        table("L-39", "the lock of 'dev:try-1' was lost", FencesTooEarly::new),
        table("L-40", "the lock of 'dev:tap-to-target' was lost", FencesByFirstTime::new));
  }

  private static Stream<BrokenAdapter> ofFencesThatHold() {
    return Stream.of(
        store("L-32", "the completed half of 'dev:tap-to-target'", FencedMerges::new).ofLocks(),
        store("L-33", "delete where nothing was stored", FencedAlwaysDeletes::new).ofLocks(),
        store(
                "L-41",
                "save under a lock with the id '' must fail with IllegalArgumentException, but"
                    + " nothing",
                FencedSavesUnchecked::new)
            .ofLocks(),
        store("L-42", "the version of save number 2 under a lock", FencedByTheClock::new).ofLocks(),
        store("L-43", "more than the 262144 that may be written", FencedInOneStatement::new)
            .ofLocks(),
        store("L-44", "the ids that are stored", FencedRewrites::new).ofLocks(),
        store("L-45", "the age in seconds of the row", FencedRenews::new).ofLocks());
  }

  private static Stream<BrokenAdapter> ofAcquire() {
    return Stream.of(
        table("L-46", "the rows of the lock 'dev:tap-to-target'", WithdrawsByHolder::new)
            .alsoBreaking("L-60"),
        table("L-47", "the refusal", SharesHolders::new),
        table("L-48", "is held by bob", KeepsRowsOfBob::new).alsoBreaking("L-17", "L-47", "L-51"),
        table("L-49", "taking a lock that is held must fail with LockHeld", BreaksThePlugin::new),
        table("L-50", "the rows of the lock 'dev:tap-to-target'", CleansNothing::new)
            .alsoBreaking("L-21", "L-62"),
        store("L-51", "a write by the former holder must fail", FencesOnce::new)
            .ofLocks()
            .alsoBreaking("L-38", "L-64"),
        table("L-52", "several candidates saw themselves alone", ShowsOthersLate::new)
            .breakingMuch(),
        table("L-53", "how often two held the lock at once", PushesOut::new),
        table("L-54", "the locks of the rows that are left", WalksOwnRows::new)
            .alsoBreaking("L-28"));
  }

  private static Stream<BrokenAdapter> ofSession() {
    return Stream.of(
        store("L-63", "the partial half of 'dev:single'", FencedComparesOneHalf::new).ofLocks(),
        table("L-64", "a flush after the lock was lost must fail", FencesByHolder::new));
  }

  private static Stream<BrokenAdapter> ofBackend() {
    return Stream.of(
        backend("L-55", "the table at the second call", GivesOtherTables::new).ofLocks(),
        backend("L-56", "announce after close must fail with IllegalStateException", Stays::new)
            .ofLocks());
  }

  /** Forgets that the candidate has rows in other locks. */
  private static final class WithdrawsAllOfIt extends ReferenceLockTable {
    @Override
    public Set<StateId> withdrawAll(Set<StateId> ids, LockId lockId) {
      Set<StateId> there = super.withdrawAll(ids, lockId);
      rows.removeIf(row -> row.lockId().equals(lockId));
      return there;
    }
  }

  /** A statement in which the holder was not bound. */
  private static final class AnnouncesAllWithoutHolder extends ReferenceLockTable {
    @Override
    public void announceAll(Set<StateId> ids, LockId lockId, String holder) {
      super.announceAll(ids, lockId, "");
    }
  }

  private static final class LooksAtAllThatAre extends ReferenceLockTable {
    @Override
    public Map<StateId, List<LockCandidate>> lookAll(Set<StateId> ids, LockId lockId) {
      Map<StateId, List<LockCandidate>> seen = new HashMap<>();
      ids.forEach(id -> seen.put(id, look(id)));
      return seen;
    }
  }

  /** One whose statement is cut at its longest. */
  private static final class RenewsAHundred extends ReferenceLockTable {
    @Override
    public Set<StateId> renewAll(Set<StateId> ids, LockId lockId, Duration stale) {
      return super.renewAll(ids.stream().limit(100).collect(Collectors.toSet()), lockId, stale);
    }
  }

  private static final class RenewsAllThatAre extends ReferenceLockTable {
    @Override
    public Set<StateId> renewAll(Set<StateId> ids, LockId lockId, Duration stale) {
      rows.stream()
          .filter(row -> row.lockId().equals(lockId))
          .map(LockCandidate::id)
          .toList()
          .forEach(id -> renew(id, lockId, stale));
      return super.renewAll(ids, lockId, stale);
    }
  }

  private static final class CleansAll extends ReferenceLockTable {
    @Override
    public void removeStaleAll(Set<StateId> ids, Duration stale) {
      rows.removeIf(row -> row.age().compareTo(stale) > 0);
    }
  }

  private static final class FilledHooks extends Hooks {
    FilledHooks() {
      super(ReferenceStore::new, ReferenceBackend::new);
    }

    @Override
    Backend open() {
      Backend backend = super.open();
      backend.locks().announce(BackendTopic.id("left over"), BackendTopic.ours(1), "");
      return backend;
    }
  }

  private static final class AgelessHooks extends Hooks {
    AgelessHooks() {
      super(ReferenceStore::new, ReferenceBackend::new);
    }

    @Override
    void plant(RawLock row) {
      super.plant(new RawLock(row.id(), row.lockId(), row.holder(), 0));
    }
  }

  private static LockCandidate row(LockCandidate row, Instant lockedAt, String holder) {
    return new LockCandidate(row.id(), row.lockId(), lockedAt, row.seenAt(), holder);
  }

  private static final class RemembersCleaning extends ReferenceLockTable {
    @Override
    public synchronized void removeStale(StateId id, Duration stale) {
      if (rows.isEmpty()) {
        announce(id, BackendTopic.ours(0), "");
      }
      super.removeStale(id, stale);
    }
  }

  private static final class Respells extends ReferenceLockTable {
    private final UnaryOperator<String> spelling;

    Respells(UnaryOperator<String> spelling) {
      this.spelling = spelling;
    }

    @Override
    public void announce(StateId id, LockId lockId, String holder) {
      super.announce(id, lockId, spelling.apply(holder));
    }
  }

  private static final class UsesAnotherClock extends ReferenceLockTable {
    @Override
    public synchronized void announce(StateId id, LockId lockId, String holder) {
      checkOpen();
      put(new LockCandidate(id, lockId, NOW.plusSeconds(90), NOW, holder));
    }
  }

  /** The table of the Python plugin, when its parts were merged. */
  private static final class KeyedByIdOnly extends ReferenceLockTable {
    @Override
    void put(LockCandidate row) {
      rows.removeIf(other -> other.id().equals(row.id()));
      super.put(row);
    }
  }

  private static final class OrdersIgnoringCase extends ReferenceLockTable {
    @Override
    public List<LockCandidate> look(StateId id) {
      Comparator<String> order = String.CASE_INSENSITIVE_ORDER;
      return super.look(id).stream()
          .sorted(
              Comparator.comparing((LockCandidate row) -> row.lockId().text(), order)
                  .thenComparing(LockCandidate::lockId, Comparator.reverseOrder()))
          .toList();
    }
  }

  private static final class ReadsRowByRow extends ReferenceLockTable {
    @Override
    public List<LockCandidate> look(StateId id) {
      List<LockCandidate> seen = new ArrayList<>();
      for (LockCandidate row : super.look(id)) {
        Instant now = row.seenAt().plusSeconds(seen.size());
        seen.add(new LockCandidate(id, row.lockId(), row.lockedAt(), now, row.holder()));
      }
      return seen;
    }
  }

  private static final class NamesThePlugin extends ReferenceLockTable {
    @Override
    public List<LockCandidate> look(StateId id) {
      return super.look(id).stream()
          .map(row -> row(row, row.lockedAt(), row.holder().isEmpty() ? "plugin" : row.holder()))
          .toList();
    }
  }

  private static final class HidesOldRows extends ReferenceLockTable {
    @Override
    public List<LockCandidate> look(StateId id) {
      return super.look(id).stream().filter(row -> row.age().toSeconds() < 150).toList();
    }
  }

  private static final class RenewsForLater extends ReferenceLockTable {
    @Override
    public synchronized boolean renew(StateId id, LockId lockId, Duration stale) {
      checkOpen();
      Optional<LockCandidate> row = fresh(id, lockId, stale);
      row.ifPresent(old -> put(row(old, NOW.plusSeconds(90), old.holder())));
      return row.isPresent();
    }
  }

  private static final class RenewsWithoutHolder extends ReferenceLockTable {
    @Override
    public synchronized boolean renew(StateId id, LockId lockId, Duration stale) {
      boolean renewed = super.renew(id, lockId, stale);
      fresh(id, lockId, stale).ifPresent(row -> put(row(row, row.lockedAt(), "")));
      return renewed;
    }
  }

  private static final class RenewBringsBack extends ReferenceLockTable {
    private final Set<LockId> known = new HashSet<>();

    @Override
    void put(LockCandidate row) {
      known.add(row.lockId());
      super.put(row);
    }

    @Override
    public synchronized boolean renew(StateId id, LockId lockId, Duration stale) {
      boolean gone = look(id).stream().noneMatch(row -> row.lockId().equals(lockId));
      if (gone && known.contains(lockId) && !id.text().equals("dev:none")) {
        announce(id, lockId, "");
      }
      return super.renew(id, lockId, stale);
    }
  }

  private static final class RenewsStale extends ReferenceLockTable {
    @Override
    public boolean renew(StateId id, LockId lockId, Duration stale) {
      return super.renew(id, lockId, stale.multipliedBy(100));
    }
  }

  private static final class RenewsTooLate extends ReferenceLockTable {
    @Override
    public boolean renew(StateId id, LockId lockId, Duration stale) {
      return super.renew(id, lockId, stale.minusSeconds(1));
    }
  }

  private static final class RenewsWholeLock extends ReferenceLockTable {
    @Override
    public synchronized boolean renew(StateId id, LockId lockId, Duration stale) {
      boolean renewed = super.renew(id, lockId, stale);
      if (renewed) {
        look(id).forEach(row -> put(row(row, NOW, row.holder())));
      }
      return renewed;
    }
  }

  /** Releases by a row that says so, which an older time hides behind the row itself. */
  private static final class ReleasesWithOlderVersion extends ReferenceLockTable {
    @Override
    public synchronized boolean renew(StateId id, LockId lockId, Duration stale) {
      Optional<LockCandidate> before = ofTheFuture(id, lockId);
      boolean renewed = super.renew(id, lockId, stale);
      before.ifPresent(this::put);
      return renewed;
    }

    @Override
    public synchronized boolean withdraw(StateId id, LockId lockId) {
      return ofTheFuture(id, lockId).isPresent() || super.withdraw(id, lockId);
    }

    private Optional<LockCandidate> ofTheFuture(StateId id, LockId lockId) {
      return fresh(id, lockId, Duration.ofSeconds(-1));
    }
  }

  private static final class DeniesStale extends ReferenceLockTable {
    @Override
    public synchronized boolean withdraw(StateId id, LockId lockId) {
      boolean fresh = fresh(id, lockId, STALE).isPresent();
      return super.withdraw(id, lockId) && fresh;
    }
  }

  private static final class WithdrawsIgnoringCase extends ReferenceLockTable {
    @Override
    public synchronized boolean withdraw(StateId id, LockId lockId) {
      checkOpen();
      return rows.removeIf(
          row -> row.id().equals(id) && row.lockId().text().equalsIgnoreCase(lockId.text()));
    }
  }

  /** Deletes the newest version of a row only, so that the one before comes back. */
  private static final class WithdrawsNewestVersion extends ReferenceLockTable {
    private final Map<LockId, LockCandidate> before = new HashMap<>();

    @Override
    public synchronized boolean renew(StateId id, LockId lockId, Duration stale) {
      fresh(id, lockId, stale).ifPresent(row -> before.put(lockId, row));
      return super.renew(id, lockId, stale);
    }

    @Override
    public synchronized boolean withdraw(StateId id, LockId lockId) {
      boolean removed = super.withdraw(id, lockId);
      @Nullable LockCandidate old = before.get(lockId);
      if (removed && old != null && old.id().equals(id)) {
        before.remove(lockId);
        put(old);
      }
      return removed;
    }
  }

  private static final class FreesSuccessor extends ReferenceLockTable {
    @Override
    public synchronized boolean withdraw(StateId id, LockId lockId) {
      boolean fresh = fresh(id, lockId, STALE).isPresent();
      boolean removed = super.withdraw(id, lockId);
      if (removed && !fresh) {
        rows.removeIf(row -> row.id().equals(id) && row.lockId().isOurs());
      }
      return removed;
    }
  }

  private static final class CleansWholeTable extends ReferenceLockTable {
    @Override
    public synchronized void removeStale(StateId id, Duration stale) {
      super.removeStale(id, stale);
      rows.removeIf(row -> isStale(row, stale));
    }
  }

  private static final class CleansTooEarly extends ReferenceLockTable {
    @Override
    public void removeStale(StateId id, Duration stale) {
      super.removeStale(id, stale.minusSeconds(1));
    }
  }

  /** Remembers for each row the time of its first version. */
  private abstract static class KnowsFirstTimes extends ReferenceLockTable {
    private final Map<LockId, Instant> first = new HashMap<>();

    @Override
    void put(LockCandidate row) {
      first.putIfAbsent(row.lockId(), row.lockedAt());
      super.put(row);
    }

    final LockCandidate asAtFirst(LockCandidate row) {
      return row(row, Objects.requireNonNull(first.get(row.lockId())), row.holder());
    }
  }

  private static final class CleansByFirstTime extends KnowsFirstTimes {
    @Override
    public synchronized void removeStale(StateId id, Duration stale) {
      super.removeStale(id, stale);
      rows.removeIf(row -> row.id().equals(id) && isStale(asAtFirst(row), stale));
    }
  }

  private static final class WalksByChars extends ReferenceLockTable {
    @Override
    synchronized List<LockCandidate> picked(StateIdGlob glob) {
      return super.picked(glob).stream()
          .sorted(Comparator.comparing((LockCandidate row) -> row.id().text()))
          .toList();
    }
  }

  private static final class WalksRenewals extends ReferenceLockTable {
    private final List<String> renewals = new ArrayList<>();

    @Override
    public synchronized boolean renew(StateId id, LockId lockId, Duration stale) {
      renewals.add(lockId + " " + id);
      return super.renew(id, lockId, stale);
    }

    @Override
    synchronized List<LockCandidate> picked(StateIdGlob glob) {
      List<LockCandidate> picked = new ArrayList<>();
      for (LockCandidate row : super.picked(glob)) {
        picked.add(row);
        String key = row.lockId() + " " + row.id();
        if (renewals.stream().filter(key::equals).count() > 1) {
          picked.add(row);
        }
      }
      return picked;
    }
  }

  private static final class PicksLike extends ReferenceLockTable {
    @Override
    synchronized List<LockCandidate> picked(StateIdGlob glob) {
      return super.picked(StateIdGlob.of(glob.toString().replace('_', '?')));
    }
  }

  private static final class WalksLive extends ReferenceLockTable {
    @Override
    public synchronized void forEach(StateIdGlob glob, Consumer<? super LockCandidate> action) {
      checkOpen();
      for (LockCandidate row : rows) {
        if (glob.matches(row.id())) {
          action.accept(row);
        }
      }
    }
  }

  private static final class Translates extends ReferenceLockTable {
    @Override
    public void forEach(StateIdGlob glob, Consumer<? super LockCandidate> action) {
      checkOpen();
      try {
        super.forEach(glob, action);
      } catch (RuntimeException e) {
        throw new StateFailure.Unavailable("the walk failed", e);
      }
    }
  }

  private static final class RewritesEscapes extends ReferenceLockTable {
    @Override
    public void announce(StateId id, LockId lockId, String holder) {
      String text = id.text().replaceAll("\\{fn (.*?)}", "$1");
      super.announce(StateId.ofStored(text), lockId, holder);
    }
  }

  /** Takes ids for one that differ in how Unicode spells them. */
  private static final class Normalizes extends ReferenceLockTable {
    @Override
    public synchronized List<LockCandidate> look(StateId id) {
      checkOpen();
      return rows.stream().filter(row -> normalized(row.id()).equals(normalized(id))).toList();
    }

    private static String normalized(StateId id) {
      return Normalizer.normalize(id.text(), Normalizer.Form.NFC);
    }
  }

  private static final class HidesBlankIds extends ReferenceLockTable {
    @Override
    synchronized List<LockCandidate> picked(StateIdGlob glob) {
      return super.picked(glob).stream().filter(row -> !row.id().text().isBlank()).toList();
    }
  }

  private static final class WantsItsTable extends ReferenceLockTable {
    private boolean exists;

    @Override
    void put(LockCandidate row) {
      exists = true;
      super.put(row);
    }

    @Override
    synchronized boolean isOpen(Fence fence) {
      if (!exists) {
        throw new StateFailure.WrongSchema("there is no table of locks", null);
      }
      return super.isOpen(fence);
    }
  }

  private static final class FencesByOldRows extends ReferenceLockTable {
    private final Set<LockId> withdrawn = new HashSet<>();

    @Override
    public synchronized boolean withdraw(StateId id, LockId lockId) {
      withdrawn.add(lockId);
      return super.withdraw(id, lockId);
    }

    @Override
    synchronized boolean isOpen(Fence fence) {
      return withdrawn.contains(fence.lockId()) || super.isOpen(fence);
    }
  }

  private static final class FencesByStaleRows extends ReferenceLockTable {
    @Override
    synchronized boolean isOpen(Fence fence) {
      return super.isOpen(new Fence(fence.lock(), fence.lockId(), fence.stale().multipliedBy(100)));
    }
  }

  private static final class FencesByAnyRow extends ReferenceLockTable {
    @Override
    synchronized boolean isOpen(Fence fence) {
      return look(fence.lock()).stream().anyMatch(row -> !isStale(row, fence.stale()));
    }
  }

  private static final class FencesByStateId extends ReferenceLockTable {
    @Override
    synchronized boolean isOpen(Fence fence) {
      String state = fence.lock().text().replace("@run:", "");
      return super.isOpen(new Fence(StateId.ofStored(state), fence.lockId(), fence.stale()));
    }
  }

  private static final class FencesTooEarly extends ReferenceLockTable {
    @Override
    synchronized boolean isOpen(Fence fence) {
      return super.isOpen(new Fence(fence.lock(), fence.lockId(), fence.stale().minusSeconds(1)));
    }
  }

  private static final class FencesByFirstTime extends KnowsFirstTimes {
    @Override
    synchronized boolean isOpen(Fence fence) {
      return fresh(fence.lock(), fence.lockId(), fence.stale())
          .filter(row -> !isStale(asAtFirst(row), fence.stale()))
          .isPresent();
    }
  }

  /** Does what the use case of saving does, too. */
  private static final class FencedMerges extends ReferenceStore {
    @Override
    public synchronized StateVersion save(State state, Fence fence) {
      Optional<State> before = find(state.id()).filter(s -> state.completed().isEmpty());
      State merged =
          before.map(s -> State.of(s.id(), s.completed(), state.partial())).orElse(state);
      return super.save(merged, fence);
    }
  }

  private static final class FencedAlwaysDeletes extends ReferenceStore {
    @Override
    public synchronized boolean delete(StateId id, Fence fence) {
      super.delete(id, fence);
      return true;
    }
  }

  private static final class FencedSavesUnchecked extends ReferenceStore {
    @Override
    public synchronized StateVersion save(State state, Fence fence) {
      checkOpen();
      checkHeld(fence);
      return put(state);
    }
  }

  private static final class FencedByTheClock extends ReferenceStore {
    @Override
    public synchronized StateVersion save(State state, Fence fence) {
      super.save(state, fence);
      StateVersion now = new StateVersion(NOW);
      rows.put(state.id(), row(state, now));
      return now;
    }
  }

  private static final class FencedInOneStatement extends ReferenceStore {
    private static final long MAX_QUERY_SIZE = 262_144;

    @Override
    public synchronized StateVersion save(State state, Fence fence) {
      if (state.utf8Length() > MAX_QUERY_SIZE) {
        throw new StateFailure.TooLarge(state.id(), state.utf8Length(), MAX_QUERY_SIZE);
      }
      return super.save(state, fence);
    }
  }

  private static final class FencedRewrites extends ReferenceStore {
    @Override
    public StateVersion save(State state, Fence fence) {
      String text = state.id().text().replaceAll("\\{fn (.*?)}", "$1");
      StateId id = StateId.ofStored(text);
      return super.save(State.of(id, state.completed(), state.partial()), fence);
    }
  }

  private static final class FencedRenews extends ReferenceStore {
    @Override
    public synchronized StateVersion save(State state, Fence fence) {
      StateVersion version = super.save(state, fence);
      locks.renew(fence.lock(), fence.lockId(), fence.stale());
      return version;
    }
  }

  private static final class WithdrawsByHolder extends ReferenceLockTable {
    @Override
    public synchronized boolean withdraw(StateId id, LockId lockId) {
      boolean alice =
          look(id).stream()
              .anyMatch(row -> row.lockId().equals(lockId) && row.holder().equals("alice"));
      if (alice) {
        return rows.removeIf(row -> row.holder().equals("alice"));
      }
      return super.withdraw(id, lockId);
    }
  }

  private static final class SharesHolders extends ReferenceLockTable {
    @Override
    public synchronized void announce(StateId id, LockId lockId, String holder) {
      super.announce(id, lockId, holder);
      look(id).stream()
          .filter(row -> row.lockId().isOurs())
          .forEach(row -> put(row(row, row.lockedAt(), holder)));
    }
  }

  /** As where rights differ by user. */
  private static final class KeepsRowsOfBob extends ReferenceLockTable {
    @Override
    public synchronized boolean withdraw(StateId id, LockId lockId) {
      boolean bob =
          look(id).stream()
              .anyMatch(row -> row.lockId().equals(lockId) && row.holder().equals("bob"));
      return bob || super.withdraw(id, lockId);
    }
  }

  /** Counts a row of the plugin for stale after a few seconds. */
  private static final class BreaksThePlugin extends ReferenceLockTable {
    @Override
    public synchronized void announce(StateId id, LockId lockId, String holder) {
      super.announce(id, lockId, holder);
      rows.removeIf(
          row ->
              row.id().equals(id)
                  && row.holder().isEmpty()
                  && row.age().toSeconds() > 8
                  && !isStale(row, STALE));
    }
  }

  private static final class CleansNothing extends ReferenceLockTable {
    @Override
    public void removeStale(StateId id, Duration stale) {
      checkOpen();
    }
  }

  /** Believes a fence that was open once. */
  private static final class FencesOnce extends ReferenceStore {
    private final Set<Fence> open = new HashSet<>();

    @Override
    void checkHeld(Fence fence) {
      if (!open.contains(fence)) {
        super.checkHeld(fence);
        open.add(fence);
      }
    }
  }

  /** Spares a write that would change nothing, and looks at the completed half only. */
  private static final class FencedComparesOneHalf extends ReferenceStore {
    @Override
    public synchronized StateVersion save(State state, Fence fence) {
      Optional<State> same =
          Optional.ofNullable(rows.get(state.id()))
              .map(this::read)
              .filter(old -> !state.completed().isEmpty())
              .filter(old -> old.completed().text().equals(state.completed().text()));
      return same.isPresent() ? same.get().version() : super.save(state, fence);
    }
  }

  /** Takes a lock for held when one of the same holder is. */
  private static final class FencesByHolder extends ReferenceLockTable {
    private final Map<List<Object>, String> holders = new HashMap<>();

    @Override
    public synchronized void announce(StateId id, LockId lockId, String holder) {
      super.announce(id, lockId, holder);
      holders.put(List.of(id, lockId), holder);
    }

    @Override
    synchronized boolean isOpen(Fence fence) {
      String holder = holders.get(List.of(fence.lock(), fence.lockId()));
      return super.isOpen(fence)
          || look(fence.lock()).stream().anyMatch(row -> row.holder().equals(holder));
    }
  }

  /** Knows which thread announced a row. */
  private abstract static class KnowsThreads extends ReferenceLockTable {
    private final Map<String, Thread> threads = new HashMap<>();
    private final Map<String, Long> times = new HashMap<>();

    @Override
    public synchronized void announce(StateId id, LockId lockId, String holder) {
      super.announce(id, lockId, holder);
      threads.put(key(id, lockId), Thread.currentThread());
      times.put(key(id, lockId), System.nanoTime());
    }

    final boolean isOthers(LockCandidate row) {
      Thread mine = Thread.currentThread();
      return threads.getOrDefault(key(row.id(), row.lockId()), mine) != mine;
    }

    final long nanos(LockCandidate row) {
      return System.nanoTime() - times.getOrDefault(key(row.id(), row.lockId()), 0L);
    }

    private static String key(StateId id, LockId lockId) {
      return lockId + " " + id;
    }
  }

  /** A replica that is behind: each connection sees its own rows first. */
  private static final class ShowsOthersLate extends KnowsThreads {
    @Override
    public synchronized List<LockCandidate> look(StateId id) {
      return super.look(id).stream()
          .filter(row -> !isOthers(row) || nanos(row) > 20_000_000)
          .toList();
    }
  }

  private static final class PushesOut extends KnowsThreads {
    @Override
    public synchronized boolean withdraw(StateId id, LockId lockId) {
      boolean removed = super.withdraw(id, lockId);
      look(id).stream().filter(this::isOthers).findFirst().ifPresent(rows::remove);
      return removed;
    }
  }

  private static final class WalksOwnRows extends KnowsThreads {
    @Override
    synchronized List<LockCandidate> picked(StateIdGlob glob) {
      return super.picked(glob).stream().filter(row -> !isOthers(row)).toList();
    }
  }

  private static final class GivesOtherTables extends ReferenceBackend {
    GivesOtherTables(ReferenceStore store) {
      super(store);
    }

    @Override
    public LockTable locks() {
      return (LockTable)
          Proxy.newProxyInstance(
              LockTable.class.getClassLoader(),
              new Class<?>[] {LockTable.class},
              (proxy, method, arguments) -> {
                try {
                  return method.invoke(store.locks, arguments);
                } catch (InvocationTargetException e) {
                  throw e.getCause();
                }
              });
    }
  }

  private static final class Stays extends ReferenceBackend {
    Stays(ReferenceStore store) {
      super(store);
    }

    @Override
    public void close() {}
  }
}
