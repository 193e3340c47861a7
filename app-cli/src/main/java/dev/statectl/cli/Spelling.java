package dev.statectl.cli;

import java.util.Collection;
import java.util.Comparator;
import java.util.Optional;

/**
 * What somebody may have meant who typed a name that there is not. The parser ranks by letters in
 * common, which takes {@code lsit} for {@code edit}.
 */
final class Spelling {
  private Spelling() {}

  /**
   * Finds the name that is nearest: one that begins so, or one that a few slips of the keyboard
   * turn into what was typed.
   *
   * @param typed what was typed
   * @param names the names that there are
   */
  static Optional<String> nearest(String typed, Collection<String> names) {
    String word = bare(typed);
    // Another letter is no slip of a single one.
    int slips = word.length() == 1 ? 0 : Math.max(1, (word.length() + 1) / 3);
    return names.stream()
        .filter(name -> bare(name).startsWith(word) || distance(word, bare(name)) <= slips)
        .min(
            Comparator.comparing((String name) -> !bare(name).startsWith(word))
                .thenComparing(name -> distance(word, bare(name)))
                .thenComparing(Comparator.naturalOrder()));
  }

  private static String bare(String name) {
    return name.replaceFirst("^-+", "");
  }

  /**
   * Counts slips: a letter too many, too few, another one, or two in the wrong order.
   *
   * @see <a href="https://en.wikipedia.org/wiki/Damerau%E2%80%93Levenshtein_distance">optimal
   *     string alignment distance</a>
   */
  private static int distance(String a, String b) {
    int[][] slips = new int[a.length() + 1][b.length() + 1];
    for (int i = 0; i <= a.length(); i++) {
      for (int j = 0; j <= b.length(); j++) {
        if (i == 0 || j == 0) {
          slips[i][j] = i + j;
          continue;
        }
        int other = a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1;
        slips[i][j] =
            Math.min(Math.min(slips[i - 1][j], slips[i][j - 1]) + 1, slips[i - 1][j - 1] + other);
        if (i > 1
            && j > 1
            && a.charAt(i - 1) == b.charAt(j - 2)
            && a.charAt(i - 2) == b.charAt(j - 1)) {
          slips[i][j] = Math.min(slips[i][j], slips[i - 2][j - 2] + 1);
        }
      }
    }
    return slips[a.length()][b.length()];
  }
}
