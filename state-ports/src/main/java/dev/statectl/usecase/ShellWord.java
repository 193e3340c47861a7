package dev.statectl.usecase;

import java.util.regex.Pattern;

/** A word of a command that a finding offers, as it is typed into a POSIX shell. */
final class ShellWord {
  private static final Pattern PLAIN = Pattern.compile("[A-Za-z0-9_@%+=:,./-]+");

  private ShellWord() {}

  /** Quotes the word if it must be, and sets it apart from options if it looks like one. */
  static String of(String word) {
    String quoted = PLAIN.matcher(word).matches() ? word : "'" + word.replace("'", "'\\''") + "'";
    return word.startsWith("-") ? "-- " + quoted : quoted;
  }
}
