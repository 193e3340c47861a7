package dev.statectl.state;

import dev.statectl.json.JsonKind;
import dev.statectl.json.JsonMember;
import dev.statectl.json.JsonObject;
import java.util.HashSet;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;

/**
 * The streams that a state has bookmarks of: the members of {@code bookmarks} in {@code
 * singer_state}. That is how Singer's SDKs and most taps keep them; a tap may do otherwise.
 *
 * @see <a href="https://hub.meltano.com/singer/spec/#state">Singer specification, state</a>
 */
public final class Streams {
  private Streams() {}

  /**
   * Counts the streams.
   *
   * @param document what a run starts from, as {@link State#merged()} gives it
   * @return how many there are; empty when the tap keeps its bookmarks in another way
   */
  public static OptionalInt count(JsonObject document) {
    Optional<JsonObject> bookmarks =
        object(document, "singer_state").flatMap(state -> object(state, "bookmarks"));
    if (bookmarks.isEmpty()) {
      return OptionalInt.empty();
    }
    Set<String> names = new HashSet<>();
    bookmarks.get().members().forEach(member -> names.add(member.name()));
    return OptionalInt.of(names.size());
  }

  // Of members with one name the last counts.
  private static Optional<JsonObject> object(JsonObject parent, String name) {
    Optional<JsonObject> found = Optional.empty();
    for (JsonMember member : parent.members()) {
      if (member.name().equals(name)) {
        found =
            member.kind() == JsonKind.OBJECT
                ? Optional.of(JsonObject.parse(member.valueText()))
                : Optional.empty();
      }
    }
    return found;
  }
}
