package dev.statectl.cli;

import java.util.regex.Pattern;

/** Words of a command line that a person may copy into a POSIX shell. */
final class ShellQuoting {
  private static final Pattern PLAIN = Pattern.compile("[A-Za-z0-9_@%+=:,./-]+");

  private ShellQuoting() {}

  /**
   * Quotes a word, if need be. Control characters are written as {@code $'\n'}, which most shells
   * read, since a message stays one line.
   */
  static String quoted(String word) {
    if (PLAIN.matcher(word).matches()) {
      return word;
    }
    String printable = PrintableText.escaped(word);
    if (printable.equals(word)) {
      return "'" + word.replace("'", "'\\''") + "'";
    }
    return "$'" + PrintableText.escaped(word.replace("\\", "\\\\").replace("'", "\\'")) + "'";
  }

  /** Quotes an argument that is no option, also one that looks like one. */
  static String operand(String word) {
    return word.startsWith("-") ? "-- " + quoted(word) : quoted(word);
  }
}
