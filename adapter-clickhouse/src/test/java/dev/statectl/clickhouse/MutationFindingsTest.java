package dev.statectl.clickhouse;

import static org.assertj.core.api.Assertions.assertThat;

import dev.statectl.port.Finding;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class MutationFindingsTest {
  private static final TableNames NAMES = TableNames.of("meltano", "it's");

  @Test
  void noneIsOk() {
    assertThat(MutationFindings.of(NAMES, List.of()))
        .containsExactly(Finding.ok("mutations", "meltano", "none is pending"));
  }

  @ParameterizedTest
  @CsvSource({"1, 0, OK", "19, 60, OK", "20, 0, WARNING", "1, 61, WARNING"})
  void manyOrOldOnesAreADanger(long pending, long seconds, Finding.Level level) {
    Finding finding = of(pending, 0, "", seconds);

    assertThat(finding.level()).isEqualTo(level);
    assertThat(finding.subject()).isEqualTo("meltano.\"it's\"");
    assertThat(finding.isSafelyMendable()).isFalse();
  }

  @Test
  void oneThatFailsIsAnErrorAndCanBeKilledByAPerson() {
    Finding finding = of(3, 1, "mutation_7.txt", 4);

    assertThat(finding.level()).isEqualTo(Finding.Level.ERROR);
    assertThat(finding.what())
        .isEqualTo("3 are pending, the oldest for 4 seconds; 1 of them failed");
    assertThat(finding.mend().orElseThrow().steps())
        .containsExactly(
            "KILL MUTATION WHERE database = 'meltano' AND table = 'it\\'s' AND mutation_id ="
                + " 'mutation_7.txt'");
    assertThat(finding.isSafelyMendable()).isFalse();
  }

  private static Finding of(long pending, long failing, String failed, long seconds) {
    return MutationFindings.of(
            NAMES,
            List.of(
                new MutationFindings.Pending(
                    "it's", pending, failing, failed, Duration.ofSeconds(seconds))))
        .get(0);
  }
}
