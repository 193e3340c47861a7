package dev.statectl.cli;

/**
 * Text of unknown origin on one line of a terminal. State ids may hold anything, also what moves a
 * cursor or ends a line.
 */
final class PrintableText {
  private PrintableText() {}

  /**
   * Writes control characters, line separators, marks that reorder text, and halves of surrogate
   * pairs as {@code \n}, {@code \t}, {@code \r}, {@code \xNN} or {@code \}{@code uNNNN}. Everything
   * else stays, backslashes too: nearly every id is printed as it is.
   */
  static String escaped(String text) {
    if (text.codePoints().noneMatch(PrintableText::isEscaped)) {
      return text;
    }
    StringBuilder out = new StringBuilder(text.length() + 16);
    text.codePoints()
        .forEach(
            c -> {
              if (isEscaped(c)) {
                out.append(escape(c));
              } else {
                out.appendCodePoint(c);
              }
            });
    return out.toString();
  }

  private static boolean isEscaped(int c) {
    return reordersText(c) || isNoText(c);
  }

  // The marks and overrides of bidirectional text, which show a line in another order.
  private static boolean reordersText(int c) {
    return c >= 0x202A && c <= 0x202E || c >= 0x2066 && c <= 0x2069 || c == 0x200E || c == 0x200F;
  }

  private static boolean isNoText(int c) {
    return switch (Character.getType(c)) {
      case Character.CONTROL,
          Character.LINE_SEPARATOR,
          Character.PARAGRAPH_SEPARATOR,
          Character.SURROGATE ->
          true;
      default -> false;
    };
  }

  private static String escape(int c) {
    return switch (c) {
      case '\n' -> "\\n";
      case '\r' -> "\\r";
      case '\t' -> "\\t";
      default -> {
        String hex = Integer.toHexString(c);
        yield c < 0x100 ? "\\x" + "0".repeat(2 - hex.length()) + hex : "\\u" + hex;
      }
    };
  }
}
