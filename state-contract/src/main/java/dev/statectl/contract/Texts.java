package dev.statectl.contract;

/** Makes texts fit for the messages of failed rules, whatever they hold and however long. */
final class Texts {
  private static final int LONGEST = 160;
  private static final int AROUND = 40;

  private Texts() {}

  /** Quotes a text, cut if it is long, with everything that does not print as an escape. */
  static String printable(String text) {
    StringBuilder out = new StringBuilder("'");
    int end = Math.min(text.length(), LONGEST);
    for (int i = 0; i < end; i++) {
      char c = text.charAt(i);
      if (c >= ' ' && c <= '~') {
        out.append(c);
      } else {
        out.append(String.format("\\u%04x", (int) c));
      }
    }
    out.append("'");
    if (end < text.length()) {
      out.append(" and ").append(text.length() - end).append(" chars more");
    }
    return out.toString();
  }

  /** Tells where two texts part, with a little of what surrounds the place in each. */
  static String difference(String actual, String expected) {
    int at = 0;
    int shorter = Math.min(actual.length(), expected.length());
    while (at < shorter && actual.charAt(at) == expected.charAt(at)) {
      at++;
    }
    int from = Math.max(0, at - AROUND);
    return "expected "
        + printable(expected.substring(from, Math.min(expected.length(), at + AROUND)))
        + " but found "
        + printable(actual.substring(from, Math.min(actual.length(), at + AROUND)))
        + " (they part at char "
        + at
        + "; "
        + expected.length()
        + " chars expected, "
        + actual.length()
        + " found)";
  }
}
