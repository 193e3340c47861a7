package dev.statectl.clickhouse;

import dev.statectl.state.StateId;
import dev.statectl.state.StateIdGlob;
import java.nio.charset.StandardCharsets;

/** What of a glob goes into a statement, so that the primary key is used. */
final class Narrowing {
  // More of a prefix does not narrow further, and the server takes no endless statements.
  private static final int MAX_PREFIX_LENGTH = StateId.MAX_LENGTH;

  private Narrowing() {}

  /** What the ids that a glob picks begin with, as far as it helps the server to narrow. */
  static String of(StateIdGlob glob) {
    String prefix = glob.literalPrefix();
    return prefix.codePointCount(0, prefix.length()) <= MAX_PREFIX_LENGTH
        ? prefix
        : prefix.substring(0, prefix.offsetByCodePoints(0, MAX_PREFIX_LENGTH));
  }

  /** Tells whether the prefix is the one id that the glob picks. */
  static boolean isWhole(String prefix, StateIdGlob glob) {
    return glob.isLiteral() && prefix.equals(glob.text());
  }

  /** Half of a surrogate pair has no UTF-8: the driver would send a question mark in its place. */
  static boolean isStorable(String text) {
    return StandardCharsets.UTF_8.newEncoder().canEncode(text);
  }
}
