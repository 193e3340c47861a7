package dev.statectl.port;

import dev.statectl.state.State;

/** What every adapter checks before it writes a state. */
public final class SaveRules {
  /** The largest state that is written: both halves together, in bytes of UTF-8 (64 MiB). */
  public static final long MAX_STATE_BYTES = 64L * 1024 * 1024;

  private SaveRules() {}

  /**
   * Checks a state before it is written.
   *
   * @param state the state
   * @throws IllegalArgumentException when its id may not be written; the message is {@link
   *     dev.statectl.state.StateId#fault()}
   * @throws StateFailure.TooLarge when it is larger than {@link #MAX_STATE_BYTES}
   */
  public static void check(State state) {
    state
        .id()
        .fault()
        .ifPresent(
            fault -> {
              throw new IllegalArgumentException(fault);
            });
    long bytes = state.utf8Length();
    if (bytes > MAX_STATE_BYTES) {
      throw new StateFailure.TooLarge(state.id(), bytes, MAX_STATE_BYTES);
    }
  }
}
