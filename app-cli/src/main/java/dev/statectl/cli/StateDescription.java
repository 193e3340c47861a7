package dev.statectl.cli;

import dev.statectl.port.StateFailure;
import dev.statectl.state.StateId;
import dev.statectl.usecase.GetState;

/** Words for states in messages and questions. */
final class StateDescription {
  private StateDescription() {}

  /**
   * Describes what is stored under an id, readable or not.
   *
   * @throws StateFailure.NotFound when nothing is
   */
  static String ofStored(StateId id, GetState getState, String target) {
    String size;
    try {
      size = bytes(getState.get(id).utf8Length());
    } catch (StateFailure.UnreadableState e) {
      size = "unreadable";
    }
    return "the state of '" + id + "' in " + target + " (" + size + ")";
  }

  static String bytes(long count) {
    return counted(count, "byte");
  }

  static String counted(long count, String noun) {
    return count + " " + noun + (count == 1 ? "" : "s");
  }
}
