package dev.statectl.usecase;

import java.util.regex.Pattern;

/** A word of a command that a finding offers, as it is typed into a POSIX shell. */
final class ShellWord {
  private static final Pattern PLAIN = Pattern.compile("[A-Za-z0-9_@%+=:,./-]+");

  private ShellWord() {}

  /**
   * Quotes the word if it must be, and sets it apart from options if it looks like one: it goes
   * behind all options.
   */
  static String of(String word) {
    return word.startsWith("-") ? "-- " + typed(word) : typed(word);
  }

  /** The same for the last two words: a second {@code --} would be taken for one of them. */
  static String of(String word, String last) {
    boolean setApart = word.startsWith("-") || last.startsWith("-");
    return (setApart ? "-- " : "") + typed(word) + " " + typed(last);
  }

  private static String typed(String word) {
    return PLAIN.matcher(word).matches() ? word : quoted(word);
  }

  // Where a finding is shown on a line, what is no text on a line would be shown as something else.
  private static String quoted(String word) {
    if (word.codePoints().noneMatch(ShellWord::isNoText)) {
      return "'" + word.replace("'", "'\\''") + "'";
    }
    StringBuilder typed = new StringBuilder("$'");
    word.codePoints()
        .forEach(
            c -> {
              if (isNoText(c)) {
                typed.append(c < 0x80 ? "\\x%02x".formatted(c) : "\\u%04x".formatted(c));
              } else {
                typed.append(c == '\\' || c == '\'' ? "\\" : "").appendCodePoint(c);
              }
            });
    return typed.append("'").toString();
  }

  // Marks that reorder text are of the type FORMAT.
  private static boolean isNoText(int c) {
    return switch (Character.getType(c)) {
      case Character.CONTROL,
          Character.FORMAT,
          Character.LINE_SEPARATOR,
          Character.PARAGRAPH_SEPARATOR ->
          c <= 0xFFFF;
      default -> false;
    };
  }
}
