package dev.statectl.usecase;

import dev.statectl.port.Backend;
import dev.statectl.port.Finding;
import dev.statectl.port.Mend;
import dev.statectl.port.StateFailure;
import dev.statectl.port.StoredState;
import dev.statectl.state.State;
import dev.statectl.state.StateId;
import dev.statectl.state.StateIdGlob;
import dev.statectl.state.StateVersion;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** Looks at every state: whether it can be read, and whether its version is of a time to come. */
final class StateFindings {
  static final String UNREADABLE = "unreadable-state";
  static final String FUTURE = "future-version";
  static final String ID = "state-id";

  /** How many findings of one check are told one by one. */
  private static final int MOST = 20;

  // A version may be past the clock by a millisecond for each write within one.
  private static final Duration TOLERATED = Duration.ofSeconds(1);

  private record Dated(StateId id, StateVersion version) {}

  private final String target;
  private final List<StateFailure.UnreadableState> unreadable = new ArrayList<>();
  private final List<Dated> suspects = new ArrayList<>();
  private final List<StateId> unwritable = new ArrayList<>();
  private long states;
  private long moreUnreadable;

  StateFindings(String target) {
    this.target = target;
  }

  /**
   * Examines the states of a store.
   *
   * @param before the store's time of a moment ago
   */
  List<Finding> of(Backend backend, Instant before) {
    backend.states().forEachState(StateIdGlob.ALL, stored -> add(stored, before));
    // What was written during the walk is later than the time before it.
    Instant now = suspects.isEmpty() ? before : backend.now();
    List<Finding> findings = new ArrayList<>();
    unreadable.forEach(failure -> findings.add(unreadable(failure)));
    if (moreUnreadable > 0) {
      findings.add(more(UNREADABLE, moreUnreadable));
    }
    List<Dated> future =
        suspects.stream()
            .filter(dated -> dated.version().updatedAt().isAfter(now.plus(TOLERATED)))
            .toList();
    future.stream().limit(MOST).forEach(dated -> findings.add(future(dated, now)));
    if (future.size() > MOST) {
      findings.add(more(FUTURE, future.size() - MOST));
    }
    unwritable.forEach(id -> findings.add(unwritable(id)));
    if (findings.isEmpty()) {
      findings.add(
          Finding.ok(
              "states",
              target,
              states == 0
                  ? "no state is stored"
                  : states
                      + (states == 1 ? " state, which" : " states, each of which")
                      + " can be read and is of a time that has come"));
    }
    return findings;
  }

  private void add(StoredState stored, Instant before) {
    states++;
    if (stored.id().fault().isPresent() && unwritable.size() < MOST) {
      unwritable.add(stored.id());
    }
    if (stored instanceof StoredState.Unreadable row) {
      if (unreadable.size() < MOST) {
        unreadable.add(row.failure());
      } else {
        moreUnreadable++;
      }
      return;
    }
    State state = ((StoredState.Readable) stored).state();
    if (state.version().updatedAt().isAfter(before)) {
      suspects.add(new Dated(state.id(), state.version()));
    }
  }

  private static Finding unreadable(StateFailure.UnreadableState failure) {
    return Finding.error(
            UNREADABLE,
            failure.id().text(),
            "the column " + failure.column() + " cannot be read: " + failure.reason(),
            "a pipeline with this id fails when it starts; all else is unharmed by it")
        .withMend(mend(failure));
  }

  private static Mend mend(StateFailure.UnreadableState failure) {
    StateId id = failure.id();
    if (failure.column().equals("state_id")) {
      // Its text stands for the bytes of the id, and may be that of another one.
      return Mend.advice(
          "no command can name this id: remove its row by SQL, by the bytes of its id, or store the"
              + " other states anew after statectl clear --all");
    }
    String word = ShellWord.of(id.text());
    return id.fault().isPresent()
        ? Mend.command("statectl clear " + word)
        : Mend.command("statectl set --input-file STATE.json " + word);
  }

  private static Finding future(Dated dated, Instant now) {
    String id = dated.id().text();
    String aside = id + ".doctor";
    return Finding.warning(
            FUTURE,
            dated.id().text(),
            "its version is "
                + dated.version()
                + ", "
                + Duration.between(now, dated.version().updatedAt()).toSeconds()
                + " seconds to come",
            "until then it hides whatever the Meltano plugin stores under this id, which dates its"
                + " rows by the server's clock; what statectl stores goes past it")
        .withMend(
            Mend.command(
                "statectl copy " + ShellWord.of(id, aside),
                "statectl clear " + ShellWord.of(id),
                "statectl move " + ShellWord.of(aside, id)));
  }

  private static Finding unwritable(StateId id) {
    return Finding.warning(
            ID,
            id.text(),
            id.fault().orElseThrow(),
            "it is listed, exported and can be cleared, but never stored again under this id")
        .withMend(Mend.command("statectl clear " + ShellWord.of(id.text())));
  }

  private Finding more(String check, long count) {
    return Finding.warning(
        check,
        target,
        "and " + count + " more states like these",
        "only the first " + MOST + " are told one by one");
  }
}
