package dev.statectl.clickhouse;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class IdentifierTest {
  @ParameterizedTest
  @CsvSource(
      quoteCharacter = '\1',
      delimiter = ' ',
      value = {
        "state \"state\"",
        "a\"b \"a\"\"b\"",
        "a\\b \"a\\\\b\"",
        "a:b \"a:b\"",
        "a?b \"a?b\"",
        "<a> \"<a>\"",
        "a.b \"a.b\""
      })
  void quotesForStatements(String name, String quoted) {
    assertThat(new Identifier(name).quoted()).isEqualTo(quoted);
  }

  @Test
  void quotesForPeopleOnlyWhatIsNotPlain() {
    assertThat(new Identifier("my_state1").readable()).isEqualTo("my_state1");
    assertThat(new Identifier("1st").readable()).isEqualTo("\"1st\"");
    assertThat(new Identifier("my-state").readable()).isEqualTo("\"my-state\"");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"state", "my-state", "a:b?c", "a\"b", "a\\", "{fn x}", "日本", "😀", "a b", "';--"})
  void takesEveryNameThatBothProgramsCanUse(String name) {
    assertThat(Identifier.fault(name)).isEmpty();
  }

  @Test
  void refusesABacktickAndSaysWhy() {
    assertThat(Identifier.fault("a`b"))
        .contains(
            "must not hold a backtick: the Meltano plugin, which uses the same tables, puts names"
                + " between backticks as they are");
  }

  @Test
  void refusesBlankControlAndBrokenNames() {
    assertThat(Identifier.fault(" ")).contains("must not be blank");
    assertThat(Identifier.fault("a\nb")).contains("must not hold a control character");
    assertThat(Identifier.fault("a\ud83d")).contains("must not hold half of a surrogate pair");
  }
}
