package dev.statectl.cli;

import dev.statectl.state.StateId;
import dev.statectl.state.StateIdGlob;
import dev.statectl.usecase.ListStates;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code statectl clear}. */
@Command(
    name = "clear",
    customSynopsis = {
      "statectl clear [--dry-run] [-y] [--wait=DURATION] [--uri=URI] [--environment=NAME] ID",
      "       statectl clear [--dry-run] [-y] [--wait=DURATION] [--uri=URI] [--environment=NAME] --all"
    },
    header = "Deletes the state of an id, or all states.",
    description = "The next run starts from the beginning. You are asked first.")
final class ClearCommand implements Callable<Integer> {
  private final BackendRunner backends;
  private final Diagnostics diagnostics;

  @Spec private @Nullable CommandSpec spec;

  @Mixin private final Confirmation confirmation;

  @Mixin private final WaitOption wait = new WaitOption();

  @Parameters(arity = "0..1", paramLabel = "ID", description = "The state's id.")
  private @Nullable String id;

  @Option(names = "--all", description = "Delete the states of all ids.")
  private boolean all;

  ClearCommand(BackendRunner backends, Confirmation confirmation, Diagnostics diagnostics) {
    this.backends = backends;
    this.confirmation = confirmation;
    this.diagnostics = diagnostics;
  }

  @Override
  public Integer call() throws Exception {
    if (id != null && all) {
      throw usage("give either ID or --all, not both");
    }
    if (id != null) {
      StateId stateId = StateId.ofStored(id);
      return backends.runLocking("clear", wait, (component, stop) -> clear(stateId, component));
    }
    if (all) {
      return backends.runLocking("clear", wait, (component, stop) -> clearAll(component));
    }
    throw usage("say what to clear: an ID or --all");
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

  private int clearAll(BackendComponent component) {
    String target = component.backend().target();
    if (!confirmation.allows(() -> planForAll(component.listStates(), target))) {
      return ExitCode.OK.code();
    }
    long cleared = component.clearState().clearAll();
    diagnostics.inform("cleared " + StateDescription.counted(cleared, "state") + " in " + target);
    return ExitCode.OK.code();
  }

  private static ChangePlan planForAll(ListStates listStates, String target) {
    long count = count(listStates);
    ChangePlan plan = ChangePlan.of("clear", "all states in " + target + " (" + count + ")");
    return count == 0 ? plan.harmless() : plan;
  }

  private static long count(ListStates listStates) {
    AtomicLong count = new AtomicLong();
    listStates.list(StateIdGlob.ALL, id -> count.incrementAndGet());
    return count.get();
  }

  private ParameterException usage(String message) {
    if (spec == null) {
      throw new IllegalStateException("not part of a command line");
    }
    return new ParameterException(spec.commandLine(), message);
  }
}
