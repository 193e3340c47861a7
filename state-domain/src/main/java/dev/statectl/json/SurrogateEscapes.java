package dev.statectl.json;

/**
 * Escapes of surrogates in JSON text. Python writes half of a pair as an escape, in names too, and
 * Jackson reads such names as errors. So where a text holds escaped surrogates, Jackson is given
 * the text with other escapes of the same length in their place, and names are decoded from the
 * text itself.
 */
final class SurrogateEscapes {
  private static final int ESCAPE_LENGTH = "\\udddd".length();

  private SurrogateEscapes() {}

  /** The text with each escaped surrogate replaced by an escape of its length; or the text. */
  static String masked(String text) {
    StringBuilder masked = null;
    int escape = text.indexOf('\\');
    while (escape >= 0 && escape + 1 < text.length()) {
      boolean surrogate = text.startsWith("ud", escape + 1) || text.startsWith("uD", escape + 1);
      if (surrogate
          && escape + 3 < text.length()
          && "89abABcdefCDEF".indexOf(text.charAt(escape + 3)) >= 0) {
        masked = masked == null ? new StringBuilder(text) : masked;
        masked.setCharAt(escape + 2, '0');
      }
      escape = text.indexOf('\\', escape + 2);
    }
    return masked == null ? text : masked.toString();
  }

  /** The name whose opening quote stands at an offset of a checked text, without its escapes. */
  static String decodedName(String text, int quote) {
    StringBuilder name = new StringBuilder();
    int i = quote + 1;
    while (text.charAt(i) != '"') {
      if (text.charAt(i) != '\\') {
        name.append(text.charAt(i));
        i++;
      } else if (text.charAt(i + 1) == 'u') {
        name.append((char) Integer.parseInt(text.substring(i + 2, i + ESCAPE_LENGTH), 16));
        i += ESCAPE_LENGTH;
      } else {
        name.append(unescaped(text.charAt(i + 1)));
        i += 2;
      }
    }
    return name.toString();
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
