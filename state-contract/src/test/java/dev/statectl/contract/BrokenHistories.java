package dev.statectl.contract;

import static dev.statectl.contract.BrokenAdapter.backend;
import static dev.statectl.contract.BrokenAdapter.history;
import static dev.statectl.contract.BrokenAdapter.store;

import dev.statectl.lock.Fence;
import dev.statectl.port.HistoryEntry;
import dev.statectl.port.HistoryRecord;
import dev.statectl.port.HistoryStatus;
import dev.statectl.port.StateHistory;
import dev.statectl.port.StoredState;
import dev.statectl.state.State;
import dev.statectl.state.StateId;
import dev.statectl.state.StateVersion;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** For every rule of history an adapter that breaks it. */
final class BrokenHistories {
  private BrokenHistories() {}

  static Stream<BrokenAdapter> all() {
    return Stream.of(ofEnable(), ofRecording(), ofReading(), ofRevert())
        .flatMap(Function.identity());
  }

  private static Stream<BrokenAdapter> ofEnable() {
    return Stream.of(
        history("R-01", "forEach without history must fail with NoHistory", ReadsNothing::new),
        history("R-02", "the status when disabled", ForgetsTheTime::new),
        history("R-03", "the status when enabled with another time", KeepsTheTime::new),
        history("R-04", "the versions of the records", BeginsEmpty::new)
            .alsoBreaking("R-05", "R-16"),
        history("R-05", "the versions of the records", DropsRecords::new),
        history("R-06", "enable for less than a second must fail", TakesNonsense::new),
        backend("R-07", "the history at the second call", GivesAnother::new).ofHistory(),
        history("R-08", "status after close must fail with IllegalState", NeverCloses::new));
  }

  private static Stream<BrokenAdapter> ofRecording() {
    return Stream.of(
        store("R-09", "the versions of the records", RecordsOutsideOfLocks::new)
            .ofHistory()
            .alsoBreaking("R-10", "R-25"),
        history("R-10", "holds none", CutsLongTexts::new),
        store("R-11", "the records of 'dev:a'", RecordsSinglesOnly::new)
            .ofHistory()
            .alsoBreaking("R-23"),
        history("R-12", "the versions with the same bytes", DropsRepetitions::new)
            .alsoBreaking("R-19", "R-25"),
        history("R-13", "the author of a planted row", NamesEverybody::new),
        store("R-14", "the records of two saves and two removals", RecordsEveryDelete::new)
            .ofHistory(),
        store("R-15", "the kind of a record of a removal", ClearsSilently::new).ofHistory(),
        history("R-16", "Index 1", ForgetsWhatWasBefore::new),
        store("R-17", "the versions of the records", RecordsRefusedWrites::new).ofHistory());
  }

  private static Stream<BrokenAdapter> ofReading() {
    return Stream.of(
        history("R-18", "the versions of the newest five", IgnoresTheLimit::new)
            .alsoBreaking("R-24"),
        history("R-19", "the bytes of the completed halves", CountsChars::new),
        history("R-20", "what find tells of", FindsWithoutTime::new),
        history("R-21", "the column", BlamesOneColumn::new),
        history("R-22", "a version that never was", FindsTheNearest::new),
        history("R-23", "the records of 'A'", IgnoresCase::new),
        history("R-24", "a walk whose action throws must fail", SwallowsFailures::new),
        history("R-26", "one of two records with one version", PassesOverEqualVersions::new));
  }

  private static Stream<BrokenAdapter> ofRevert() {
    return Stream.of(history("R-25", "what each record says that it goes back to", OnlySaves::new));
  }

  private static final class ReadsNothing extends ReferenceHistory {
    @Override
    synchronized List<HistoryRecord> newest(StateId id, int limit) {
      return status.recording() == HistoryStatus.Recording.NEVER
          ? List.of()
          : super.newest(id, limit);
    }
  }

  private static final class ForgetsTheTime extends ReferenceHistory {
    @Override
    public synchronized void disable() {
      super.disable();
      status = new HistoryStatus(status.recording(), Optional.empty());
    }
  }

  private static final class KeepsTheTime extends ReferenceHistory {
    @Override
    public synchronized void enable(Duration keep) {
      super.enable(status.keep().orElse(keep));
    }
  }

  private static final class BeginsEmpty extends ReferenceHistory {
    @Override
    void fill() {}
  }

  private static final class DropsRecords extends ReferenceHistory {
    @Override
    public synchronized void disable() {
      super.disable();
      records.clear();
    }
  }

  private static final class TakesNonsense extends ReferenceHistory {
    @Override
    public synchronized void enable(Duration keep) {
      super.enable(keep.toSeconds() < 1 ? Duration.ofSeconds(1) : keep);
    }
  }

  private static final class GivesAnother extends ReferenceBackend {
    GivesAnother(ReferenceStore store) {
      super(store);
    }

    @Override
    public StateHistory history() {
      return (StateHistory)
          Proxy.newProxyInstance(
              StateHistory.class.getClassLoader(),
              new Class<?>[] {StateHistory.class},
              (proxy, method, arguments) -> {
                try {
                  return method.invoke(super.history(), arguments);
                } catch (InvocationTargetException e) {
                  throw e.getCause();
                }
              });
    }
  }

  private static final class NeverCloses extends ReferenceHistory {
    @Override
    void checkOpen() {}
  }

  private static final class RecordsOutsideOfLocks extends ReferenceStore {
    @Override
    public synchronized StateVersion save(State state, Fence fence) {
      List<HistoryRecord> before = List.copyOf(history.records);
      StateVersion version = super.save(state, fence);
      history.records.clear();
      history.records.addAll(before);
      return version;
    }
  }

  private static final class CutsLongTexts extends ReferenceHistory {
    @Override
    HistoryRecord record(RawRow row, String author, Optional<StateVersion> reverted) {
      return super.record(
          new RawRow(row.id(), cut(row.completed()), cut(row.partial()), row.version()),
          author,
          reverted);
    }

    private static @Nullable String cut(@Nullable String text) {
      return text == null || text.length() < 65_536 ? text : text.substring(0, 65_535);
    }
  }

  private static final class RecordsSinglesOnly extends ReferenceStore {
    @Override
    public synchronized void saveAll(Collection<State> states) {
      List<HistoryRecord> before = List.copyOf(history.records);
      super.saveAll(states);
      history.records.clear();
      history.records.addAll(before);
    }
  }

  /** As a table with a deduplication window. */
  private static final class DropsRepetitions extends ReferenceHistory {
    private final Set<List<String>> seen = new HashSet<>();

    @Override
    void written(RawRow row, Optional<StateVersion> reverted) {
      if (seen.add(List.of(row.id(), row.completed() + "\n" + row.partial()))) {
        super.written(row, reverted);
      }
    }
  }

  private static final class NamesEverybody extends ReferenceHistory {
    @Override
    void planted(RawRow row) {
      written(row, Optional.empty());
    }
  }

  private static final class RecordsEveryDelete extends ReferenceStore {
    @Override
    public synchronized boolean delete(StateId id) {
      boolean removed = super.delete(id);
      if (!removed) {
        history.deleted(id, StateVersion.NONE);
      }
      return removed;
    }
  }

  private static final class ClearsSilently extends ReferenceStore {
    @Override
    public synchronized long deleteAll() {
      int size = rows.size();
      checkOpen();
      rows.clear();
      return size;
    }
  }

  private static final class ForgetsWhatWasBefore extends ReferenceHistory {
    private final List<HistoryRecord> filled = new ArrayList<>();

    @Override
    void fill() {
      List<HistoryRecord> before = List.copyOf(records);
      super.fill();
      filled.addAll(records);
      filled.removeAll(before);
    }

    @Override
    void deleted(StateId id, StateVersion removed) {
      records.removeAll(filled);
      super.deleted(id, removed);
    }
  }

  private static final class RecordsRefusedWrites extends ReferenceStore {
    @Override
    public synchronized StateVersion save(State state, Fence fence) {
      if (!locks.isOpen(fence)) {
        history.written(row(state, nextVersion(state)), Optional.empty());
      }
      return super.save(state, fence);
    }
  }

  private static final class IgnoresTheLimit extends ReferenceHistory {
    @Override
    synchronized List<HistoryRecord> newest(StateId id, int limit) {
      return super.newest(id, limit < 1 ? limit : NO_LIMIT);
    }
  }

  private static final class CountsChars extends ReferenceHistory {
    @Override
    long length(@Nullable String text) {
      return text == null ? 0 : text.length();
    }
  }

  private static final class FindsWithoutTime extends ReferenceHistory {
    @Override
    public Optional<HistoryRecord> find(StateId id, StateVersion version) {
      return super.find(id, version)
          .map(
              found -> {
                HistoryEntry entry = found.entry();
                return new HistoryRecord(
                    new HistoryEntry(
                        entry.id(),
                        entry.version(),
                        Instant.EPOCH,
                        entry.kind(),
                        entry.author(),
                        entry.account(),
                        entry.revertedTo(),
                        entry.completedBytes(),
                        entry.partialBytes(),
                        entry.fingerprint()),
                    found.state());
              });
    }
  }

  private static final class BlamesOneColumn extends ReferenceHistory {
    @Override
    HistoryRecord record(RawRow row, String author, Optional<StateVersion> reverted) {
      HistoryRecord right = super.record(row, author, reverted);
      if (!(right.state().orElseThrow() instanceof StoredState.Unreadable)) {
        return right;
      }
      HistoryRecord blamed =
          super.record(new RawRow(row.id(), "[", row.partial(), row.version()), author, reverted);
      return new HistoryRecord(right.entry(), blamed.state());
    }
  }

  private static final class FindsTheNearest extends ReferenceHistory {
    @Override
    public Optional<HistoryRecord> find(StateId id, StateVersion version) {
      return newest(id, NO_LIMIT).stream()
          .filter(found -> found.entry().version().compareTo(version) <= 0)
          .findFirst();
    }
  }

  private static final class IgnoresCase extends ReferenceHistory {
    @Override
    boolean isOf(StateId id, HistoryRecord one) {
      return one.entry().id().text().equalsIgnoreCase(id.text());
    }
  }

  private static final class SwallowsFailures extends ReferenceHistory {
    @Override
    public void forEachRecord(StateId id, int limit, Consumer<? super HistoryRecord> action) {
      try {
        super.forEachRecord(id, limit, action);
      } catch (RuntimeException e) {
        if (!"thrown by the action".equals(e.getMessage())) {
          throw e;
        }
      }
    }
  }

  private static final class PassesOverEqualVersions extends ReferenceHistory {
    @Override
    public Optional<HistoryRecord> findBefore(StateId id, StateVersion version) {
      return newest(id, NO_LIMIT).stream()
          .filter(found -> found.entry().version().compareTo(version) < 0)
          .findFirst();
    }
  }

  private static final class OnlySaves extends ReferenceHistory {
    @Override
    public synchronized StateVersion revert(State recorded, Fence fence) {
      return store().save(recorded, fence);
    }
  }
}
