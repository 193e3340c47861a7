package dev.statectl.cli;

import dev.statectl.port.StateFailure;
import dev.statectl.state.StateId;
import dev.statectl.usecase.ClearState;
import java.util.List;
import java.util.Optional;

/**
 * Clears many states, each under its own lock. A state that cannot be cleared is told and left;
 * what would meet all the others as well ends the work.
 */
final class ClearEach {
  private final ClearState clearState;
  private final Diagnostics diagnostics;
  private final StopRequest stop;
  private long cleared;
  private long gone;
  private long failed;
  private ExitCode worst = ExitCode.OK;

  ClearEach(ClearState clearState, Diagnostics diagnostics, StopRequest stop) {
    this.clearState = clearState;
    this.diagnostics = diagnostics;
    this.stop = stop;
  }

  /**
   * Clears states and says how many.
   *
   * @param target where they are, for people
   * @return the exit code: {@link ExitCode#PARTLY} when some were cleared and others not
   * @throws Stopped when a signal came before the last was cleared
   */
  int clear(List<StateId> ids, String target) {
    try (ProgressLine progress = diagnostics.progress("clearing")) {
      boolean goOn = true;
      for (int i = 0; goOn && i < ids.size(); i++) {
        goOn = stop.signal().isEmpty() && clear(ids.get(i));
        progress.report(i + 1L, ids.size());
      }
    }
    String said = said(ids.size(), target);
    Optional<StopSignal> signal = stop.signal();
    if (signal.isPresent() && tried() < ids.size()) {
      throw new Stopped(signal.get(), "interrupted; " + said);
    }
    if (failed == 0) {
      diagnostics.inform(said);
      return ExitCode.OK.code();
    }
    diagnostics.say(said);
    return (cleared == 0 ? worst : ExitCode.PARTLY).code();
  }

  // Tells whether to go on.
  private boolean clear(StateId id) {
    try {
      clearState.clear(id);
      cleared++;
      return true;
    } catch (StateFailure.NotFound e) {
      gone++;
      return true;
    } catch (StateFailure e) {
      if (stop.signal().isPresent() && Thread.interrupted()) {
        return false;
      }
      failed++;
      worst = ExitCode.of(e.kind());
      diagnostics.say("not cleared: '" + id + "': " + e.getMessage());
      return switch (e.kind()) {
        case UNAVAILABLE, DENIED, WRONG_SCHEMA, NO_HISTORY -> false;
        case UNREADABLE_STATE,
            TOO_LARGE,
            OUTCOME_UNKNOWN,
            NOT_FOUND,
            CONFLICT,
            DOUBTFUL,
            LOCK_HELD,
            LOCK_LOST ->
            true;
      };
    }
  }

  private long tried() {
    return cleared + gone + failed;
  }

  private String said(long total, String target) {
    StringBuilder said = new StringBuilder("cleared ");
    if (cleared < total) {
      said.append(cleared).append(" of ");
    }
    said.append(StateDescription.counted(total, "state")).append(" in ").append(target);
    add(said, failed, "not cleared");
    add(said, gone, "gone already");
    add(said, total - tried(), "not tried");
    return said.toString();
  }

  private static void add(StringBuilder said, long count, String what) {
    if (count > 0) {
      said.append(said.indexOf(";") < 0 ? "; " : ", ").append(count).append(' ').append(what);
    }
  }
}
