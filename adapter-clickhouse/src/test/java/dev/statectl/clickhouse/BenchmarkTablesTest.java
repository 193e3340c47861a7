package dev.statectl.clickhouse;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/**
 * The benchmarks of locks and history once, with small counts: that each gives its table, and that
 * no number is missing. Never how long anything took.
 */
final class BenchmarkTablesTest {
  @Test
  void locksGiveTheirTables() {
    List<String> lines =
        linesOf(out -> new LockBenchmark(new LockBenchmark.Scale(4, 2, 1, 4, 8), out).run());

    assertThat(lines)
        .filteredOn(
            line -> line.matches("\\| .* \\| \\d+( \\| [\\d.]+){3}( \\| \\d+ → \\d+){2} \\|"))
        .extracting(line -> line.split(" \\| ")[0])
        .containsExactly(
            "| none",
            "| none, by Keeper",
            "| INSERT + SELECT + INSERT",
            "| INSERT + SELECT + INSERT, HTTP",
            "| plugin",
            "| plugin, by Keeper",
            "| INSERT + SELECT + DELETE",
            "| settle mode",
            "| none, 100th cycle",
            "| none, 2,000th cycle");
    assertThat(lines)
        .filteredOn(line -> line.matches("\\| [a-z].* \\| [A-Za-z].* \\| [\\d.]+ \\| .* \\|"))
        .hasSize(9);
  }

  @Test
  void historyGivesItsTable() {
    List<String> lines =
        linesOf(out -> new HistoryBenchmark(new HistoryBenchmark.Scale(2, 1, 10, 100), out).run());

    assertThat(lines)
        .filteredOn(
            line ->
                line.matches(
                    "\\| .*( \\| .*( \\| [\\d.]+){2}){1,2} \\| [\\d.]+ \\| at most .* \\|"))
        .hasSize(6)
        .last()
        .asString()
        .startsWith("| `diff ID A`, 10 records |");
  }

  private static List<String> linesOf(Consumer<PrintStream> benchmark) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    benchmark.accept(new PrintStream(bytes, true, StandardCharsets.UTF_8));
    return bytes.toString(StandardCharsets.UTF_8).lines().toList();
  }
}
