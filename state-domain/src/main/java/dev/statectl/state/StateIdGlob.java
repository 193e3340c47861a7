package dev.statectl.state;

import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A pattern that picks state ids; the product has no other matcher. It means what Python's {@code
 * fnmatch.fnmatchcase} means, which Meltano applies to {@code --pattern}.
 *
 * <table>
 *   <caption>What a pattern's parts match</caption>
 *   <tr><th>Part</th><th>Matches</th></tr>
 *   <tr><td>{@code *}</td><td>any run of characters, also none, also across {@code :}, {@code /}
 *       and line ends</td></tr>
 *   <tr><td>{@code ?}</td><td>one character (code point)</td></tr>
 *   <tr><td>{@code [abc]}</td><td>one of these</td></tr>
 *   <tr><td>{@code [a-z]}</td><td>one from the range, by code point; a range that runs backwards
 *       matches nothing</td></tr>
 *   <tr><td>{@code [!a-z]}</td><td>one character that is not in the class</td></tr>
 *   <tr><td>{@code []a]}, {@code [!]a]}</td><td>{@code ]} first in a class stands for
 *       itself</td></tr>
 *   <tr><td>{@code [-a]}, {@code [a-]}</td><td>{@code -} first or last in a class stands for
 *       itself</td></tr>
 *   <tr><td>{@code [} without a {@code ]} behind it</td><td>itself</td></tr>
 *   <tr><td>anything else, also {@code \ % _ ^ . : (}</td><td>itself, in the same case</td></tr>
 * </table>
 *
 * <p>There is no escape character: {@code [*]} is a literal star. The whole id must match. A match
 * takes time in proportion to pattern times id at the worst. Immutable and thread-safe.
 *
 * @see <a href="https://docs.python.org/3/library/fnmatch.html">fnmatch</a>
 */
public final class StateIdGlob {
  /** Picks every id. */
  public static final StateIdGlob ALL = new StateIdGlob("*");

  private final String text;
  private final int[] pattern;
  // For each '[' where its class closes; -1 for a '[' that stands for itself.
  private final int[] closing;

  private StateIdGlob(String text) {
    this.text = Objects.requireNonNull(text, "text");
    this.pattern = text.codePoints().toArray();
    this.closing = new int[pattern.length];
    // From the right, so that each search for a bracket is one look-up.
    int nextBracket = -1;
    int[] bracketAtOrAfter = new int[pattern.length + 3];
    Arrays.fill(bracketAtOrAfter, -1);
    for (int p = pattern.length - 1; p >= 0; p--) {
      nextBracket = pattern[p] == ']' ? p : nextBracket;
      bracketAtOrAfter[p] = nextBracket;
    }
    for (int p = 0; p < pattern.length; p++) {
      boolean negated = p + 1 < pattern.length && pattern[p + 1] == '!';
      closing[p] = bracketAtOrAfter[p + (negated ? 3 : 2)];
    }
  }

  /**
   * Reads a pattern. Every text is one.
   *
   * @param text the pattern, not null
   * @return the glob
   */
  public static StateIdGlob of(String text) {
    return new StateIdGlob(text);
  }

  /**
   * Tells whether the glob picks an id.
   *
   * @param id the id
   * @return true when the whole id matches
   */
  public boolean matches(StateId id) {
    if (pattern.length == 1 && pattern[0] == '*') {
      return true;
    }
    int[] subject = id.text().codePoints().toArray();
    int s = 0;
    int p = 0;
    int afterStar = -1;
    int retry = 0;
    while (s < subject.length) {
      if (p < pattern.length && pattern[p] == '*') {
        afterStar = ++p;
        retry = s;
      } else if (p < pattern.length && matchesOne(p, subject[s])) {
        p = endOfPart(p);
        s++;
      } else if (afterStar >= 0) {
        p = afterStar;
        s = ++retry;
      } else {
        return false;
      }
    }
    while (p < pattern.length && pattern[p] == '*') {
      p++;
    }
    return p == pattern.length;
  }

  /**
   * Gives the text that every picked id begins with, for a store that can narrow by it.
   *
   * @return the pattern up to its first wildcard or class; empty when it begins with one
   */
  public String literalPrefix() {
    int end = 0;
    while (end < pattern.length && isLiteral(end)) {
      end++;
    }
    return new String(pattern, 0, end);
  }

  /**
   * Tells whether the glob can pick one id only.
   *
   * @return true when the pattern has no wildcard and no class
   */
  public boolean isLiteral() {
    return literalPrefix().equals(text);
  }

  /**
   * Gives the pattern's text.
   *
   * @return the text, unchanged
   */
  public String text() {
    return text;
  }

  private boolean isLiteral(int p) {
    return switch (pattern[p]) {
      case '*', '?' -> false;
      case '[' -> closing[p] < 0;
      default -> true;
    };
  }

  private boolean matchesOne(int p, int c) {
    if (pattern[p] == '?') {
      return true;
    }
    if (pattern[p] == '[' && closing[p] >= 0) {
      return matchesClass(p + 1, closing[p], c);
    }
    return pattern[p] == c;
  }

  private boolean matchesClass(int start, int close, int c) {
    boolean negated = pattern[start] == '!';
    int i = negated ? start + 1 : start;
    boolean found = false;
    while (i < close) {
      if (i + 2 < close && pattern[i + 1] == '-') {
        found |= pattern[i] <= c && c <= pattern[i + 2];
        i += 3;
      } else {
        found |= pattern[i] == c;
        i++;
      }
    }
    return found != negated;
  }

  private int endOfPart(int p) {
    return pattern[p] == '[' && closing[p] >= 0 ? closing[p] + 1 : p + 1;
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof StateIdGlob glob && text.equals(glob.text);
  }

  @Override
  public int hashCode() {
    return text.hashCode();
  }

  /** Gives the pattern's text. */
  @Override
  public String toString() {
    return text;
  }
}
