package dev.statectl.cli;

import dev.statectl.json.JsonMember;
import dev.statectl.json.JsonObject;
import dev.statectl.json.JsonPointer;
import dev.statectl.json.MalformedJsonException;
import dev.statectl.state.State;
import dev.statectl.state.StateId;
import dev.statectl.usecase.ChangeState;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code statectl put}. */
@Command(
    name = "put",
    header = "Puts one value into the state of an id.",
    description = {
      "Replaces the value, or adds it to an object or list that is there; all else stays as it is,"
          + " byte for byte. A value that both halves of the state have is replaced in both; a new one"
          + " goes to the half that has its place, the completed one if both have.",
      "The old value is printed, as the next run would have found it."
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  statectl put dev:tap-a-to-b /singer_state/bookmarks/issues/since 42 --dry-run",
      "  statectl put dev:tap-a-to-b /singer_state/bookmarks/issues/since '\"2026-11-01\"' -y"
    })
final class PutCommand implements Callable<Integer> {
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
          "Where to put it, as a JSON Pointer (RFC 6901): ~1 for a slash in a name, ~0 for a tilde; -"
              + " behind a list adds to it.")
  private JsonPointer pointer = JsonPointer.ROOT;

  @Parameters(
      index = "2",
      paramLabel = "VALUE",
      description = "The value, as JSON: a text needs its quotes, as in '\"2026-11-01\"'.")
  private String value = "";

  PutCommand(BackendRunner backends, Confirmation confirmation, StateSurgery surgery) {
    this.backends = backends;
    this.confirmation = confirmation;
    this.surgery = surgery;
  }

  @Override
  public Integer call() throws Exception {
    StateId stateId = StateId.ofStored(id);
    requireValue();
    return backends.runLocking(
        "put",
        wait,
        (component, stop) -> {
          String target = component.backend().target();
          String where = pointer + " of the state of '" + stateId + "' in " + target;
          State seen = component.getState().get(stateId);
          Optional<JsonMember> old = seen.merged().find(pointer);
          with(seen, target);
          if (!confirmation.allows(() -> plan(old, where))) {
            old.ifPresent(surgery::print);
            return ExitCode.OK.code();
          }
          ChangeState.Changed changed =
              component
                  .changeState()
                  .change(
                      stateId,
                      state -> with(state, target),
                      confirmation.over(component.guardRails().forLengthOnly()));
          changed.before().merged().find(pointer).ifPresent(surgery::print);
          surgery.tell("put " + where, changed);
          return ExitCode.OK.code();
        });
  }

  private ChangePlan plan(Optional<JsonMember> old, String where) {
    return old.map(member -> ChangePlan.of("replace", where + " (" + surgery.size(member) + ")"))
        .orElseGet(() -> ChangePlan.of("add", where).harmless());
  }

  // Nothing of the value goes into the message.
  private void requireValue() {
    try {
      JsonObject.EMPTY.with(JsonPointer.of("value"), value);
    } catch (MalformedJsonException e) {
      throw new CommandFailure(
          ExitCode.FAILURE,
          "VALUE: " + e.getMessage() + "; write JSON, a text with its quotes; nothing was changed",
          "write JSON, a text with its quotes");
    }
  }

  private State with(State state, String target) {
    try {
      State changed = put(state);
      if (isSeen(changed)) {
        return surgery.checked(state, changed);
      }
    } catch (IllegalArgumentException e) {
      throw nowhere(state, target, String.valueOf(e.getMessage()));
    }
    throw nowhere(state, target, "at " + pointer + ": the partial half hides the place");
  }

  private State put(State state) {
    boolean inCompleted = state.completed().find(pointer).isPresent();
    boolean inPartial = state.partial().find(pointer).isPresent();
    if (!inCompleted && !inPartial) {
      JsonPointer parent = parent();
      inPartial =
          state.completed().find(parent).isEmpty() && state.partial().find(parent).isPresent();
      inCompleted = !inPartial;
    }
    return new State(
        state.id(),
        inCompleted ? state.completed().with(pointer, value) : state.completed(),
        inPartial ? state.partial().with(pointer, value) : state.partial(),
        state.version());
  }

  private boolean isSeen(State state) {
    List<String> names = pointer.names();
    // What was added behind a list has a number now.
    return names.get(names.size() - 1).equals("-")
        || state
            .merged()
            .find(pointer)
            .filter(member -> member.valueText().equals(value.strip()))
            .isPresent();
  }

  private JsonPointer parent() {
    return new JsonPointer(pointer.names().subList(0, pointer.names().size() - 1));
  }

  private static CommandFailure nowhere(State state, String target, String reason) {
    return new CommandFailure(
        ExitCode.NOT_FOUND,
        "the state of '"
            + state.id()
            + "' in "
            + target
            + " has no place for it: "
            + reason
            + "; nothing was changed");
  }
}
