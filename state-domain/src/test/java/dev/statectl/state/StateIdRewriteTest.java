package dev.statectl.state;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class StateIdRewriteTest {

  @ParameterizedTest
  @CsvSource({
    "staging:*, prod:*, staging:a-to-b, prod:a-to-b",
    "staging:*, prod:*, staging:, prod:",
    "*:old, *:new, a:b:old, a:b:new",
    "*, copy-of-*, x, copy-of-x",
    "a*b, *, a🚀\\%_b, 🚀\\%_",
    "dev:*-to-b, dev:*-to-c:daily, dev:a-to-b, dev:a-to-c:daily",
  })
  void whatTheStarStandsForIsTakenOver(String from, String to, String id, String renamed) {
    StateIdRewrite rewrite = StateIdRewrite.of(from, to);

    assertThat(rewrite.apply(StateId.of(id)).text()).isEqualTo(renamed);
    assertThat(rewrite.sources()).isEqualTo(StateIdGlob.of(from));
    assertThat(rewrite.destinations().matches(StateId.ofStored(renamed))).isTrue();
  }

  @Test
  void theTwoEndsOfThePatternDoNotOverlapInAnId() {
    StateIdRewrite rewrite = StateIdRewrite.of("ab*ba", "*");

    assertThatThrownBy(() -> rewrite.apply(StateId.of("aba")))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("'aba' does not match ab*ba");
  }

  @ParameterizedTest
  @CsvSource({
    "staging:a, prod:*, 'the pattern must hold exactly one *, it holds 0'",
    "*:a:*, prod:*, 'the pattern must hold exactly one *, it holds 2'",
    "staging:*, prod:a, 'the pattern of the new ids must hold exactly one *, it holds 0'",
    "staging:*, '', 'the pattern of the new ids must hold exactly one *, it holds 0'",
    "a?*, b*, 'the pattern may hold no ? and no [: * is the only wildcard that a new id can take over'",
    "a*, [b]*, 'the pattern of the new ids may hold no ? and no [: * is the only wildcard that a new"
        + " id can take over'",
    "a*, a*, both patterns are the same: every id would keep its name",
  })
  void otherPatternsAreRefused(String from, String to, String message) {
    assertThatThrownBy(() -> StateIdRewrite.of(from, to))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(message);
  }

  @Test
  void noTwoIdsGetTheSameName() {
    long seed = 20261129;
    System.out.println("seed " + seed);
    Random random = new Random(seed);
    for (int round = 0; round < 200; round++) {
      StateIdRewrite rewrite =
          StateIdRewrite.of(
              text(random, 2) + "*" + text(random, 2),
              "x" + text(random, 2) + "*" + text(random, 2));
      Map<StateId, StateId> sourceOf = new HashMap<>();
      for (int i = 0; i < 200; i++) {
        StateId id = StateId.ofStored(text(random, 6));
        if (rewrite.sources().matches(id)) {
          StateId before = sourceOf.put(rewrite.apply(id), id);
          assertThat(before == null || before.equals(id)).isTrue();
        }
      }
    }
  }

  private static String text(Random random, int most) {
    StringBuilder text = new StringBuilder();
    for (int i = random.nextInt(most + 1); i > 0; i--) {
      text.append((char) ('a' + random.nextInt(2)));
    }
    return text.toString();
  }
}
