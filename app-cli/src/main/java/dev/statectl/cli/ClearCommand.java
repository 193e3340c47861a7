package dev.statectl.cli;

import dev.statectl.state.StateId;
import dev.statectl.state.StateIdGlob;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code statectl clear}. */
@Command(
    name = "clear",
    customSynopsis = {
      "statectl clear [--dry-run] [-y] [--wait=DURATION] [--uri=URI] [--environment=NAME]",
      "                      (ID | --pattern=GLOB | --all)"
    },
    header = "Deletes the state of an id, of ids that match, or all states.",
    description = {
      "The next run starts from the beginning. You are told what will go, and asked.",
      "With --pattern each state is deleted under its own lock. What cannot be deleted, because"
          + " somebody else holds its lock, say, is told and left; the command then ends with 8."
          + " --all takes no locks: it deletes what others hold, too."
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  statectl clear dev:tap-a-to-b",
      "  statectl clear --pattern 'staging:*' --dry-run",
      "  statectl clear --pattern 'staging:*' -y"
    })
final class ClearCommand implements Callable<Integer> {
  private final BackendRunner backends;
  private final Diagnostics diagnostics;

  @Spec private @Nullable CommandSpec spec;

  @Mixin private final Confirmation confirmation;

  @Mixin private final WaitOption wait = new WaitOption();

  @Parameters(arity = "0..1", paramLabel = "ID", description = "The state's id.")
  private @Nullable String id;

  @Option(
      names = "--pattern",
      paramLabel = "GLOB",
      description = "Delete the states of all ids that match the whole pattern, as of 'list'.")
  private @Nullable String pattern;

  @Option(names = "--all", description = "Delete the states of all ids.")
  private boolean all;

  ClearCommand(BackendRunner backends, Confirmation confirmation, Diagnostics diagnostics) {
    this.backends = backends;
    this.confirmation = confirmation;
    this.diagnostics = diagnostics;
  }

  @Override
  public Integer call() throws Exception {
    long given = Stream.of(id != null, pattern != null, all).filter(b -> b).count();
    if (given > 1) {
      throw UsageFault.of(spec, "give one of ID, --pattern and --all, not more");
    }
    if (id != null) {
      StateId stateId = StateId.ofStored(id);
      return backends.runLocking("clear", wait, (component, stop) -> clear(stateId, component));
    }
    if (pattern != null) {
      StateIdGlob glob = StateIdGlob.of(pattern);
      return backends.runLocking(
          "clear", wait, (component, stop) -> clearMatching(glob, component, stop));
    }
    if (all) {
      return backends.runLocking("clear", wait, (component, stop) -> clearAll(component, stop));
    }
    throw UsageFault.of(spec, "say what to clear: an ID, --pattern=GLOB or --all");
  }

  private int clear(StateId stateId, BackendComponent component) {
    String target = component.backend().target();
    if (!confirmation.allows(
        () ->
            ChangePlan.of(
                "clear", StateDescription.ofStored(stateId, component.getState(), target)))) {
      return ExitCode.OK.code();
    }
    component.clearState().clear(stateId);
    diagnostics.inform("cleared '" + stateId + "' in " + target);
    return ExitCode.OK.code();
  }

  private int clearMatching(StateIdGlob glob, BackendComponent component, StopRequest stop) {
    // What was shown is what is cleared, whatever has come to match meanwhile.
    List<StateId> ids = new ArrayList<>();
    if (confirmation.needsPlan()) {
      SelectedStates selected = select(glob, component, stop);
      requireAny(selected.ids(), component);
      if (!confirmation.allows(
          () -> plan(selected.summary(component.backend().target()), selected))) {
        return ExitCode.OK.code();
      }
      ids.addAll(selected.ids());
    } else {
      component.listStates().list(glob, ids::add);
      requireAny(ids, component);
    }
    return new ClearEach(component.clearState(), diagnostics, stop)
        .clear(ids, component.backend().target());
  }

  // A slip in a pattern must not look like work that was done.
  private void requireAny(List<StateId> ids, BackendComponent component) {
    if (ids.isEmpty()) {
      throw SelectedStates.none(String.valueOf(pattern), component.backend().target());
    }
  }

  private int clearAll(BackendComponent component, StopRequest stop) {
    String target = component.backend().target();
    if (!confirmation.allows(
        () -> {
          SelectedStates selected = select(StateIdGlob.ALL, component, stop);
          return plan(selected.summaryOfAll(target), selected);
        })) {
      return ExitCode.OK.code();
    }
    long cleared = component.clearState().clearAll();
    diagnostics.inform("cleared " + StateDescription.counted(cleared, "state") + " in " + target);
    return ExitCode.OK.code();
  }

  private SelectedStates select(StateIdGlob glob, BackendComponent component, StopRequest stop) {
    try (ProgressLine progress = diagnostics.progress("reading states:")) {
      return SelectedStates.read(component.states(), glob, progress, stop);
    }
  }

  private static ChangePlan plan(String object, SelectedStates selected) {
    ChangePlan plan = ChangePlan.of("clear", object).withLines(selected.lines());
    return selected.ids().isEmpty() ? plan.harmless() : plan;
  }
}
