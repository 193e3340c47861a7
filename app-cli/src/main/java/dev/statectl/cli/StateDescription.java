package dev.statectl.cli;

import dev.statectl.port.StateFailure;
import dev.statectl.state.State;
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
    try {
      return of(getState.get(id), target);
    } catch (StateFailure.UnreadableState e) {
      return ofUnreadable(id, target);
    }
  }

  /** Describes a state that was read. */
  static String of(State state, String target) {
    return of(state.id(), target, bytes(state.utf8Length()));
  }

  /** Describes what cannot be read. */
  static String ofUnreadable(StateId id, String target) {
    return of(id, target, "unreadable");
  }

  private static String of(StateId id, String target, String size) {
    return "the state of '" + id + "' in " + target + " (" + size + ")";
  }

  static String bytes(long count) {
    return counted(count, "byte");
  }

  static String counted(long count, String noun) {
    return count + " " + noun + (count == 1 ? "" : "s");
  }
}
