package dev.statectl.cli.settings;

import static org.assertj.core.api.Assertions.assertThat;

import dev.statectl.cli.settings.Expansion.Missing;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ReferenceSyntaxTest {
  private static final Map<String, Expansion> VARIABLES =
      Map.of(
          "A", Expansion.of("1"),
          "A_B", Expansion.of("2"),
          "lower", Expansion.of("3"),
          "ПАРОЛЬ", Expansion.of("4"),
          "EMPTY", Expansion.of(""),
          "NESTED", Expansion.of("$A\\1"));

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      textBlock =
          """
          $A          | 1
          ${A}        | 1
          x$A.y       | x1.y
          $A_B        | 2
          ${A}_B      | 1_B
          $$A         | $1
          $A$A        | 11
          \\$A        | $A
          \\${A}      | ${A}
          $lower      | $lower
          ${lower}    | 3
          ${ПАРОЛЬ}   | 4
          x${EMPTY}y  | xy
          $NESTED     | $A\\1
          100$        | 100$
          $5          | $5
          ${}         | ${}
          ${A:-x}     | ${A:-x}
          plain       | plain
          """)
  void meltanoFillsIn(String text, String expected) {
    String unescaped = text.replace("\\\\", "\\");

    assertThat(ReferenceSyntax.MELTANO.expand(unescaped, "here", VARIABLES).text())
        .isEqualTo(expected.replace("\\\\", "\\"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          ${A}x       | 1x
          $A          | $A
          ${A:-x}     | 1
          ${NONE:-x}  | x
          a${NONE:-}b | ab
          ${EMPTY:-x}y | y
          """)
  void dotenvFillsIn(String text, String expected) {
    assertThat(ReferenceSyntax.DOTENV.expand(text, "here", VARIABLES).text()).isEqualTo(expected);
  }

  @Test
  void namesEachVariableThatIsNotSet() {
    Expansion value = ReferenceSyntax.MELTANO.expand("$NO:${A}@${none}", "here", VARIABLES);

    assertThat(value.missing())
        .containsExactly(new Missing("NO", "here"), new Missing("none", "here"));
  }

  @Test
  void aVariableThatNeedsAMissingOneNamesThatOneAndItsPlace() {
    Expansion inner = ReferenceSyntax.MELTANO.expand("$NO", "there", VARIABLES);

    assertThat(ReferenceSyntax.MELTANO.expand("${B}", "here", Map.of("B", inner)).missing())
        .isEqualTo(List.of(new Missing("NO", "there")));
  }
}
