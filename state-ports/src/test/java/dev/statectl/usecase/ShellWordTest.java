package dev.statectl.usecase;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ShellWordTest {
  @ParameterizedTest
  @CsvSource(
      quoteCharacter = '^',
      textBlock =
          """
          dev:tap-a-to-b, dev:tap-a-to-b
          a b,            'a b'
          it's,           'it'\\''s'
          $(reboot),      '$(reboot)'
          -a,             -- -a
          -a b,           -- '-a b'
          """)
  void isOneWordOfAShellWhateverItHolds(String word, String typed) {
    assertThat(ShellWord.of(word)).isEqualTo(typed);
  }

  @ParameterizedTest
  @CsvSource(
      quoteCharacter = '^',
      textBlock =
          """
          10,   $'dev:it\\'s\\\\\\x0a'
          27,   $'dev:it\\'s\\\\\\x1b'
          133,  $'dev:it\\'s\\\\\\u0085'
          8238, $'dev:it\\'s\\\\\\u202e'
          """)
  void holdsNothingThatIsNoTextOnALine(int character, String typed) {
    assertThat(ShellWord.of("dev:it's\\" + Character.toString(character))).isEqualTo(typed);
  }
}
