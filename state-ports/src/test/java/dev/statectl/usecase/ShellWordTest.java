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
}
