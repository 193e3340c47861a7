package dev.statectl.json;

import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;

/**
 * Lays a document out for people: one member or element a line, two spaces a level. Only white
 * space between tokens changes; names, strings and numbers keep their spelling.
 *
 * <p>The result goes out as it is made: the indentation of a document that is deep and wide is many
 * times longer than the document.
 */
public final class JsonPretty {
  private static final String LEVEL = "  ";

  private final String text;
  private final JsonScanner scanner;
  private final Appendable out;
  private int depth;
  // Nothing stands yet in the object or array that was opened last.
  private boolean first = true;
  private boolean afterName;

  private JsonPretty(String text, Appendable out) {
    this.text = text;
    this.scanner = new JsonScanner(text);
    this.out = out;
  }

  /**
   * Writes a document, without a line feed behind it.
   *
   * @param document the document, not null
   * @param out where it goes, not null
   * @throws IOException when {@code out} throws it; part of the document was written then
   */
  public static void write(JsonObject document, Appendable out) throws IOException {
    new JsonPretty(document.text(), out).write();
  }

  private void write() throws IOException {
    JsonToken token = scanner.token();
    while (token != null) {
      switch (token) {
        case START_OBJECT, START_ARRAY -> open();
        case END_OBJECT, END_ARRAY -> close();
        case FIELD_NAME -> name();
        case VALUE_STRING,
            VALUE_NUMBER_INT,
            VALUE_NUMBER_FLOAT,
            VALUE_TRUE,
            VALUE_FALSE,
            VALUE_NULL ->
            scalar();
        case VALUE_EMBEDDED_OBJECT, NOT_AVAILABLE ->
            throw new IllegalStateException("not a token of a text: " + token);
      }
      token = scanner.token();
    }
  }

  private void open() throws IOException {
    place();
    out.append(text.charAt(scanner.start()));
    depth++;
    first = true;
    scanner.next();
  }

  private void close() throws IOException {
    depth--;
    if (!first) {
      newLine();
    }
    out.append(text.charAt(scanner.start()));
    first = false;
    scanner.next();
  }

  private void name() throws IOException {
    place();
    out.append(text, scanner.start(), scanner.end()).append(": ");
    afterName = true;
    scanner.next();
  }

  private void scalar() throws IOException {
    place();
    int start = scanner.start();
    out.append(text, start, scanner.skipValue());
  }

  private void place() throws IOException {
    if (afterName) {
      afterName = false;
    } else if (depth > 0) {
      if (!first) {
        out.append(',');
      }
      newLine();
    }
    first = false;
  }

  private void newLine() throws IOException {
    out.append('\n');
    for (int level = 0; level < depth; level++) {
      out.append(LEVEL);
    }
  }
}
