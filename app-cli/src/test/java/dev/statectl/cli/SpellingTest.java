package dev.statectl.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SpellingTest {
  private static final List<String> NAMES =
      List.of("list", "get", "set", "edit", "clear", "lock", "--pattern", "--uri", "--dry-run");

  @ParameterizedTest
  @CsvSource({
    "lsit, list",
    "lits, list",
    "lis, list",
    "lists, list",
    "sett, set",
    "claer, clear",
    "lok, lock",
    "lo, lock",
    "--patern, --pattern",
    "-p, --pattern",
    "--urii, --uri",
    "--dryrun, --dry-run",
    "--dry, --dry-run"
  })
  void aSlipIsSeen(String typed, String meant) {
    assertThat(Spelling.nearest(typed, NAMES)).contains(meant);
  }

  @ParameterizedTest
  @ValueSource(strings = {"import", "--nope", "xyz", "--output", "-o", "x"})
  void nothingIsMadeUp(String typed) {
    assertThat(Spelling.nearest(typed, NAMES)).isEmpty();
  }
}
