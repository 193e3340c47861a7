package dev.statectl.state;

import dev.statectl.json.JsonKind;
import dev.statectl.json.JsonMember;
import dev.statectl.json.JsonObject;
import dev.statectl.json.JsonQuoting;
import dev.statectl.json.MalformedJsonException;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/**
 * Meltano's export of many states, as {@code meltano state export} writes it: one object whose
 * members are the states by id, {@code {"<id>": {"completed": {…}, "partial": {…}}}}.
 *
 * <p>A half that is missing, null or without members is empty. Written documents hold one state a
 * line; the halves keep their bytes, so a half that was stored over several lines still is.
 */
public final class ExportFormat {
  /** What stands before the first entry. */
  public static final String OPENING = "{";

  /** What stands between two entries. */
  public static final String SEPARATOR = ",\n";

  /** What stands behind the last entry: a brace and a line feed. */
  public static final String CLOSING = "}\n";

  private static final String COMPLETED = "completed";
  private static final String PARTIAL = "partial";

  private ExportFormat() {}

  /**
   * Reads an export.
   *
   * @param text the whole document
   * @return the states in the order of the document, of version {@link StateVersion#NONE}; of two
   *     entries with one id the last. Ids are taken as they are, also those that may not be written
   * @throws MalformedJsonException when the text is not a JSON object; the message has line and
   *     column
   * @throws IllegalArgumentException when an entry is not an object, a half is neither an object
   *     nor null, or an entry has a member of another name; the message has the JSON Pointer
   */
  public static List<State> read(String text) {
    Map<String, State> states = new LinkedHashMap<>();
    for (JsonMember entry : JsonObject.parseAround(text, 2).members()) {
      states.put(entry.name(), readEntry(entry));
    }
    return List.copyOf(states.values());
  }

  /**
   * Writes an export.
   *
   * @param states the states, in the order to write them
   * @return the document, ending in a line feed
   */
  public static String write(Collection<State> states) {
    return states.stream()
        .map(ExportFormat::entry)
        .collect(Collectors.joining(SEPARATOR, OPENING, CLOSING));
  }

  /**
   * Writes one member of an export, without the comma behind it.
   *
   * @param state the state
   * @return the member: the quoted id, a colon, and the object with both halves
   */
  public static String entry(State state) {
    StringBuilder entry = new StringBuilder();
    entry(state, entry::append);
    return entry.toString();
  }

  /**
   * Writes the same piece by piece: the halves are handed on as they are, and not copied.
   *
   * @param state the state
   * @param text takes the pieces in their order; what it throws reaches the caller
   */
  public static void entry(State state, Consumer<? super String> text) {
    text.accept(JsonQuoting.quoted(state.id().text()));
    text.accept(": {\"completed\": ");
    text.accept(state.completed().text());
    text.accept(", \"partial\": ");
    text.accept(state.partial().text());
    text.accept("}");
  }

  /** Where an entry stands in the document, as a JSON Pointer. */
  static String pointer(String id) {
    return "/" + id.replace("~", "~0").replace("/", "~1");
  }

  /** Reads one entry; fails as {@link #read} does. */
  static State readEntry(JsonMember entry) {
    String pointer = pointer(entry.name());
    if (entry.kind() != JsonKind.OBJECT) {
      throw new IllegalArgumentException(
          "at " + pointer + ": expected an object, found " + entry.kind().described());
    }
    JsonObject completed = JsonObject.EMPTY;
    JsonObject partial = JsonObject.EMPTY;
    for (JsonMember half : entry.children()) {
      switch (half.name()) {
        case COMPLETED -> completed = readHalf(pointer, half);
        case PARTIAL -> partial = readHalf(pointer, half);
        default ->
            throw new IllegalArgumentException(
                "at "
                    + pointer
                    + ": only 'completed' and 'partial' are known here, found another member");
      }
    }
    return State.of(StateId.ofStored(entry.name()), completed, partial);
  }

  private static JsonObject readHalf(String pointer, JsonMember half) {
    return switch (half.kind()) {
      case OBJECT -> half.object();
      case NULL -> JsonObject.EMPTY;
      case ARRAY, STRING, NUMBER, BOOLEAN ->
          throw new IllegalArgumentException(
              "at "
                  + pointer
                  + "/"
                  + half.name()
                  + ": expected an object or null, found "
                  + half.kind().described());
    };
  }
}
