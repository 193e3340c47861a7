package dev.statectl.stream;

import dev.statectl.json.JsonKind;
import dev.statectl.json.JsonMember;
import dev.statectl.json.JsonObject;
import dev.statectl.json.JsonPointer;
import dev.statectl.state.State;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;

/**
 * The streams of a state. Taps keep what they know of a stream below its name in {@code
 * /singer_state/bookmarks}; what else stands in a document is no stream's.
 *
 * @see <a href="https://hub.meltano.com/singer/spec#state">the Singer specification</a>
 */
public final class Streams {
  /** Where the streams stand in a document. */
  public static final JsonPointer BOOKMARKS = JsonPointer.of("singer_state", "bookmarks");

  private Streams() {}

  /**
   * Lists the streams of a state, as its next run finds them.
   *
   * @param state the state
   * @return the streams in the order of the merged document; none when there are no bookmarks
   */
  public static List<StreamState> of(State state) {
    Set<String> completed = members(state.completed()).keySet();
    Set<String> partial = members(state.partial()).keySet();
    return members(state.merged()).values().stream()
        .map(
            member ->
                new StreamState(
                    member.name(),
                    member.kind(),
                    member.valueText(),
                    completed.contains(member.name()),
                    partial.contains(member.name())))
        .toList();
  }

  /**
   * Counts the streams of a document.
   *
   * @param document what a run starts from, as {@link State#merged()} gives it
   * @return how many there are; empty when the tap keeps its bookmarks in another way
   */
  public static OptionalInt count(JsonObject document) {
    return document
        .find(BOOKMARKS)
        .filter(bookmarks -> bookmarks.kind() == JsonKind.OBJECT)
        .map(bookmarks -> OptionalInt.of(members(document).size()))
        .orElse(OptionalInt.empty());
  }

  /**
   * Removes streams from both halves of a state; all else keeps its bytes.
   *
   * @param state the state
   * @param streams the names of the streams
   * @return the state without them, of the same version
   */
  public static State without(State state, List<String> streams) {
    return new State(
        state.id(),
        without(state.completed(), streams),
        without(state.partial(), streams),
        state.version());
  }

  private static JsonObject without(JsonObject half, List<String> streams) {
    JsonObject rest = half;
    for (String stream : streams) {
      rest = rest.without(BOOKMARKS.child(stream));
    }
    return rest;
  }

  static Map<String, JsonMember> members(JsonObject document) {
    Map<String, JsonMember> members = new LinkedHashMap<>();
    document
        .find(BOOKMARKS)
        .filter(bookmarks -> bookmarks.kind() == JsonKind.OBJECT)
        .ifPresent(
            bookmarks ->
                bookmarks.children().forEach(member -> members.put(member.name(), member)));
    return members;
  }
}
