package dev.statectl.port;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FindingTest {
  @Test
  void onlyAMendThatIsSafeIsDoneWithoutAPerson() {
    Finding finding = Finding.warning("stale-lock", "dev:a", "old", "somebody died");

    assertThat(finding.isSafelyMendable()).isFalse();
    assertThat(finding.withMend(Mend.sql("DROP TABLE t")).isSafelyMendable()).isFalse();
    assertThat(finding.withMend(Mend.sql("OPTIMIZE TABLE t").asSafe()).isSafelyMendable()).isTrue();
  }

  @Test
  void levelsAreInTheOrderOfWhatIsWorse() {
    assertThat(Finding.Level.values())
        .containsExactly(
            Finding.Level.OK, Finding.Level.INFO, Finding.Level.WARNING, Finding.Level.ERROR)
        .isSorted();
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "Lock", "lock_key", "lock key", "-lock", "lock-"})
  void aCheckHasAFixedNameForPrograms(String check) {
    assertThatThrownBy(() -> Finding.ok(check, "t", "all is well"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("not the name of a check: " + check);
  }

  @Test
  void whatIsNotWellSaysWhyItMatters() {
    assertThatThrownBy(() -> Finding.error("table-key", "t", "another key", " "))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("table-key does not say why it matters");
  }

  @Test
  void aMendHasSteps() {
    assertThatThrownBy(() -> new Mend(Mend.Means.SQL, List.of(), true))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("a mend without steps");
  }

  @Test
  void whereThereIsNothingToSayNothingIsMended() {
    assertThat(Checkup.NONE.examine()).isEmpty();
    assertThatThrownBy(() -> Checkup.NONE.mend(Finding.info("parts", "t", "many", "slow")))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("no safe mend for parts");
  }
}
