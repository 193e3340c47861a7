package dev.statectl.inmemory;

import dev.statectl.lock.Fence;
import dev.statectl.port.HistoryEntry;
import dev.statectl.port.HistoryRecord;
import dev.statectl.port.HistoryRules;
import dev.statectl.port.HistoryStatus;
import dev.statectl.port.StateFailure;
import dev.statectl.port.StateHistory;
import dev.statectl.port.StoredRow;
import dev.statectl.state.State;
import dev.statectl.state.StateId;
import dev.statectl.state.StateVersion;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Records in lists, one an id, behind the store's lock. */
final class InMemoryHistory implements StateHistory {
  private final StoreLock lock;
  private final Clock clock;
  private final String author;
  private final String target;
  private final Supplier<List<StoredRow>> stored;
  private final BiFunction<State, Fence, StateVersion> revert;
  private HistoryStatus status = new HistoryStatus(HistoryStatus.Recording.NEVER, Optional.empty());
  // From the oldest version to the newest.
  private final Map<StateId, List<HistoryRecord>> records = new HashMap<>();

  /**
   * Makes a history of which nothing is recorded.
   *
   * @param stored gives what is stored, under the lock
   * @param revert stores a state again, and has it recorded
   */
  InMemoryHistory(
      StoreLock lock,
      Clock clock,
      String author,
      String target,
      Supplier<List<StoredRow>> stored,
      BiFunction<State, Fence, StateVersion> revert) {
    this.lock = lock;
    this.clock = clock;
    this.author = author;
    this.target = target;
    this.stored = stored;
    this.revert = revert;
  }

  @Override
  public HistoryStatus status() {
    return lock.run(() -> status);
  }

  @Override
  public void enable(Duration keep) {
    Duration seconds = HistoryRules.checkedKeep(keep);
    lock.run(
        () -> {
          status = new HistoryStatus(HistoryStatus.Recording.ON, Optional.of(seconds));
          for (StoredRow row : stored.get()) {
            boolean recorded =
                of(row.id()).stream()
                    .anyMatch(
                        one ->
                            one.state().isPresent() && one.entry().version().equals(row.version()));
            if (!recorded) {
              add(written(row, "", Optional.empty()));
            }
          }
          return null;
        });
  }

  @Override
  public void disable() {
    lock.run(
        () -> {
          if (isOn()) {
            status = new HistoryStatus(HistoryStatus.Recording.OFF, status.keep());
          }
          return null;
        });
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
  public StateVersion revert(State recorded, Fence fence) {
    return revert.apply(recorded, fence);
  }

  /** Records that a row was stored, if history is recorded. The lock is held. */
  void recordWritten(StoredRow row, Optional<StateVersion> revertedTo) {
    if (isOn()) {
      add(written(row, author, revertedTo));
    }
  }

  /** Records that a row was stored past this program. The lock is held. */
  void recordPlanted(StoredRow row) {
    if (isOn()) {
      add(written(row, "", Optional.empty()));
    }
  }

  /** Records that what had a version was removed, if history is recorded. The lock is held. */
  void recordDeleted(StateId id, StateVersion newest) {
    if (isOn()) {
      Instant now = clock.instant();
      StateVersion version = StateVersion.next(Optional.of(newest), now);
      add(
          new HistoryRecord(
              new HistoryEntry(
                  id,
                  version,
                  now,
                  HistoryEntry.Kind.DELETED,
                  author,
                  "",
                  Optional.empty(),
                  0,
                  0,
                  ""),
              Optional.empty()));
    }
  }

  /** The version of the newest record of an id. The lock is held. */
  Optional<StateVersion> newestVersion(StateId id) {
    List<HistoryRecord> all = of(id);
    return all.isEmpty()
        ? Optional.empty()
        : Optional.of(all.get(all.size() - 1).entry().version());
  }

  private boolean isOn() {
    return status.recording() == HistoryStatus.Recording.ON;
  }

  private HistoryRecord written(StoredRow row, String by, Optional<StateVersion> revertedTo) {
    return new HistoryRecord(
        new HistoryEntry(
            row.id(),
            row.version(),
            clock.instant(),
            HistoryEntry.Kind.WRITTEN,
            by,
            "",
            revertedTo,
            length(row.completed()),
            length(row.partial()),
            fingerprint(row)),
        Optional.of(row.read()));
  }

  private void add(HistoryRecord added) {
    List<HistoryRecord> list = records.computeIfAbsent(added.entry().id(), id -> new ArrayList<>());
    int at = list.size();
    while (at > 0 && list.get(at - 1).entry().version().compareTo(added.entry().version()) > 0) {
      at--;
    }
    list.add(at, added);
    while (list.size() > InMemoryBackend.MAX_RECORDS) {
      list.remove(0);
    }
  }

  private List<HistoryRecord> of(StateId id) {
    return records.getOrDefault(id, List.of());
  }

  private List<HistoryRecord> newest(StateId id, int limit) {
    HistoryRules.checkLimit(limit);
    return lock.run(
        () -> {
          if (status.recording() == HistoryStatus.Recording.NEVER) {
            throw new StateFailure.NoHistory(target);
          }
          Instant oldest = clock.instant().minus(status.keep().orElse(DEFAULT_KEEP));
          List<HistoryRecord> all = records.getOrDefault(id, new ArrayList<>());
          all.removeIf(one -> one.entry().recordedAt().isBefore(oldest));
          List<HistoryRecord> newest = new ArrayList<>();
          for (int i = all.size() - 1; i >= 0 && newest.size() < limit; i--) {
            newest.add(all.get(i));
          }
          return newest;
        });
  }

  private static long length(@Nullable String text) {
    return text == null ? 0 : text.getBytes(StandardCharsets.UTF_8).length;
  }

  private static String fingerprint(StoredRow row) {
    try {
      MessageDigest digest = MessageDigest.getInstance("SHA-256");
      byte[] completed = bytes(row.completed());
      digest.update(Integer.toString(completed.length).getBytes(StandardCharsets.UTF_8));
      digest.update((byte) ' ');
      digest.update(completed);
      digest.update(bytes(row.partial()));
      return HexFormat.of().formatHex(digest.digest());
    } catch (NoSuchAlgorithmException e) {
      // Every Java has it.
      throw new IllegalStateException(e);
    }
  }

  private static byte[] bytes(@Nullable String text) {
    return (text == null ? "" : text).getBytes(StandardCharsets.UTF_8);
  }
}
