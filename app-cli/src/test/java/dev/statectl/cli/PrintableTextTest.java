package dev.statectl.cli;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class PrintableTextTest {

  @Test
  void whatMovesACursorOrEndsALineIsEscaped() {
    assertThat(PrintableText.escaped("a\nb\tc\rd\0e\u001b[2Jf\u007fg\u0085h\u009bi"))
        .isEqualTo("a\\nb\\tc\\rd\\x00e\\x1b[2Jf\\x7fg\\x85h\\x9bi");
    assertThat(PrintableText.escaped("a\u2028b\u2029c")).isEqualTo("a\\u2028b\\u2029c");
  }

  @Test
  void marksThatReorderTextAreEscaped() {
    assertThat(PrintableText.escaped("a\u202eb\u2066c\u200fd"))
        .isEqualTo("a\\u202eb\\u2066c\\u200fd");
  }

  @Test
  void halvesOfSurrogatePairsAreEscaped() {
    assertThat(PrintableText.escaped("a\ud83db\ude80c")).isEqualTo("a\\ud83db\\ude80c");
  }

  @Test
  void everythingElseStays() {
    for (String text :
        new String[] {"", "dev:tap-to-target", "a\\nb", "\"'%_[é ж 🚀 \ufeff\uffff"}) {
      assertThat(PrintableText.escaped(text)).isSameAs(text);
    }
    assertThat(PrintableText.escaped("🚀\n\\")).isEqualTo("🚀\\n\\");
  }
}
