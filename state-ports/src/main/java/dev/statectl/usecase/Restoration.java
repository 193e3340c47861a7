package dev.statectl.usecase;

import dev.statectl.json.JsonObject;
import dev.statectl.port.HistoryEntry;
import dev.statectl.port.HistoryRecord;
import dev.statectl.port.SaveRules;
import dev.statectl.port.StateFailure;
import dev.statectl.port.StateHistory;
import dev.statectl.port.StateStore;
import dev.statectl.port.StoredState;
import dev.statectl.state.State;
import dev.statectl.state.StateId;
import dev.statectl.state.StateVersion;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** What restoring and undoing share: looking at what there is, and storing a record again. */
final class Restoration {
  private final StateStore store;
  private final StateHistory history;
  private final AcquireLock locks;

  Restoration(StateStore store, StateHistory history, AcquireLock locks) {
    this.store = store;
    this.history = history;
    this.locks = locks;
  }

  /** What is stored, readable or not. */
  Optional<StoredState> current(StateId id) {
    try {
      return store.find(id).map(StoredState.Readable::new);
    } catch (StateFailure.UnreadableState e) {
      return Optional.of(new StoredState.Unreadable(e));
    }
  }

  Optional<HistoryEntry> newest(StateId id) {
    List<HistoryEntry> found = new ArrayList<>();
    history.forEach(id, 1, found::add);
    return found.stream().findFirst();
  }

  /** The state that a record holds, of the record's version. */
  static State stateOf(HistoryRecord found) {
    StateId id = found.entry().id();
    StateVersion version = found.entry().version();
    StoredState stored =
        found
            .state()
            .orElseThrow(
                () ->
                    new StateFailure.NotFound(
                        id,
                        "the version "
                            + version
                            + " of '"
                            + id
                            + "' is its removal; to remove it again: statectl clear",
                        "to remove it again: statectl clear"));
    if (stored instanceof StoredState.Unreadable unreadable) {
      StateFailure.UnreadableState failure = unreadable.failure();
      throw new StateFailure.UnreadableState(
          id,
          failure.column(),
          "version " + version + " in the history: " + failure.reason(),
          failure.getCause());
    }
    return ((StoredState.Readable) stored).state();
  }

  /** Stores the plan's target under the id's lock, and reads it back. */
  Optional<StateVersion> apply(RestorePlan plan) {
    SaveRules.check(plan.target());
    return locks.with(plan.id(), lock -> apply(plan, lock));
  }

  private Optional<StateVersion> apply(RestorePlan plan, StateLock lock) {
    StateId id = plan.id();
    if (!isAsPlanned(plan)) {
      throw new StateFailure.Conflict(
          id,
          "the state of '"
              + id
              + "' was changed by somebody else meanwhile; nothing was restored; look at its"
              + " history and try again");
    }
    if (plan.changesNothing()) {
      return Optional.empty();
    }
    StateVersion version =
        plan.undo()
            ? history.revert(plan.target(), lock.fence())
            : store.save(plan.target(), lock.fence());
    Optional<StoredState> found = current(id);
    if (found.filter(stored -> isSame(stored, plan.target())).isPresent()) {
      return Optional.of(version);
    }
    boolean isThatVersion = found.flatMap(Restoration::version).filter(version::equals).isPresent();
    if (isThatVersion) {
      throw new StateFailure.OutcomeUnknown(
          "the state of '"
              + id
              + "' was restored as version "
              + version
              + ", but it does not read back as it was written; look at it before you go on",
          null);
    }
    throw new StateFailure.Conflict(
        id,
        "the state of '"
            + id
            + "' was restored as version "
            + version
            + ", but somebody else changed it since; look at its history");
  }

  private boolean isAsPlanned(RestorePlan plan) {
    Optional<StoredState> now = current(plan.id());
    if (!now.flatMap(Restoration::version).equals(plan.current().flatMap(Restoration::version))
        || now.isPresent() != plan.current().isPresent()) {
      return false;
    }
    // Versions can be equal at the end of time.
    boolean sameContent =
        now.isEmpty()
            || !(now.get() instanceof StoredState.Readable readable)
            || plan.current().filter(before -> isSame(before, readable.state())).isPresent();
    return sameContent && newest(plan.id()).equals(plan.newest());
  }

  /** Empty for what cannot be read. */
  static Optional<StateVersion> version(StoredState stored) {
    return stored instanceof StoredState.Readable readable
        ? Optional.of(readable.state().version())
        : Optional.empty();
  }

  /** Whether a state is stored, byte for byte. */
  static boolean isSame(StoredState stored, State state) {
    return stored instanceof StoredState.Readable readable
        && isSame(readable.state().completed(), state.completed())
        && isSame(readable.state().partial(), state.partial());
  }

  private static boolean isSame(JsonObject one, JsonObject other) {
    // An empty half is not kept as it was spelled.
    return one.isEmpty() ? other.isEmpty() : one.text().equals(other.text());
  }
}
