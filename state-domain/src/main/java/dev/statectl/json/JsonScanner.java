package dev.statectl.json;

import com.fasterxml.jackson.core.JacksonException;
import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonFactoryBuilder;
import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.core.io.JsonEOFException;
import com.fasterxml.jackson.core.json.JsonReadFeature;
import java.io.IOException;
import java.io.UncheckedIOException;
import org.jspecify.annotations.Nullable;

/**
 * Walks the tokens of one document and knows where in the source text each value begins and ends.
 *
 * <p>The scanner reads one token ahead. Only so can it tell where a scalar ends without making
 * Jackson build the scalar's value: between a value and the next token stand only white space and
 * at most one comma. That keeps a long string from being copied, and no number is ever converted.
 */
final class JsonScanner {
  /** The most levels that any document may be read with: a state within two levels of others. */
  static final int DEEPEST = JsonObject.MAX_DEPTH + 2;

  // Names are neither interned nor kept between documents: ids and keys of other people's
  // pipelines must not pile up in a table that lives as long as the process.
  private static final JsonFactory FACTORY =
      new JsonFactoryBuilder()
          .streamReadConstraints(
              StreamReadConstraints.builder()
                  .maxNestingDepth(DEEPEST + 1)
                  .maxStringLength(Integer.MAX_VALUE)
                  .maxNumberLength(Integer.MAX_VALUE)
                  .maxNameLength(Integer.MAX_VALUE)
                  .build())
          .disable(JsonFactory.Feature.CANONICALIZE_FIELD_NAMES)
          .disable(JsonFactory.Feature.INTERN_FIELD_NAMES)
          .disable(StreamReadFeature.INCLUDE_SOURCE_IN_LOCATION)
          .enable(JsonReadFeature.ALLOW_NON_NUMERIC_NUMBERS)
          .build();

  private final String text;
  private final boolean masked;
  private final JsonParser parser;
  private final int maxDepth;
  private int aheadDepth;

  private @Nullable JsonToken token;
  private int start;
  private String name = "";

  private @Nullable JsonToken aheadToken;
  private int aheadStart;
  private String aheadName = "";

  /** Starts on the first token of a text that was checked before. */
  JsonScanner(String text) {
    this(text, DEEPEST);
  }

  /** Starts on the first token of the text, which may nest as many levels as given. */
  JsonScanner(String text, int maxDepth) {
    this.text = text;
    this.maxDepth = maxDepth;
    try {
      String readable = SurrogateEscapes.masked(text);
      this.masked = !readable.equals(text);
      this.parser = FACTORY.createParser(readable);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    readAhead();
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

  /** The decoded name, when the current token is a member's name. */
  String name() {
    return name;
  }

  /** Steps to the next token. */
  void next() {
    token = aheadToken;
    start = aheadStart;
    name = aheadName;
    if (token != null) {
      readAhead();
    }
  }

  /**
   * Steps over the current value with all that it holds.
   *
   * @return where the value ends in the text
   */
  int skipValue() {
    int depth = 0;
    while (true) {
      if (token == JsonToken.START_OBJECT || token == JsonToken.START_ARRAY) {
        depth++;
      } else if (token == JsonToken.END_OBJECT || token == JsonToken.END_ARRAY) {
        depth--;
      }
      if (depth == 0) {
        int end = endOfToken();
        next();
        return end;
      }
      next();
    }
  }

  /** Where the current token ends in the text, when it is a member's name: behind its quote. */
  int endOfName() {
    // Between a name and its value stand only white space and one colon.
    return skipSpaceBack(skipSpaceBack(aheadStart) - 1);
  }

  /** Where the text before an offset ends when white space, and one comma, are left out. */
  int endBefore(int offset) {
    int end = skipSpaceBack(offset);
    if (end > 0 && text.charAt(end - 1) == ',') {
      end = skipSpaceBack(end - 1);
    }
    return end;
  }

  /** The kind of the value that the current token begins. */
  JsonKind kind() {
    return kindOf(token);
  }

  static JsonKind kindOf(@Nullable JsonToken token) {
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

  private int endOfToken() {
    if (token == JsonToken.END_OBJECT || token == JsonToken.END_ARRAY) {
      return start + 1;
    }
    return endBefore(aheadToken == null ? text.length() : aheadStart);
  }

  private int skipSpaceBack(int offset) {
    int end = offset;
    while (end > 0 && isSpace(text.charAt(end - 1))) {
      end--;
    }
    return end;
  }

  static boolean isSpace(char c) {
    return c == ' ' || c == '\n' || c == '\r' || c == '\t';
  }

  private void readAhead() {
    try {
      aheadToken = parser.nextToken();
      if (aheadToken == null) {
        aheadStart = text.length();
        return;
      }
      aheadStart = Math.toIntExact(parser.currentTokenLocation().getCharOffset());
      if (aheadToken.isStructStart() && ++aheadDepth > maxDepth) {
        throw MalformedJsonException.at(
            text, aheadStart, "nested deeper than " + maxDepth + " levels");
      } else if (aheadToken.isStructEnd()) {
        aheadDepth--;
      } else if (aheadToken == JsonToken.FIELD_NAME) {
        aheadName = masked ? SurrogateEscapes.decodedName(text, aheadStart) : parser.currentName();
      } else if (aheadToken == JsonToken.VALUE_NUMBER_FLOAT) {
        checkNonNumeric();
      }
    } catch (JsonEOFException e) {
      throw MalformedJsonException.at(text, text.length(), "the text ends before the JSON does");
    } catch (JacksonException e) {
      throw MalformedJsonException.at(text, offsetOf(e), reasonAt(offsetOf(e)));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  // Jackson takes more spellings of the three non-numbers than Python writes and reads.
  private void checkNonNumeric() {
    int i = aheadStart;
    if (text.charAt(i) == '+') {
      throw MalformedJsonException.at(text, i, reasonAt(i));
    }
    if (text.charAt(i) == '-') {
      i++;
    }
    char first = text.charAt(i);
    boolean python =
        first >= '0' && first <= '9'
            || text.startsWith("Infinity", i)
            || i == aheadStart && text.startsWith("NaN", i);
    if (!python) {
      throw MalformedJsonException.at(text, i, reasonAt(i));
    }
  }

  private int offsetOf(JacksonException e) {
    JsonLocation location = e.getLocation();
    long offset = location == null ? aheadStart : location.getCharOffset();
    return (int) Math.min(Math.max(offset, 0), text.length());
  }

  private String reasonAt(int offset) {
    if (offset >= text.length()) {
      return "the text ends before the JSON does";
    }
    int c = text.codePointAt(offset);
    if (Character.isISOControl(c)) {
      return String.format("unexpected control character U+%04X", c);
    }
    return "unexpected '" + Character.toString(c) + "'";
  }
}
