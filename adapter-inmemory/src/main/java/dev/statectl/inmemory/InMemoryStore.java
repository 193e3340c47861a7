package dev.statectl.inmemory;

import dev.statectl.lock.Fence;
import dev.statectl.port.SaveRules;
import dev.statectl.port.StateFailure;
import dev.statectl.port.StateStore;
import dev.statectl.port.StoredRow;
import dev.statectl.port.StoredState;
import dev.statectl.state.State;
import dev.statectl.state.StateId;
import dev.statectl.state.StateIdGlob;
import dev.statectl.state.StateVersion;
import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A sorted map behind one lock. With a snapshot a change is made to a copy of the map, and the copy
 * takes the map's place once the file is written.
 */
final class InMemoryStore implements StateStore {
  private final StoreLock lock;
  private final InMemoryLockTable locks;
  private final Clock clock;
  private final @Nullable SnapshotFile snapshot;
  private TreeMap<StateId, Kept> kept;

  /** What stands under an id. Its state has no version when it cannot be read, the row has one. */
  private record Kept(StateVersion version, StoredState state) {
    static Kept of(State state) {
      return new Kept(state.version(), new StoredState.Readable(state));
    }
  }

  /** A store in memory only. */
  InMemoryStore(Clock clock) {
    this.lock = new StoreLock();
    this.locks = new InMemoryLockTable(lock, clock, () -> prepareChange(true));
    this.clock = clock;
    this.snapshot = null;
    this.kept = new TreeMap<>();
  }

  /** A store over a snapshot, which it opens now and closes in the end. */
  InMemoryStore(Clock clock, SnapshotFile snapshot) {
    this.lock = new StoreLock();
    this.locks = new InMemoryLockTable(lock, clock, () -> prepareChange(true));
    this.clock = clock;
    this.snapshot = snapshot;
    this.kept = byId(snapshot.open());
  }

  @Override
  public Optional<State> find(StateId id) {
    return lock.run(() -> Optional.ofNullable(kept.get(id))).map(InMemoryStore::stateOf);
  }

  @Override
  public StateVersion save(State state) {
    SaveRules.check(state);
    return lock.run(
        () -> {
          prepareChange(true);
          StateVersion version = nextVersion(state.id(), clock.instant());
          change(map -> map.put(state.id(), Kept.of(state.withVersion(version))));
          return version;
        });
  }

  @Override
  public StateVersion save(State state, Fence fence) {
    SaveRules.check(state);
    return fenced(fence, () -> save(state));
  }

  @Override
  public void saveAll(Collection<State> states) {
    Map<StateId, State> lastById = new LinkedHashMap<>();
    for (State state : states) {
      SaveRules.check(state);
      lastById.put(state.id(), state);
    }
    lock.run(
        () -> {
          if (lastById.isEmpty()) {
            return null;
          }
          prepareChange(true);
          Instant now = clock.instant();
          lastById.replaceAll((id, state) -> state.withVersion(nextVersion(id, now)));
          change(map -> lastById.forEach((id, state) -> map.put(id, Kept.of(state))));
          return null;
        });
  }

  @Override
  public boolean delete(StateId id) {
    return lock.run(
        () -> {
          prepareChange(!kept.isEmpty());
          boolean found = kept.containsKey(id);
          if (found) {
            change(map -> map.remove(id));
          }
          return found;
        });
  }

  @Override
  public boolean delete(StateId id, Fence fence) {
    return fenced(fence, () -> delete(id));
  }

  @Override
  public long deleteAll() {
    return lock.run(
        () -> {
          prepareChange(!kept.isEmpty());
          long count = kept.size();
          if (count > 0) {
            change(Map::clear);
          }
          return count;
        });
  }

  @Override
  public void forEachId(StateIdGlob glob, Consumer<? super StateId> action) {
    List<StateId> ids = lock.run(() -> new ArrayList<>(kept.keySet()));
    for (StateId id : ids) {
      if (glob.matches(id)) {
        action.accept(id);
      }
    }
  }

  @Override
  public void forEachState(StateIdGlob glob, Consumer<? super StoredState> action) {
    List<Kept> all = lock.run(() -> new ArrayList<>(kept.values()));
    for (Kept one : all) {
      if (glob.matches(one.state().id())) {
        action.accept(one.state());
      }
    }
  }

  /**
   * Puts a row as another program would, past every rule, so that tests can meet such rows. Of two
   * rows the later version stays, and of equal versions this one.
   */
  void plant(StoredRow row) {
    lock.run(
        () ->
            kept.merge(
                row.id(),
                new Kept(row.version(), row.read()),
                (old, planted) -> planted.version().compareTo(old.version()) < 0 ? old : planted));
  }

  /** The locks, under which fenced writes are made. */
  InMemoryLockTable locks() {
    return locks;
  }

  /** The time that versions are taken from. */
  Instant now() {
    return lock.run(clock::instant);
  }

  /** Ends the store; every later operation fails. */
  void close() {
    lock.close(
        () -> {
          if (snapshot != null) {
            snapshot.close();
          }
        });
  }

  private <T> T fenced(Fence fence, Supplier<T> operation) {
    return lock.run(
        () -> {
          if (!locks.isOpen(fence)) {
            throw new StateFailure.LockLost(
                fence.lock(), "its row is gone or stale; nothing was changed");
          }
          return operation.get();
        });
  }

  private void prepareChange(boolean sure) {
    if (snapshot != null) {
      snapshot.prepareChange(sure).ifPresent(states -> kept = byId(states));
    }
  }

  private StateVersion nextVersion(StateId id, Instant now) {
    return StateVersion.next(Optional.ofNullable(kept.get(id)).map(Kept::version), now);
  }

  private void change(Consumer<Map<StateId, Kept>> edit) {
    if (snapshot == null) {
      edit.accept(kept);
      return;
    }
    TreeMap<StateId, Kept> changed = new TreeMap<>(kept);
    edit.accept(changed);
    try {
      snapshot.write(readable(changed.values()));
    } catch (StateFailure.OutcomeUnknown e) {
      // The new file is in its place; only whether a power cut now would undo it is unknown.
      kept = changed;
      throw e;
    }
    kept = changed;
  }

  // No snapshot with a half that is no object is ever opened, so only planted rows are left out.
  private static List<State> readable(Collection<Kept> all) {
    return all.stream()
        .filter(one -> one.state() instanceof StoredState.Readable)
        .map(InMemoryStore::stateOf)
        .toList();
  }

  private static TreeMap<StateId, Kept> byId(List<State> states) {
    TreeMap<StateId, Kept> map = new TreeMap<>();
    states.forEach(state -> map.put(state.id(), Kept.of(state)));
    return map;
  }

  private static State stateOf(Kept one) {
    if (one.state() instanceof StoredState.Readable readable) {
      return readable.state();
    }
    // A failure of its own for each caller, with the caller's stack.
    StateFailure.UnreadableState failure = ((StoredState.Unreadable) one.state()).failure();
    throw new StateFailure.UnreadableState(
        failure.id(), failure.column(), failure.reason(), failure.getCause());
  }
}
