package dev.statectl.json;

import com.fasterxml.jackson.core.io.JsonStringEncoder;

/** Writes texts as JSON strings. */
public final class JsonQuoting {
  private JsonQuoting() {}

  /**
   * Writes a text as a JSON string. Half of a surrogate pair, which has no UTF-8, becomes an
   * escape.
   *
   * @param text the text
   * @return the string with its quotes
   */
  public static String quoted(String text) {
    StringBuilder quoted = new StringBuilder("\"");
    JsonStringEncoder.getInstance().quoteAsString(text, quoted);
    for (int i = 0; i < quoted.length(); i++) {
      int c = quoted.codePointAt(i);
      if (c >= Character.MIN_SURROGATE && c <= Character.MAX_SURROGATE) {
        quoted.replace(i, i + 1, String.format("\\u%04x", c));
      }
      i += Character.charCount(c) - 1;
    }
    return quoted.append('"').toString();
  }
}
