package dev.statectl.state;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class StateIdGlobTest {

  @ParameterizedTest
  @CsvSource(
      delimiter = ' ',
      value = {
        "* dev:a",
        "dev:* dev:",
        "dev:* dev:tap/x:y",
        "*:a *:a",
        "*a*b*c* xxaxbxc",
        "? 🚀",
        "a?c abc",
        "[abc] b",
        "[a-c]x bx",
        "[!a-c] d",
        "[!a] 🚀",
        "[]a] ]",
        "[]a] a",
        "[!]a] b",
        "[-a] -",
        "[a-] -",
        "[a-c-e] -",
        "[*] *",
        "[?] ?",
        "[[] [",
        "[!!] a",
        "[a^] ^",
        "[^a] ^",
        "[ж-я] и",
        "[😀-🙏] 🙏",
        "a[b a[b",
        "[ [",
        "[] []",
        "[!] [!]",
        "a\\*b a\\xb",
        "100%_x 100%_x",
        "a.b a.b",
        "(a|b)+$ (a|b)+$",
      })
  void matches(String glob, String id) {
    assertThat(StateIdGlob.of(glob).matches(StateId.of(id))).isTrue();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ' ',
      value = {
        "dev:* prod:a",
        "DEV:* dev:a",
        "dev dev:",
        "a?c ac",
        "? ab",
        "[abc] d",
        "[abc] ab",
        "[!a] a",
        "[!a-c] b",
        "[!]a] ]",
        "[z-a] b",
        "[z-a] z",
        "[*] a",
        "a\\*b a*b",
        "a.b axb",
        "a%b axb",
        "a_b axb",
        "*a*b xbxa",
        "[^a] b",
      })
  void doesNotMatch(String glob, String id) {
    assertThat(StateIdGlob.of(glob).matches(StateId.of(id))).isFalse();
  }

  @Test
  void lineEndsAreCharactersLikeOthers() {
    assertThat(StateIdGlob.of("a*b?c").matches(StateId.of("a\n\r\nb\nc"))).isTrue();
    assertThat(StateIdGlob.of("a").matches(StateId.of("a\n"))).isFalse();
  }

  @Test
  void anEmptyGlobPicksOnlyTheEmptyId() {
    assertThat(StateIdGlob.of("").matches(StateId.ofStored(""))).isTrue();
    assertThat(StateIdGlob.of("").matches(StateId.of("a"))).isFalse();
    assertThat(StateIdGlob.ALL.matches(StateId.ofStored(""))).isTrue();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "dev:tap  | dev:tap | true",
        "dev:*    | dev:    | false",
        "a?b      | a       | false",
        "a[bc]    | a       | false",
        "a[b      | a[b     | true",
        "a]%_\\   | a]%_\\  | true",
        "🚀x*     | 🚀x     | false",
        "'*'      | ''      | false",
      })
  void theLiteralPrefixEndsAtTheFirstWildcard(String glob, String prefix, boolean literal) {
    assertThat(StateIdGlob.of(glob).literalPrefix()).isEqualTo(prefix);
    assertThat(StateIdGlob.of(glob).isLiteral()).isEqualTo(literal);
  }

  @Test
  void randomGlobsMatchAsTheRegularExpressionsDoThatPythonMakesOfThem() {
    String[] parts = {"a", "b", "c", "*", "?", "[", "]", "!", "-", "^", "\\", ".", "🚀", "\n", "é"};
    int matched = 0;
    for (int seed = 0; seed < 200_000; seed++) {
      Random random = new Random(seed);
      String glob = randomText(random, parts, 8);
      String id = randomText(random, parts, 6);

      boolean expected = asRegularExpression(glob).matcher(id).matches();

      assertThat(StateIdGlob.of(glob).matches(StateId.ofStored(id)))
          .as("seed %d: '%s' on '%s'", seed, glob, id)
          .isEqualTo(expected);
      if (expected) {
        matched++;
        assertThat(id).as("seed %d", seed).startsWith(StateIdGlob.of(glob).literalPrefix());
      }
    }
    assertThat(matched).isGreaterThan(2_000);
  }

  @Test
  void manyStarsDoNotMakeAMatchExponential() {
    String glob = "*a".repeat(200) + "*b";

    assertThat(StateIdGlob.of(glob).matches(StateId.of("a".repeat(1024)))).isFalse();
    assertThat(StateIdGlob.of("[".repeat(100_000)).matches(StateId.of("["))).isFalse();
  }

  private static String randomText(Random random, String[] parts, int most) {
    StringBuilder text = new StringBuilder();
    for (int n = random.nextInt(most + 1); n > 0; n--) {
      text.append(parts[random.nextInt(parts.length)]);
    }
    return text.toString();
  }

  // fnmatch.translate of Python's standard library, told anew over java.util.regex.
  private static Pattern asRegularExpression(String glob) {
    StringBuilder regex = new StringBuilder();
    int i = 0;
    while (i < glob.length()) {
      int c = glob.codePointAt(i);
      int after = i + Character.charCount(c);
      int close = -1;
      if (c == '[') {
        int j = glob.startsWith("!", after) ? after + 1 : after;
        close = glob.indexOf(']', glob.startsWith("]", j) ? j + 1 : j);
      }
      if (c == '*') {
        regex.append(".*");
      } else if (c == '?') {
        regex.append('.');
      } else if (close >= 0) {
        regex.append(asCharacterClass(glob.substring(after, close)));
        after = close + 1;
      } else {
        regex.append(Pattern.quote(Character.toString(c)));
      }
      i = after;
    }
    return Pattern.compile(regex.toString(), Pattern.DOTALL);
  }

  private static String asCharacterClass(String content) {
    boolean negated = content.startsWith("!");
    int[] c = content.substring(negated ? 1 : 0).codePoints().toArray();
    StringBuilder alternatives = new StringBuilder();
    int i = 0;
    while (i < c.length) {
      boolean range = i + 2 < c.length && c[i + 1] == '-';
      int last = range ? c[i + 2] : c[i];
      if (c[i] <= last) {
        alternatives.append("|[").append("\\x{%x}-\\x{%x}".formatted(c[i], last)).append(']');
      }
      i += range ? 3 : 1;
    }
    String any = alternatives.length() == 0 ? "(?!)" : alternatives.substring(1);
    return negated ? "(?!" + any + ")." : "(?:" + any + ")";
  }
}
