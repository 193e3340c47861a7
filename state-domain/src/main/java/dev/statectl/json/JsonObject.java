package dev.statectl.json;

import com.fasterxml.jackson.core.JsonToken;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A JSON object that keeps its source text: what nobody changed comes back byte for byte, with its
 * number spelling ({@code 1.0}, {@code 1e3}, integers of thirty digits), its string escapes, its
 * order of keys and its white space.
 *
 * <p>The JSON is that of RFC 8259 and, as Python's {@code json} module writes and reads it, the
 * three numbers {@code NaN}, {@code Infinity} and {@code -Infinity}. Nesting is limited to 1000
 * levels. Of members with one name in one object the last counts. A text that cannot be stored as
 * UTF-8, because it holds half of a surrogate pair outside an escape, is refused.
 *
 * <p>Immutable and thread-safe. Two objects are equal when their texts are.
 *
 * @see <a href="https://docs.python.org/3/library/json.html">Python's json module</a>
 */
public final class JsonObject {
  /** Levels of nesting that a document may have; Python's reader gives up near there, too. */
  public static final int MAX_DEPTH = 1000;

  /** The object without members. */
  public static final JsonObject EMPTY = new JsonObject("{}");

  private final String text;

  private JsonObject(String text) {
    this.text = text;
  }

  /**
   * Reads a text that holds one object and nothing else but white space around it.
   *
   * @param text the text, not null
   * @return the object; {@link #EMPTY} when it has no members
   * @throws MalformedJsonException when the text is not JSON, holds another kind of value, is
   *     nested deeper than 1000 levels, begins with a byte order mark or cannot be written as UTF-8
   */
  public static JsonObject parse(String text) {
    return parse(text, MAX_DEPTH);
  }

  /**
   * Reads an object whose members hold documents, which may each be nested {@value #MAX_DEPTH}
   * levels deep themselves.
   *
   * @param text the text, not null
   * @param levels how many levels stand around the documents: 0, 1 or 2
   * @return the object
   * @throws MalformedJsonException as {@link #parse(String)} does
   * @throws IllegalArgumentException when {@code levels} is another number
   */
  public static JsonObject parseAround(String text, int levels) {
    if (levels < 0 || levels > JsonScanner.DEEPEST - MAX_DEPTH) {
      throw new IllegalArgumentException("levels: " + levels);
    }
    return parse(text, MAX_DEPTH + levels);
  }

  private static JsonObject parse(String text, int maxDepth) {
    JsonScanner scanner = new JsonScanner(text, maxDepth);
    if (scanner.token() == null) {
      throw MalformedJsonException.at(text, 0, "expected an object, found nothing");
    }
    if (scanner.token() != JsonToken.START_OBJECT) {
      throw MalformedJsonException.at(
          text, scanner.start(), "expected an object, found " + scanner.kind().described());
    }
    int start = scanner.start();
    int end = scanner.skipValue();
    if (scanner.token() != null) {
      throw MalformedJsonException.at(text, scanner.start(), "text behind the object's end");
    }
    return ofValid(text.substring(start, end));
  }

  /**
   * Reads half of a state as other programs may have stored it: null, a blank text, JSON {@code
   * null} and an object without members all mean "empty".
   *
   * @param text the stored text, or null
   * @return the object; {@link #EMPTY} when the half is empty
   * @throws MalformedJsonException as {@link #parse(String)} does, but for the texts named above
   */
  public static JsonObject parseStored(@Nullable String text) {
    if (text == null || text.isBlank() || text.strip().equals("null")) {
      return EMPTY;
    }
    return parse(text);
  }

  /** Wraps a slice of a text that was scanned before. */
  static JsonObject ofValid(String text) {
    for (int i = 1; i < text.length() - 1; i++) {
      if (!JsonScanner.isSpace(text.charAt(i))) {
        return new JsonObject(text);
      }
    }
    return EMPTY;
  }

  /**
   * Gives the object's text, as it was read: from its opening to its closing brace.
   *
   * @return the text
   */
  public String text() {
    return text;
  }

  /**
   * Tells whether the object has no members.
   *
   * @return true when it has none
   */
  public boolean isEmpty() {
    return this == EMPTY;
  }

  /**
   * Tells how long the text is when stored.
   *
   * @return the length of the text in UTF-8, in bytes
   */
  public long utf8Length() {
    long length = text.length();
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c >= 0x80) {
        // A surrogate pair is two chars here and four bytes there.
        length += c >= 0x800 && !Character.isSurrogate(c) ? 2 : 1;
      }
    }
    return length;
  }

  /**
   * Lists the members in the order of the text. A name may stand there more than once; the last one
   * counts.
   *
   * @return the members, unmodifiable
   */
  public List<JsonMember> members() {
    return children(text);
  }

  /** Lists what an object or a list holds; the text was checked before. */
  static List<JsonMember> children(String text) {
    List<JsonMember> children = new ArrayList<>();
    JsonScanner scanner = new JsonScanner(text);
    boolean object = scanner.token() == JsonToken.START_OBJECT;
    scanner.next();
    while (scanner.token() != JsonToken.END_OBJECT && scanner.token() != JsonToken.END_ARRAY) {
      String name = object ? scanner.name() : String.valueOf(children.size());
      if (object) {
        scanner.next();
      }
      JsonKind kind = scanner.kind();
      int start = scanner.start();
      children.add(new JsonMember(name, kind, text.substring(start, scanner.skipValue())));
    }
    return Collections.unmodifiableList(children);
  }

  /**
   * Lays another object over this one. Where both have an object under one name, the two are merged
   * in the same way; anything else of {@code upper} replaces what is here: lists as a whole, null
   * too. Members that only {@code upper} has are added at the end. Nothing is reformatted.
   *
   * @param upper the object that wins, not null
   * @return the merged object; {@code this} when {@code upper} is empty
   */
  public JsonObject mergedWith(JsonObject upper) {
    if (upper.isEmpty()) {
      return this;
    }
    if (isEmpty()) {
      return upper;
    }
    return new JsonObject(JsonMerge.merge(text, upper.text));
  }

  /**
   * Finds the value at a place. Of members with one name the last counts; the values of a list are
   * named by their number, from 0.
   *
   * @param pointer the place
   * @return the value with the last name of the pointer, or empty when there is none
   */
  public Optional<JsonMember> find(JsonPointer pointer) {
    return new JsonEdit(text).find(pointer);
  }

  /**
   * Puts a value at a place, where one may be or not; all else keeps its bytes. A new member comes
   * last in its object; {@code -} behind a list adds to it.
   *
   * @param pointer the place
   * @param value the value's JSON text
   * @return the object with the value
   * @throws MalformedJsonException when the value is not one JSON value, or the whole would be
   *     nested too deep
   * @throws IllegalArgumentException when there is no object and no list to put it into; the
   *     message says where
   */
  public JsonObject with(JsonPointer pointer, String value) {
    checkValue(value);
    if (pointer.names().isEmpty()) {
      return parse(value);
    }
    return parse(new JsonEdit(text).with(pointer, value.strip()));
  }

  /**
   * Removes the value at a place; all else keeps its bytes.
   *
   * @param pointer the place
   * @return the object without the value; {@code this} when there is none
   */
  public JsonObject without(JsonPointer pointer) {
    if (pointer.names().isEmpty()) {
      return EMPTY;
    }
    String rest = new JsonEdit(text).without(pointer);
    return rest.equals(text) ? this : ofValid(rest);
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof JsonObject object && text.equals(object.text);
  }

  @Override
  public int hashCode() {
    return text.hashCode();
  }

  /** Tells only the length: a state's content does not belong in logs and messages. */
  @Override
  public String toString() {
    return "JsonObject[" + text.length() + " chars]";
  }

  private static void checkValue(String value) {
    JsonScanner scanner = new JsonScanner(value, MAX_DEPTH);
    if (scanner.token() == null) {
      throw MalformedJsonException.at(value, 0, "expected a value, found nothing");
    }
    scanner.skipValue();
    if (scanner.token() != null) {
      throw MalformedJsonException.at(value, scanner.start(), "text behind the value's end");
    }
  }

  static void checkEncodable(String text) {
    if (!text.isEmpty() && text.charAt(0) == '\uFEFF') {
      throw MalformedJsonException.at(text, 0, "the text begins with a byte order mark");
    }
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (!Character.isSurrogate(c)) {
        continue;
      }
      boolean pair =
          Character.isHighSurrogate(c)
              && i + 1 < text.length()
              && Character.isLowSurrogate(text.charAt(i + 1));
      if (!pair) {
        throw MalformedJsonException.at(
            text,
            i,
            String.format("half of a surrogate pair (write it as an escape: \\u%04x)", (int) c));
      }
      i++;
    }
  }
}
