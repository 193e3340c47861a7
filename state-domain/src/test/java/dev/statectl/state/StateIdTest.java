package dev.statectl.state;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class StateIdTest {

  @ParameterizedTest
  @ValueSource(strings = {"", " ", "\t\n", "\u2003"})
  void aBlankIdMayNotBeWritten(String text) {
    assertThatThrownBy(() -> StateId.of(text))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("a state id must not be blank");
    assertThat(StateId.ofStored(text).text()).isEqualTo(text);
    assertThat(StateId.ofStored(text).fault()).hasValue("a state id must not be blank");
  }

  @Test
  void anIdHasAtMost1024Characters() {
    assertThat(StateId.of("x".repeat(1024)).text()).hasSize(1024);
    assertThat(StateId.of("🚀".repeat(1024)).fault()).isEmpty();
    assertThatThrownBy(() -> StateId.of("🚀".repeat(1025)))
        .hasMessage("a state id has at most 1024 characters, this one has 1025");
  }

  @Test
  void halfASurrogatePairMayNotBeWritten() {
    assertThatThrownBy(() -> StateId.of("a\ud83d"))
        .hasMessage("a state id must not hold half of a surrogate pair");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"dev:tap-a-to-b", " x ", "a'b\"c\\d`e", "a\u0000b", "%_*?[a]", "🚀", "{x:String}"})
  void anyOtherTextIsAnIdAndIsKept(String text) {
    assertThat(StateId.of(text).text()).isEqualTo(text);
    assertThat(StateId.of(text)).hasToString(text).isEqualTo(StateId.ofStored(text));
  }

  @Test
  void idsAreOrderedAsTheirUtf8BytesAre() {
    Random random = new Random(7);
    int[] alphabet = {'a', 'b', 0x7F, 0x80, 0x7FF, 0x800, 0xD7FF, 0xE000, 0xFF5E, 0xFFFF, 0x1F680};
    List<StateId> ids = new ArrayList<>();
    for (int i = 0; i < 2000; i++) {
      StringBuilder text = new StringBuilder();
      for (int n = random.nextInt(5); n >= 0; n--) {
        text.appendCodePoint(alphabet[random.nextInt(alphabet.length)]);
      }
      ids.add(StateId.of(text.toString()));
    }
    List<StateId> byBytes = new ArrayList<>(ids);
    byBytes.sort(
        (a, b) ->
            Arrays.compareUnsigned(
                a.text().getBytes(StandardCharsets.UTF_8),
                b.text().getBytes(StandardCharsets.UTF_8)));

    assertThat(ids.stream().sorted()).containsExactlyElementsOf(byBytes);
  }
}
