package dev.statectl.port;

import dev.statectl.state.State;
import dev.statectl.state.StateId;

/** What a walk over a store meets under an id: a state, or something that is none. */
public sealed interface StoredState {

  /**
   * Gives the id.
   *
   * @return whose state this is
   */
  StateId id();

  /**
   * A state.
   *
   * @param state the state
   */
  record Readable(State state) implements StoredState {
    @Override
    public StateId id() {
      return state.id();
    }
  }

  /**
   * Something that is not a state.
   *
   * @param failure what a {@link StateStore#find} of the id reports
   */
  record Unreadable(StateFailure.UnreadableState failure) implements StoredState {
    @Override
    public StateId id() {
      return failure.id();
    }
  }
}
