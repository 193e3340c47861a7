package dev.statectl.usecase;

import dev.statectl.port.StateFailure;
import dev.statectl.state.StateId;

/**
 * What a session has accepted and not stored: makes failures say so.
 *
 * @param id whose checkpoints they are
 * @param count how many there are
 * @param perhaps whether they may be stored all the same, by a write whose outcome is unknown
 */
record Unstored(StateId id, long count, boolean perhaps) {

  /** A failure of the kind of the one below, which says what it means for the checkpoints. */
  RuntimeException because(String before, String after, Throwable cause) {
    String what = before + this + after + ": ";
    if (!(cause instanceof StateFailure failure)) {
      // Of others' failures nothing is known that is fit for a message.
      boolean fromPort = cause instanceof IllegalStateException;
      return new IllegalStateException(
          what + (fromPort ? cause.getMessage() : cause.getClass().getSimpleName()), cause);
    }
    String message = what + failure.getMessage();
    return switch (failure.kind()) {
      case LOCK_LOST -> lost((StateFailure.LockLost) failure);
      case UNAVAILABLE ->
          perhaps
              ? new StateFailure.OutcomeUnknown(message, failure)
              : failure
                  .advice()
                  .map(advice -> new StateFailure.Unavailable(message, advice, failure))
                  .orElseGet(() -> new StateFailure.Unavailable(message, failure));
      case DENIED ->
          failure
              .advice()
              .map(advice -> new StateFailure.Denied(message, advice, failure))
              .orElseGet(() -> new StateFailure.Denied(message, failure));
      case WRONG_SCHEMA ->
          failure
              .advice()
              .map(advice -> new StateFailure.WrongSchema(message, advice, failure))
              .orElseGet(() -> new StateFailure.WrongSchema(message, failure));
      case OUTCOME_UNKNOWN -> new StateFailure.OutcomeUnknown(message, failure);
      // These name the state themselves.
      case UNREADABLE_STATE, TOO_LARGE, NOT_FOUND, NO_HISTORY, CONFLICT, DOUBTFUL, LOCK_HELD ->
          failure;
    };
  }

  /** The loss of the lock, with what it means for the checkpoints, if there are any. */
  StateFailure.LockLost lost(StateFailure.LockLost loss) {
    return new StateFailure.LockLost(
        loss.id(), count == 0 ? loss.reason() : loss.reason() + "; " + this);
  }

  @Override
  public String toString() {
    return (count == 1 ? "1 accepted checkpoint of '" : count + " accepted checkpoints of '")
        + id
        + (count == 1 ? "' is" : "' are")
        + (perhaps ? " perhaps not stored" : " not stored");
  }
}
