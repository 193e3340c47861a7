package dev.statectl.cli;

import dev.statectl.state.StateId;
import dev.statectl.usecase.RestorePlan;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code statectl undo}. */
@Command(
    name = "undo",
    header = "Undoes the last change of a state, also its removal.",
    description = {
      "The version before is stored again, as the newest one. Undone once more it goes back one"
          + " further; to go forward again, 'restore' the newer version.",
      "Needs history: see 'history enable'. If somebody else changes the state meanwhile, nothing is"
          + " undone (5)."
    },
    footerHeading = "%nExamples:%n",
    footer = {"  statectl undo dev:tap-a-to-b --dry-run", "  statectl undo dev:tap-a-to-b -y"})
final class UndoCommand implements Callable<Integer> {
  private final BackendRunner backends;
  private final Diagnostics diagnostics;

  @Mixin private final Confirmation confirmation;

  @Mixin private final WaitOption wait = new WaitOption();

  @Parameters(paramLabel = "ID", description = "The state's id.")
  private String id = "";

  UndoCommand(BackendRunner backends, Confirmation confirmation, Diagnostics diagnostics) {
    this.backends = backends;
    this.confirmation = confirmation;
    this.diagnostics = diagnostics;
  }

  @Override
  public Integer call() throws Exception {
    StateId stateId = StateId.ofStored(id);
    return backends.runLocking(
        "undo",
        wait,
        (component, stop) -> {
          RecordedHistory.of(component);
          RestorePlan plan = component.undoState().plan(stateId);
          return new RestorationScreen(component.backend().target(), confirmation, diagnostics)
              .run(plan, component.undoState()::apply);
        });
  }
}
