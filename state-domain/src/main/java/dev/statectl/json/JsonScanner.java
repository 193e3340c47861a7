package dev.statectl.json;

import com.fasterxml.jackson.core.JsonToken;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Walks the tokens of one document, in its text, and knows where each begins and ends. Nothing is
 * copied and no value is made: a state is mostly read to be kept as it is.
 *
 * <p>A library's parser copies the text, makes each name and tells no ends of values.
 */
final class JsonScanner {
  /** The most levels that any document may be read with: a state within two levels of others. */
  static final int DEEPEST = JsonObject.MAX_DEPTH + 2;

  private final String text;
  private final int maxDepth;

  // For each open object or list whether it is an object.
  private boolean[] objects = new boolean[16];
  private int depth;

  private @Nullable JsonToken token;
  private int start;
  private int end;

  /** Starts on the first token of a text that was checked before. */
  JsonScanner(String text) {
    this(text, DEEPEST);
  }

  /**
   * Starts on the first token of the text, which may nest as many levels as given.
   *
   * @throws MalformedJsonException when that is none; so does each further step
   */
  JsonScanner(String text, int maxDepth) {
    this.text = text;
    this.maxDepth = maxDepth;
    next();
  }

  /** The current token, or null behind the document's end. */
  @Nullable JsonToken token() {
    return token;
  }

  /** Where the current token begins in the text. */
  int start() {
    return start;
  }

  /** Where the current token ends in the text. */
  int end() {
    return end;
  }

  /** The decoded name, when the current token is a member's name. */
  String name() {
    return StringEscapes.decoded(text, start);
  }

  /** Steps to the next token. */
  void next() {
    int i = skipSpace(end);
    if (depth == 0) {
      if (i == text.length()) {
        token = null;
        start = i;
        end = i;
      } else {
        value(i);
      }
      return;
    }
    boolean object = objects[depth - 1];
    if (token == JsonToken.FIELD_NAME) {
      value(skipSpace(behind(i, ':')));
    } else if (isAt(i, object ? '}' : ']')) {
      depth--;
      found(object ? JsonToken.END_OBJECT : JsonToken.END_ARRAY, i, i + 1);
    } else {
      boolean first = token == JsonToken.START_OBJECT || token == JsonToken.START_ARRAY;
      i = first ? i : skipSpace(behind(i, ','));
      if (object) {
        found(JsonToken.FIELD_NAME, i, behindString(behind(i, '"')));
      } else {
        value(i);
      }
    }
  }

  /**
   * Steps over the current value with all that it holds.
   *
   * @return where the value ends in the text
   */
  int skipValue() {
    if (token == JsonToken.START_OBJECT || token == JsonToken.START_ARRAY) {
      int around = depth - 1;
      while (depth > around) {
        next();
      }
    }
    int valueEnd = end;
    next();
    return valueEnd;
  }

  /** Where the text before an offset ends when white space, and one comma, are left out. */
  int endBefore(int offset) {
    int before = skipSpaceBack(offset);
    if (before > 0 && text.charAt(before - 1) == ',') {
      before = skipSpaceBack(before - 1);
    }
    return before;
  }

  /** The kind of the value that the current token begins. */
  JsonKind kind() {
    if (token == null) {
      throw new IllegalStateException("no token");
    }
    return switch (token) {
      case START_OBJECT -> JsonKind.OBJECT;
      case START_ARRAY -> JsonKind.ARRAY;
      case VALUE_STRING -> JsonKind.STRING;
      case VALUE_NUMBER_INT, VALUE_NUMBER_FLOAT -> JsonKind.NUMBER;
      case VALUE_TRUE, VALUE_FALSE -> JsonKind.BOOLEAN;
      case VALUE_NULL -> JsonKind.NULL;
      case END_OBJECT, END_ARRAY, FIELD_NAME, VALUE_EMBEDDED_OBJECT, NOT_AVAILABLE ->
          throw new IllegalStateException("not a value: " + token);
    };
  }

  static boolean isSpace(char c) {
    return c == ' ' || c == '\n' || c == '\r' || c == '\t';
  }

  private void found(JsonToken what, int from, int to) {
    token = what;
    start = from;
    end = to;
  }

  private void value(int i) {
    if (i == text.length()) {
      throw fault(i);
    }
    switch (text.charAt(i)) {
      case '{' -> open(JsonToken.START_OBJECT, i);
      case '[' -> open(JsonToken.START_ARRAY, i);
      case '"' -> found(JsonToken.VALUE_STRING, i, behindString(i + 1));
      case 't' -> word(JsonToken.VALUE_TRUE, i, i, "true");
      case 'f' -> word(JsonToken.VALUE_FALSE, i, i, "false");
      case 'n' -> word(JsonToken.VALUE_NULL, i, i, "null");
      case 'N' -> word(JsonToken.VALUE_NUMBER_FLOAT, i, i, "NaN");
      case 'I' -> word(JsonToken.VALUE_NUMBER_FLOAT, i, i, "Infinity");
      default -> number(i);
    }
  }

  private void open(JsonToken what, int i) {
    if (depth == maxDepth) {
      JsonObject.checkEncodable(text);
      throw MalformedJsonException.at(text, i, "nested deeper than " + maxDepth + " levels");
    }
    if (depth == objects.length) {
      objects = Arrays.copyOf(objects, 2 * depth);
    }
    objects[depth++] = what == JsonToken.START_OBJECT;
    found(what, i, i + 1);
  }

  private void word(JsonToken what, int from, int i, String word) {
    int to = i + word.length();
    if (!text.startsWith(word, i)) {
      throw fault(word.startsWith(text.substring(i)) ? text.length() : i);
    }
    if (to < text.length() && Character.isJavaIdentifierPart(text.charAt(to))) {
      throw fault(i);
    }
    found(what, from, to);
  }

  private void number(int from) {
    int i = from;
    if (text.charAt(i) == '-') {
      i++;
      if (isAt(i, 'I')) {
        word(JsonToken.VALUE_NUMBER_FLOAT, from, i, "Infinity");
        return;
      }
    }
    // A number begins with 0 only if that is all before its point.
    i = isAt(i, '0') ? i + 1 : behindDigits(i);
    if (i < text.length() && isDigit(text.charAt(i))) {
      throw fault(i);
    }
    JsonToken what = JsonToken.VALUE_NUMBER_INT;
    if (isAt(i, '.')) {
      what = JsonToken.VALUE_NUMBER_FLOAT;
      i = behindDigits(i + 1);
    }
    if (isAt(i, 'e') || isAt(i, 'E')) {
      what = JsonToken.VALUE_NUMBER_FLOAT;
      i++;
      i = behindDigits(isAt(i, '+') || isAt(i, '-') ? i + 1 : i);
    }
    found(what, from, i);
  }

  private int behindDigits(int from) {
    int i = from;
    while (i < text.length() && isDigit(text.charAt(i))) {
      i++;
    }
    if (i == from) {
      throw fault(i);
    }
    return i;
  }

  // The offset is that behind the opening quote.
  private int behindString(int from) {
    int i = from;
    while (i < text.length()) {
      char c = text.charAt(i);
      if (c == '"') {
        return i + 1;
      } else if (c == '\\') {
        i = behindEscape(i);
      } else if (c < ' ') {
        throw fault(i);
      } else if (Character.isSurrogate(c)) {
        i = behindPair(i);
      } else {
        i++;
      }
    }
    throw fault(i);
  }

  private int behindEscape(int backslash) {
    int i = backslash + 1;
    if (i == text.length() || "\"\\/bfnrtu".indexOf(text.charAt(i)) < 0) {
      throw fault(i);
    }
    if (text.charAt(i) != 'u') {
      return i + 1;
    }
    for (int digit = 0; digit < 4; digit++) {
      i++;
      if (i == text.length() || !isHexDigit(text.charAt(i))) {
        throw fault(i);
      }
    }
    return i + 1;
  }

  private int behindPair(int i) {
    if (i + 1 < text.length() && Character.isSurrogatePair(text.charAt(i), text.charAt(i + 1))) {
      return i + 2;
    }
    throw fault(i);
  }

  private int behind(int i, char expected) {
    if (!isAt(i, expected)) {
      throw fault(i);
    }
    return i + 1;
  }

  private boolean isAt(int i, char c) {
    return i < text.length() && text.charAt(i) == c;
  }

  private int skipSpace(int from) {
    int i = from;
    while (i < text.length() && isSpace(text.charAt(i))) {
      i++;
    }
    return i;
  }

  private int skipSpaceBack(int offset) {
    int i = offset;
    while (i > 0 && isSpace(text.charAt(i - 1))) {
      i--;
    }
    return i;
  }

  private static boolean isDigit(char c) {
    return c >= '0' && c <= '9';
  }

  private static boolean isHexDigit(char c) {
    return isDigit(c) || c >= 'a' && c <= 'f' || c >= 'A' && c <= 'F';
  }

  private MalformedJsonException fault(int offset) {
    // What cannot be stored at all is told first, wherever it stands.
    JsonObject.checkEncodable(text);
    if (offset >= text.length()) {
      return MalformedJsonException.at(text, offset, "the text ends before the JSON does");
    }
    int c = text.codePointAt(offset);
    return MalformedJsonException.at(
        text,
        offset,
        Character.isISOControl(c)
            ? String.format("unexpected control character U+%04X", c)
            : "unexpected '" + Character.toString(c) + "'");
  }
}
