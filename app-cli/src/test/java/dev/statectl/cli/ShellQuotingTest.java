package dev.statectl.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ShellQuotingTest {
  @ParameterizedTest
  @CsvSource(
      quoteCharacter = '"',
      value = {
        "dev:tap-a-to-b, dev:tap-a-to-b",
        "@run:dev:a, @run:dev:a",
        "a b, 'a b'",
        "$HOME, '$HOME'",
        "it's, 'it'\\''s'",
        "a*, 'a*'",
        "ж, 'ж'",
      })
  void aWordIsQuotedIfNeedBe(String word, String quoted) {
    assertThat(ShellQuoting.quoted(word)).isEqualTo(quoted);
  }

  @ParameterizedTest
  @ValueSource(strings = {"a b", "it's", "$HOME `x` \\ \"q\"", "-x", "ж🚀", "a*?[b]", "!x", "~"})
  void aShellReadsTheWord(String word) throws Exception {
    Process shell =
        new ProcessBuilder("sh", "-c", "printf '%s' " + ShellQuoting.quoted(word)).start();

    assertThat(new String(shell.getInputStream().readAllBytes(), StandardCharsets.UTF_8))
        .isEqualTo(word);
  }

  @Test
  void controlCharactersAreEscapedOnOneLine() {
    assertThat(ShellQuoting.quoted("a\n'b'\\c\u001b")).isEqualTo("$'a\\n\\'b\\'\\\\c\\x1b'");
  }

  @Test
  void anOperandThatLooksLikeAnOptionIsNoOption() {
    assertThat(ShellQuoting.operand("-x y")).isEqualTo("-- '-x y'");
    assertThat(ShellQuoting.operand("dev:a")).isEqualTo("dev:a");
  }
}
