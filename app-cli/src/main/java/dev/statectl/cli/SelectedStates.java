package dev.statectl.cli;

import dev.statectl.port.StateStore;
import dev.statectl.port.StoredState;
import dev.statectl.state.StateId;
import dev.statectl.state.StateIdGlob;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** The states that a command is about to change, as a person is told of them. */
final class SelectedStates {
  private static final int SHOWN = 20;

  private final List<StateId> ids = new ArrayList<>();
  private final List<String> shown = new ArrayList<>();
  private long bytes;
  private long unreadable;

  private SelectedStates() {}

  /**
   * Reads which states there are, and how large they are.
   *
   * @throws Stopped when a signal came meanwhile
   */
  static SelectedStates read(
      StateStore store, StateIdGlob glob, ProgressLine progress, StopRequest stop) {
    SelectedStates selected = new SelectedStates();
    store.forEachState(
        glob,
        stored -> {
          stop.check();
          selected.add(stored);
          progress.report(selected.ids.size(), 0);
        });
    return selected;
  }

  /** The failure of whoever selects by a pattern that matches nothing. */
  static CommandFailure none(String pattern, String target) {
    return new CommandFailure(
        ExitCode.NOT_FOUND,
        "no id in " + target + " matches " + pattern + "; nothing was changed",
        "statectl list shows the ids");
  }

  private void add(StoredState stored) {
    ids.add(stored.id());
    String size = "unreadable";
    if (stored instanceof StoredState.Readable readable) {
      long length = readable.state().utf8Length();
      bytes += length;
      size = StateDescription.bytes(length);
    } else {
      unreadable++;
    }
    if (shown.size() < SHOWN) {
      shown.add("  '" + stored.id() + "' (" + size + ")");
    }
  }

  /** The ids, in order. */
  List<StateId> ids() {
    return Collections.unmodifiableList(ids);
  }

  /** The first ids with their sizes, a line each, and how many more there are. */
  List<String> lines() {
    List<String> lines = new ArrayList<>(shown);
    if (ids.size() > shown.size()) {
      lines.add("  and " + (ids.size() - shown.size()) + " more");
    }
    return lines;
  }

  /** As in {@code 3 states in … (57 bytes)}. */
  String summary(String target) {
    return StateDescription.counted(ids.size(), "state") + where(target);
  }

  /** As in {@code all 3 states in … (57 bytes)}, when these are all there are. */
  String summaryOfAll(String target) {
    return (ids.size() == 1 ? "the only state" : "all " + ids.size() + " states") + where(target);
  }

  private String where(String target) {
    return " in "
        + target
        + " ("
        + StateDescription.bytes(bytes)
        + (unreadable > 0 ? ", " + unreadable + " unreadable" : "")
        + ")";
  }
}
