package dev.statectl.contract;

import dev.statectl.lock.Fence;
import dev.statectl.port.HistoryEntry;
import dev.statectl.port.HistoryRecord;
import dev.statectl.port.HistoryRules;
import dev.statectl.port.HistoryStatus;
import dev.statectl.port.SaveRules;
import dev.statectl.port.StateFailure;
import dev.statectl.port.StateHistory;
import dev.statectl.state.State;
import dev.statectl.state.StateId;
import dev.statectl.state.StateVersion;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The plainest history that keeps every rule: a list, of one store. */
class ReferenceHistory implements StateHistory {
  static final String AUTHOR = "the kit";

  /** From the first record that was made to the last. */
  final List<HistoryRecord> records = new ArrayList<>();

  HistoryStatus status = new HistoryStatus(HistoryStatus.Recording.NEVER, Optional.empty());
  boolean closed;
  private @Nullable ReferenceStore store;

  void of(ReferenceStore owner) {
    store = owner;
  }

  final ReferenceStore store() {
    return Objects.requireNonNull(store);
  }

  @Override
  public synchronized HistoryStatus status() {
    checkOpen();
    return status;
  }

  @Override
  public synchronized void enable(Duration keep) {
    checkOpen();
    status =
        new HistoryStatus(HistoryStatus.Recording.ON, Optional.of(HistoryRules.checkedKeep(keep)));
    fill();
  }

  @Override
  public synchronized void disable() {
    checkOpen();
    if (isOn()) {
      status = new HistoryStatus(HistoryStatus.Recording.OFF, status.keep());
    }
  }

  @Override
  public void forEach(StateId id, int limit, Consumer<? super HistoryEntry> action) {
    newest(id, limit).forEach(found -> action.accept(found.entry()));
  }

  @Override
  public void forEachRecord(StateId id, int limit, Consumer<? super HistoryRecord> action) {
    newest(id, limit).forEach(action);
  }

  @Override
  public Optional<HistoryRecord> find(StateId id, StateVersion version) {
    return newest(id, NO_LIMIT).stream()
        .filter(found -> found.entry().version().equals(version))
        .findFirst();
  }

  @Override
  public Optional<HistoryRecord> findBefore(StateId id, StateVersion version) {
    List<HistoryRecord> notLater =
        newest(id, NO_LIMIT).stream()
            .filter(found -> found.entry().version().compareTo(version) <= 0)
            .toList();
    boolean isThere = !notLater.isEmpty() && notLater.get(0).entry().version().equals(version);
    return notLater.stream().skip(isThere ? 1 : 0).findFirst();
  }

  @Override
  public synchronized StateVersion revert(State recorded, Fence fence) {
    checkOpen();
    SaveRules.check(recorded);
    store().checkHeld(fence);
    StateVersion version = store().nextVersion(recorded);
    RawRow row = ReferenceStore.row(recorded, version);
    store().rows.put(recorded.id(), row);
    written(row, Optional.of(recorded.version()));
    return version;
  }

  void written(RawRow row, Optional<StateVersion> reverted) {
    if (isOn()) {
      records.add(record(row, AUTHOR, reverted));
    }
  }

  void planted(RawRow row) {
    if (isOn()) {
      records.add(record(row, "", Optional.empty()));
    }
  }

  void deleted(StateId id, StateVersion removed) {
    if (isOn()) {
      HistoryEntry entry =
          new HistoryEntry(
              id,
              StateVersion.next(Optional.of(removed), ReferenceStore.NOW),
              ReferenceStore.NOW,
              HistoryEntry.Kind.DELETED,
              AUTHOR,
              "",
              Optional.empty(),
              0,
              0,
              "");
      records.add(new HistoryRecord(entry, Optional.empty()));
    }
  }

  /** Records what is stored and not recorded yet. */
  void fill() {
    for (RawRow row : store().rows.values()) {
      HistoryRecord filled = record(row, "", Optional.empty());
      if (records.stream().noneMatch(one -> isSame(one.entry(), filled.entry()))) {
        records.add(filled);
      }
    }
  }

  private static boolean isSame(HistoryEntry one, HistoryEntry other) {
    return one.id().equals(other.id()) && one.version().equals(other.version());
  }

  HistoryRecord record(RawRow row, String author, Optional<StateVersion> reverted) {
    HistoryEntry entry =
        new HistoryEntry(
            StateId.ofStored(row.id()),
            row.version(),
            ReferenceStore.NOW,
            HistoryEntry.Kind.WRITTEN,
            author,
            "",
            reverted,
            length(row.completed()),
            length(row.partial()),
            row.completed() + "\n" + row.partial());
    return new HistoryRecord(entry, Optional.of(store().readStored(row)));
  }

  long length(@Nullable String text) {
    return text == null ? 0 : text.getBytes(StandardCharsets.UTF_8).length;
  }

  synchronized List<HistoryRecord> newest(StateId id, int limit) {
    checkOpen();
    HistoryRules.checkLimit(limit);
    if (status.recording() == HistoryStatus.Recording.NEVER) {
      throw new StateFailure.NoHistory("memory");
    }
    List<HistoryRecord> found = new ArrayList<>();
    for (HistoryRecord one : records) {
      if (isOf(id, one)) {
        found.add(0, one);
      }
    }
    found.sort(Comparator.comparing((HistoryRecord one) -> one.entry().version()).reversed());
    return found.stream().limit(limit).toList();
  }

  /** All that were recorded, so that no later one is lower. */
  Stream<StateVersion> versions(StateId id) {
    return records.stream()
        .map(HistoryRecord::entry)
        .filter(entry -> entry.id().equals(id))
        .map(HistoryEntry::version);
  }

  boolean isOf(StateId id, HistoryRecord one) {
    return one.entry().id().equals(id);
  }

  final boolean isOn() {
    return status.recording() == HistoryStatus.Recording.ON;
  }

  void checkOpen() {
    if (closed) {
      throw new IllegalStateException("the backend was closed");
    }
  }
}
