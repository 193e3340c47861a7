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
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.Stream;
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
  private final InMemoryHistory history;
  private TreeMap<StateId, Kept> kept;

  /** What stands under an id. Its state has no version when it cannot be read, the row has one. */
  private record Kept(StoredRow row, StoredState state) {
    static Kept of(State state) {
      return new Kept(StoredRow.of(state), new StoredState.Readable(state));
    }

    StateVersion version() {
      return row.version();
    }
  }

  /** A store in memory only. */
  InMemoryStore(Clock clock, String author, String target) {
    this.lock = new StoreLock();
    this.locks = new InMemoryLockTable(lock, clock, () -> prepareChange(true));
    this.clock = clock;
    this.snapshot = null;
    this.kept = new TreeMap<>();
    this.history = historyOf(author, target);
  }

  /** A store over a snapshot, which it opens now and closes in the end. */
  InMemoryStore(Clock clock, SnapshotFile snapshot, String author, String target) {
    this.lock = new StoreLock();
    this.locks = new InMemoryLockTable(lock, clock, () -> prepareChange(true));
    this.clock = clock;
    this.snapshot = snapshot;
    this.kept = byId(snapshot.open());
    this.history = historyOf(author, target);
  }

  @Override
  public Optional<State> find(StateId id) {
    return lock.run(() -> Optional.ofNullable(kept.get(id))).map(InMemoryStore::stateOf);
  }

  @Override
  public StateVersion save(State state) {
    return save(state, Optional.empty());
  }

  private StateVersion save(State state, Optional<StateVersion> reverts) {
    SaveRules.check(state);
    return lock.run(
        () -> {
          prepareChange(true);
          StateVersion version = nextVersion(state.id(), clock.instant());
          Kept saved = Kept.of(state.withVersion(version));
          change(
              map -> map.put(state.id(), saved), () -> history.recordWritten(saved.row(), reverts));
          return version;
        });
  }

  @Override
  public StateVersion save(State state, Fence fence) {
    SaveRules.check(state);
    return fenced(fence, () -> save(state));
  }

  private StateVersion revert(State recorded, Fence fence) {
    SaveRules.check(recorded);
    return fenced(fence, () -> save(recorded, Optional.of(recorded.version())));
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
          change(
              map -> lastById.forEach((id, state) -> map.put(id, Kept.of(state))),
              () ->
                  lastById
                      .values()
                      .forEach(
                          state -> history.recordWritten(StoredRow.of(state), Optional.empty())));
          return null;
        });
  }

  @Override
  public boolean delete(StateId id) {
    return lock.run(
        () -> {
          prepareChange(!kept.isEmpty());
          Kept found = kept.get(id);
          if (found != null) {
            change(map -> map.remove(id), () -> history.recordDeleted(id, found.version()));
          }
          return found != null;
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
            List<Kept> removed = List.copyOf(kept.values());
            change(
                Map::clear,
                () -> removed.forEach(one -> history.recordDeleted(one.row().id(), one.version())));
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
        () -> {
          history.recordPlanted(row);
          return kept.merge(
              row.id(),
              new Kept(row, row.read()),
              (old, planted) -> planted.version().compareTo(old.version()) < 0 ? old : planted);
        });
  }

  /** The locks, under which fenced writes are made. */
  InMemoryLockTable locks() {
    return locks;
  }

  /** The time that versions are taken from. */
  Instant now() {
    return lock.run(clock::instant);
  }

  /** What states were. */
  InMemoryHistory history() {
    return history;
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
    // Also of what was removed, so that the order of the records is the order of time.
    Optional<StateVersion> newest =
        Stream.concat(
                Stream.ofNullable(kept.get(id)).map(Kept::version),
                history.newestVersion(id).stream())
            .max(Comparator.naturalOrder());
    return StateVersion.next(newest, now);
  }

  private InMemoryHistory historyOf(String author, String target) {
    return new InMemoryHistory(
        lock,
        clock,
        author,
        target,
        () -> kept.values().stream().map(Kept::row).toList(),
        this::revert);
  }

  private void change(Consumer<Map<StateId, Kept>> edit, Runnable recording) {
    if (snapshot == null) {
      edit.accept(kept);
      recording.run();
      return;
    }
    TreeMap<StateId, Kept> changed = new TreeMap<>(kept);
    edit.accept(changed);
    try {
      snapshot.write(readable(changed.values()));
    } catch (StateFailure.OutcomeUnknown e) {
      // The new file is in its place; only whether a power cut now would undo it is unknown.
      kept = changed;
      recording.run();
      throw e;
    }
    kept = changed;
    recording.run();
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
