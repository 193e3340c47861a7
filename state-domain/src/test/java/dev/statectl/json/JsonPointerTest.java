package dev.statectl.json;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class JsonPointerTest {
  @Test
  void itHasTheNamesBetweenItsSlashes() {
    assertThat(JsonPointer.parse("/singer_state/bookmarks/0").names())
        .containsExactly("singer_state", "bookmarks", "0");
  }

  @Test
  void namesMayHoldSlashesTildesAndNothing() {
    assertThat(JsonPointer.parse("/a~1b//~01/").names()).containsExactly("a/b", "", "~1", "");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "/", "/a", "/a~1b/~0", "//", "/~01"})
  void itsTextIsWhatWasRead(String text) {
    assertThat(JsonPointer.parse(text)).hasToString(text);
  }

  @Test
  void oneWithoutASlashInFrontIsRefused() {
    assertThatThrownBy(() -> JsonPointer.parse("bookmarks/issues"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("a JSON Pointer begins with '/', such as /singer_state/bookmarks/issues");
  }

  @ParameterizedTest
  @ValueSource(strings = {"/ab~", "/ab~2", "/ab~/c"})
  void aTildeAloneIsRefused(String text) {
    assertThatThrownBy(() -> JsonPointer.parse(text))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("character 4 of the JSON Pointer: write a tilde as ~0, a slash as ~1");
  }

  @Test
  void aChildStandsBehindItsParent() {
    assertThat(JsonPointer.of("a").child("b/c")).hasToString("/a/b~1c");
  }
}
