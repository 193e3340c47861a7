package dev.statectl.state;

import dev.statectl.json.JsonObject;

/**
 * One pipeline's state: what its last complete run left, and what runs since then have left in
 * part. Immutable and thread-safe; the text form shows no content.
 *
 * @param id whose state this is
 * @param completed the state after the last run that completed; {@link JsonObject#EMPTY} for none
 * @param partial what incomplete runs added since; {@link JsonObject#EMPTY} for none
 * @param version when it was stored; {@link StateVersion#NONE} before that
 */
public record State(StateId id, JsonObject completed, JsonObject partial, StateVersion version) {

  /**
   * Makes a state that is not stored yet.
   *
   * @param id whose state it is
   * @param completed the completed half, or {@link JsonObject#EMPTY}
   * @param partial the partial half, or {@link JsonObject#EMPTY}
   * @return the state, of version {@link StateVersion#NONE}
   */
  public static State of(StateId id, JsonObject completed, JsonObject partial) {
    return new State(id, completed, partial, StateVersion.NONE);
  }

  /**
   * Gives what the next run starts from: the partial half merged over the completed one.
   *
   * @return the merged view; {@link JsonObject#EMPTY} when both halves are
   */
  public JsonObject merged() {
    return completed.mergedWith(partial);
  }

  /**
   * Applies a newer state of the same pipeline to this stored one. A newer state without a
   * completed half comes from a run that did not complete: its partial half is merged over the
   * stored partial half, and the stored completed half stays. Any other replaces both halves.
   *
   * @param newer the newer state
   * @return the state to store, of version {@link StateVersion#NONE}
   * @throws IllegalArgumentException when the two have different ids
   */
  public State updatedBy(State newer) {
    if (!id.equals(newer.id)) {
      throw new IllegalArgumentException(
          "a state of '" + newer.id + "' cannot update '" + id + "'");
    }
    if (newer.completed.isEmpty()) {
      return of(id, completed, partial.mergedWith(newer.partial));
    }
    return of(id, newer.completed, newer.partial);
  }

  /**
   * Tells whether the state says nothing.
   *
   * @return true when both halves are empty
   */
  public boolean isEmpty() {
    return completed.isEmpty() && partial.isEmpty();
  }

  /**
   * Tells how much is stored.
   *
   * @return the length of both halves in UTF-8, in bytes; an empty half counts nothing
   */
  public long utf8Length() {
    return (completed.isEmpty() ? 0 : completed.utf8Length())
        + (partial.isEmpty() ? 0 : partial.utf8Length());
  }

  /**
   * Gives the state with another version.
   *
   * @param stored the version that a store gave it
   * @return the same state, of that version
   */
  public State withVersion(StateVersion stored) {
    return new State(id, completed, partial, stored);
  }
}
