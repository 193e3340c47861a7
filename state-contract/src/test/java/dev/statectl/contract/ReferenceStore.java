package dev.statectl.contract;

import dev.statectl.json.JsonObject;
import dev.statectl.json.MalformedJsonException;
import dev.statectl.lock.Fence;
import dev.statectl.port.SaveRules;
import dev.statectl.port.StateFailure;
import dev.statectl.port.StateStore;
import dev.statectl.port.StoredState;
import dev.statectl.state.State;
import dev.statectl.state.StateId;
import dev.statectl.state.StateIdGlob;
import dev.statectl.state.StateVersion;
import java.time.Instant;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The plainest store that keeps every rule; the broken ones differ from it in one method each. Its
 * clock stands still, so all saves fall into one millisecond.
 */
class ReferenceStore implements StateStore {
  static final Instant NOW = Instant.parse("2026-03-04T05:06:07.008Z");

  final NavigableMap<StateId, RawRow> rows = new TreeMap<>();
  final ReferenceLockTable locks;
  final ReferenceHistory history;
  boolean closed;

  ReferenceStore() {
    this(new ReferenceLockTable());
  }

  ReferenceStore(ReferenceLockTable locks) {
    this(locks, new ReferenceHistory());
  }

  ReferenceStore(ReferenceHistory history) {
    this(new ReferenceLockTable(), history);
  }

  private ReferenceStore(ReferenceLockTable locks, ReferenceHistory history) {
    this.locks = locks;
    this.history = history;
    history.of(this);
  }

  @Override
  public synchronized Optional<State> find(StateId id) {
    checkOpen();
    return Optional.ofNullable(rows.get(id)).map(this::read);
  }

  @Override
  public synchronized StateVersion save(State state) {
    checkOpen();
    SaveRules.check(state);
    return put(state);
  }

  @Override
  public synchronized StateVersion save(State state, Fence fence) {
    checkOpen();
    SaveRules.check(state);
    checkHeld(fence);
    return save(state);
  }

  @Override
  public synchronized void saveAll(Collection<State> states) {
    checkOpen();
    states.forEach(SaveRules::check);
    states.forEach(this::put);
  }

  @Override
  public synchronized boolean delete(StateId id) {
    checkOpen();
    RawRow removed = rows.remove(id);
    if (removed != null) {
      history.deleted(id, removed.version());
    }
    return removed != null;
  }

  @Override
  public synchronized boolean delete(StateId id, Fence fence) {
    checkOpen();
    checkHeld(fence);
    return delete(id);
  }

  @Override
  public synchronized long deleteAll() {
    checkOpen();
    int size = rows.size();
    rows.forEach((id, row) -> history.deleted(id, row.version()));
    rows.clear();
    return size;
  }

  @Override
  public void forEachId(StateIdGlob glob, Consumer<? super StateId> action) {
    picked(glob).forEach(row -> action.accept(StateId.ofStored(row.id())));
  }

  @Override
  public void forEachState(StateIdGlob glob, Consumer<? super StoredState> action) {
    picked(glob).forEach(row -> action.accept(readStored(row)));
  }

  void checkHeld(Fence fence) {
    if (!locks.isOpen(fence)) {
      throw new StateFailure.LockLost(fence.lock(), "its row is gone or stale");
    }
  }

  /** The rows that a walk meets, as they are now. */
  synchronized List<RawRow> picked(StateIdGlob glob) {
    checkOpen();
    return rows.values().stream().filter(row -> glob.matches(StateId.ofStored(row.id()))).toList();
  }

  /** Stores what was checked. */
  StateVersion put(State state) {
    StateVersion version = nextVersion(state);
    rows.put(state.id(), row(state, version));
    history.written(row(state, version), Optional.empty());
    return version;
  }

  StateVersion nextVersion(State state) {
    return StateVersion.next(
        Stream.concat(
                Stream.ofNullable(rows.get(state.id())).map(RawRow::version),
                history.versions(state.id()))
            .max(Comparator.naturalOrder()),
        NOW);
  }

  static RawRow row(State state, StateVersion version) {
    return new RawRow(state.id().text(), text(state.completed()), text(state.partial()), version);
  }

  private static @Nullable String text(JsonObject half) {
    return half.isEmpty() ? null : half.text();
  }

  synchronized void plant(RawRow row) {
    history.planted(row);
    rows.merge(
        StateId.ofStored(row.id()),
        row,
        (old, planted) -> planted.version().compareTo(old.version()) < 0 ? old : planted);
  }

  State read(RawRow row) {
    return new State(
        StateId.ofStored(row.id()),
        half(row, "completed_state", row.completed()),
        half(row, "partial_state", row.partial()),
        row.version());
  }

  StoredState readStored(RawRow row) {
    try {
      return new StoredState.Readable(read(row));
    } catch (StateFailure.UnreadableState e) {
      return new StoredState.Unreadable(e);
    }
  }

  JsonObject half(RawRow row, String column, @Nullable String text) {
    try {
      return JsonObject.parseStored(text);
    } catch (MalformedJsonException e) {
      throw new StateFailure.UnreadableState(StateId.ofStored(row.id()), column, e.getMessage(), e);
    }
  }

  void close() {
    closed = true;
    locks.closed = true;
    history.closed = true;
  }

  void checkOpen() {
    if (closed) {
      throw new IllegalStateException("the backend was closed");
    }
  }
}
