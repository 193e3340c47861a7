package dev.statectl.json;

/** Decodes the strings of checked JSON texts. An escaped half of a surrogate pair stays one. */
final class StringEscapes {
  private static final int ESCAPE_LENGTH = "\\udddd".length();

  private StringEscapes() {}

  /** The string whose opening quote stands at an offset of a checked text, without its escapes. */
  static String decoded(String text, int quote) {
    int i = quote + 1;
    while (text.charAt(i) != '"' && text.charAt(i) != '\\') {
      i++;
    }
    String plain = text.substring(quote + 1, i);
    if (text.charAt(i) == '"') {
      return plain;
    }
    StringBuilder decoded = new StringBuilder(plain);
    while (text.charAt(i) != '"') {
      if (text.charAt(i) != '\\') {
        decoded.append(text.charAt(i));
        i++;
      } else if (text.charAt(i + 1) == 'u') {
        decoded.append((char) Integer.parseInt(text, i + 2, i + ESCAPE_LENGTH, 16));
        i += ESCAPE_LENGTH;
      } else {
        decoded.append(unescaped(text.charAt(i + 1)));
        i += 2;
      }
    }
    return decoded.toString();
  }

  private static char unescaped(char c) {
    return switch (c) {
      case 'b' -> '\b';
      case 'f' -> '\f';
      case 'n' -> '\n';
      case 'r' -> '\r';
      case 't' -> '\t';
      default -> c;
    };
  }
}
