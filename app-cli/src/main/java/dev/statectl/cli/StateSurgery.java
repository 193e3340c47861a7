package dev.statectl.cli;

import dev.statectl.json.JsonMember;
import dev.statectl.json.JsonPointer;
import dev.statectl.json.JsonQuoting;
import dev.statectl.state.State;
import dev.statectl.state.StateId;
import dev.statectl.state.StateShape;
import dev.statectl.stream.StreamState;
import dev.statectl.usecase.ChangeState;
import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.Set;

/**
 * What the commands share that change a part of a state: what they find, refuse, print and tell.
 */
final class StateSurgery {
  private static final int NAMED = 10;

  private final DataOutput out;
  private final Diagnostics diagnostics;

  StateSurgery(DataOutput out, Diagnostics diagnostics) {
    this.out = out;
    this.diagnostics = diagnostics;
  }

  /**
   * Finds a value in what the next run would find.
   *
   * @throws CommandFailure when there is none
   */
  JsonMember valueAt(JsonPointer pointer, State state, String target) {
    return state
        .merged()
        .find(pointer)
        .orElseThrow(
            () ->
                new CommandFailure(
                    ExitCode.NOT_FOUND,
                    "at "
                        + pointer
                        + " of the state of '"
                        + state.id()
                        + "' in "
                        + target
                        + " there is nothing; nothing was changed"));
  }

  /** Says that a state has no such stream, and which it has. */
  CommandFailure noStream(String name, StateId id, String target, Set<String> there) {
    String has =
        there.isEmpty()
            ? "it has none"
            : "it has "
                + String.join(", ", there.stream().limit(NAMED).toList())
                + (there.size() > NAMED ? " and " + (there.size() - NAMED) + " more" : "");
    return new CommandFailure(
        ExitCode.NOT_FOUND,
        "no stream '"
            + name
            + "' in the state of '"
            + id
            + "' in "
            + target
            + "; "
            + has
            + "; nothing was changed");
  }

  /**
   * Gives the state if pipelines can read it.
   *
   * @throws CommandFailure when it is no state, and the one before was
   */
  State checked(State before, State after) {
    StateShape.fault(after.merged())
        .filter(fault -> StateShape.fault(before.merged()).isEmpty())
        .ifPresent(
            fault -> {
              throw new CommandFailure(
                  ExitCode.FAILURE,
                  "this would be no state any more: " + fault + "; nothing was changed",
                  "'clear' removes a whole state, 'set' stores another one");
            });
    return after;
  }

  /** Prints a value as it is stored. */
  void print(JsonMember value) {
    out.line(value.valueText());
  }

  /** Prints streams with their values as they are stored, each as an object on a line. */
  void printStreams(Collection<StreamState> streams) {
    streams.forEach(
        stream ->
            out.line("{" + JsonQuoting.quoted(stream.name()) + ": " + stream.valueText() + "}"));
  }

  /** How long a value is. */
  String size(JsonMember value) {
    return StateDescription.bytes(value.valueText().getBytes(StandardCharsets.UTF_8).length);
  }

  /** Tells what was done, and how long the state was and is. */
  void tell(String done, ChangeState.Changed changed) {
    diagnostics.inform(
        done
            + " ("
            + StateDescription.bytes(changed.before().utf8Length())
            + " before, "
            + changed.after().utf8Length()
            + " now)");
  }
}
