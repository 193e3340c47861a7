package dev.statectl.cli;

import dev.statectl.port.StateFailure;
import dev.statectl.state.StateId;
import org.jspecify.annotations.Nullable;

/**
 * Says which states were not imported, and why. States are written many at a time, so one failure
 * may meet thousands of them: of those it names the first.
 */
final class ImportFailures {
  private static final int NAMED = 20;

  private final Diagnostics diagnostics;
  private @Nullable StateFailure last;
  private long count;

  ImportFailures(Diagnostics diagnostics) {
    this.diagnostics = diagnostics;
  }

  void add(StateId id, StateFailure failure) {
    if (failure != last) {
      end();
    }
    last = failure;
    count++;
    if (count <= NAMED) {
      diagnostics.say("not imported: '" + id + "': " + failure.getMessage());
    }
  }

  /** Says how many of the last failure were not named. */
  void end() {
    if (count > NAMED) {
      diagnostics.say(
          "not imported for the same reason: "
              + StateDescription.counted(count - NAMED, "more state"));
    }
    last = null;
    count = 0;
  }
}
