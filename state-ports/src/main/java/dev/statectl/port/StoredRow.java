package dev.statectl.port;

import dev.statectl.json.JsonObject;
import dev.statectl.json.MalformedJsonException;
import dev.statectl.state.State;
import dev.statectl.state.StateId;
import dev.statectl.state.StateVersion;
import org.jspecify.annotations.Nullable;

/**
 * One row of a store as it stands there, which other programs may have written: the columns {@code
 * state_id}, {@code completed_state}, {@code partial_state} and {@code updated_at}. Here every
 * adapter turns rows into states and states into rows. Immutable and thread-safe; the text form
 * shows no content.
 *
 * @param id the row's id, which may be one that may not be written
 * @param completed the text of the completed half, or null
 * @param partial the text of the partial half, or null
 * @param version the row's version
 */
public record StoredRow(
    StateId id, @Nullable String completed, @Nullable String partial, StateVersion version) {

  /**
   * Makes the row that keeps a state. An empty half becomes null.
   *
   * @param state the state
   * @return the row, of the state's version
   */
  public static StoredRow of(State state) {
    return new StoredRow(
        state.id(), column(state.completed()), column(state.partial()), state.version());
  }

  /**
   * Reads the row as a walk over a store meets it.
   *
   * @return the state, or the failure that {@link #toState()} throws
   */
  public StoredState read() {
    try {
      return new StoredState.Readable(toState());
    } catch (StateFailure.UnreadableState e) {
      return new StoredState.Unreadable(e);
    }
  }

  /**
   * Reads the row. A half that is null, a blank text, JSON {@code null} or an object without
   * members is empty.
   *
   * @return the state
   * @throws StateFailure.UnreadableState when a half is anything else but a JSON object; it names
   *     the column, and the completed one when that holds for both
   */
  public State toState() {
    return new State(
        id, half("completed_state", completed), half("partial_state", partial), version);
  }

  /** Tells the id and the version, not the content. */
  @Override
  public String toString() {
    return "StoredRow[" + id + ", " + version + "]";
  }

  private JsonObject half(String column, @Nullable String text) {
    try {
      return JsonObject.parseStored(text);
    } catch (MalformedJsonException e) {
      throw new StateFailure.UnreadableState(id, column, e.getMessage(), e);
    }
  }

  private static @Nullable String column(JsonObject half) {
    return half.isEmpty() ? null : half.text();
  }
}
