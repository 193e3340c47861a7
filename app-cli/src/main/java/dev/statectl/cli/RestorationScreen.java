package dev.statectl.cli;

import dev.statectl.port.StoredState;
import dev.statectl.state.State;
import dev.statectl.state.StateVersion;
import dev.statectl.stream.StateDiff;
import dev.statectl.stream.StreamChange;
import dev.statectl.usecase.RestorePlan;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/** What a person sees of a version that is brought back: the plan, the question, the result. */
final class RestorationScreen {
  private static final int SHOWN = 10;

  private final String target;
  private final Confirmation confirmation;
  private final Diagnostics diagnostics;

  RestorationScreen(String target, Confirmation confirmation, Diagnostics diagnostics) {
    this.target = target;
    this.confirmation = confirmation;
    this.diagnostics = diagnostics;
  }

  /**
   * Does what is planned, if it may be done.
   *
   * @param apply does it; gives the version that was stored, or nothing if nothing was
   * @return the exit code
   */
  int run(RestorePlan plan, Function<RestorePlan, Optional<StateVersion>> apply) {
    String state = "'" + plan.id() + "' in " + target;
    String restored =
        "version "
            + plan.source().version()
            + " ("
            + StateDescription.bytes(plan.target().utf8Length())
            + ")";
    String what = state + " to " + restored;
    if (plan.changesNothing()) {
      diagnostics.inform(
          "no change: the state of " + state + " is that of " + restored + " already");
      return ExitCode.OK.code();
    }
    if (!confirmation.allows(() -> ChangePlan.of("restore", what).withLines(lines(plan)))) {
      return ExitCode.OK.code();
    }
    Optional<StateVersion> stored = apply.apply(plan);
    diagnostics.inform(
        "restored " + what + stored.map(version -> ", now version " + version).orElse(""));
    return ExitCode.OK.code();
  }

  private static List<String> lines(RestorePlan plan) {
    if (plan.current().isEmpty()) {
      return List.of("  there is no state now");
    }
    if (!(plan.current().get() instanceof StoredState.Readable readable)) {
      return List.of("  the state that is stored now cannot be read");
    }
    State now = readable.state();
    StateDiff diff = StateDiff.between(now, plan.target());
    List<String> lines = new ArrayList<>();
    for (StreamChange change : diff.streams()) {
      if (lines.size() == SHOWN) {
        lines.add("  and " + (diff.streams().size() - SHOWN) + " more");
        break;
      }
      lines.add("  " + words(change));
    }
    diff.elsewhere().stream().limit(SHOWN).forEach(place -> lines.add("  changes " + place));
    if (diff.halvesOnly()) {
      lines.add("  changes only what is completed and what is partial");
    }
    return lines;
  }

  private static String words(StreamChange change) {
    return switch (change.kind()) {
      case ADDED -> "brings back the stream '" + change.stream() + "'";
      case LOST -> "removes the stream '" + change.stream() + "'";
      case CHANGED ->
          "changes the stream '" + change.stream() + "'" + (change.isBackwards() ? ", back" : "");
    };
  }
}
