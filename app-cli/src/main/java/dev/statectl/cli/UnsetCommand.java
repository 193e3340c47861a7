package dev.statectl.cli;

import dev.statectl.json.JsonMember;
import dev.statectl.json.JsonPointer;
import dev.statectl.state.State;
import dev.statectl.state.StateId;
import dev.statectl.usecase.ChangeState;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code statectl unset}. */
@Command(
    name = "unset",
    header = "Removes one value from the state of an id.",
    description = {
      "The value is removed from both halves of the state; all else stays as it is, byte for byte.",
      "What is removed is printed, as the next run would have found it."
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  statectl unset dev:tap-a-to-b /singer_state/bookmarks/issues/since --dry-run",
      "  statectl unset dev:tap-a-to-b /singer_state/bookmarks/issues/since -y"
    })
final class UnsetCommand implements Callable<Integer> {
  private final BackendRunner backends;
  private final StateSurgery surgery;

  @Mixin private final Confirmation confirmation;

  @Mixin private final WaitOption wait = new WaitOption();

  @Parameters(index = "0", paramLabel = "ID", description = "The state's id.")
  private String id = "";

  @Parameters(
      index = "1",
      paramLabel = "POINTER",
      converter = PointerConverter.class,
      description =
          "Where the value stands, as a JSON Pointer (RFC 6901): ~1 for a slash in a name, ~0 for a"
              + " tilde.")
  private JsonPointer pointer = JsonPointer.ROOT;

  UnsetCommand(BackendRunner backends, Confirmation confirmation, StateSurgery surgery) {
    this.backends = backends;
    this.confirmation = confirmation;
    this.surgery = surgery;
  }

  @Override
  public Integer call() throws Exception {
    StateId stateId = StateId.ofStored(id);
    return backends.runLocking(
        "unset",
        wait,
        (component, stop) -> {
          String target = component.backend().target();
          String where = "from the state of '" + stateId + "' in " + target;
          State seen = component.getState().get(stateId);
          JsonMember value = surgery.valueAt(pointer, seen, target);
          without(seen, target);
          if (!confirmation.allows(
              () -> ChangePlan.of("remove", pointer + " (" + surgery.size(value) + ") " + where))) {
            surgery.print(value);
            return ExitCode.OK.code();
          }
          ChangeState.Changed changed =
              component.changeState().change(stateId, state -> without(state, target));
          surgery.print(surgery.valueAt(pointer, changed.before(), target));
          surgery.tell("removed " + pointer + " " + where, changed);
          return ExitCode.OK.code();
        });
  }

  private State without(State state, String target) {
    surgery.valueAt(pointer, state, target);
    State rest =
        new State(
            state.id(),
            state.completed().without(pointer),
            state.partial().without(pointer),
            state.version());
    return surgery.checked(state, rest);
  }
}
