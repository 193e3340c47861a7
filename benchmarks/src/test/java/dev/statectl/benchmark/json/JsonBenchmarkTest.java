package dev.statectl.benchmark.json;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;

/** The benchmark of JSON once, as short as can be: that it runs and nothing of it is missing. */
class JsonBenchmarkTest {
  private static final ObjectMapper MAPPER = new ObjectMapper();

  @Test
  void eachOperationIsMeasuredInBothWays(@TempDir Path docs) throws Exception {
    String table =
        JsonBenchmarkRun.run(
            docs,
            new OptionsBuilder()
                .forks(0)
                .param("document", "1 KB", "12,000 keys")
                .warmupIterations(0)
                .measurementIterations(1)
                .measurementTime(TimeValue.milliseconds(20)));

    assertThat(table.lines())
        .hasSize(6)
        .anyMatch(line -> line.startsWith("| read | 1 KB | "))
        .anyMatch(line -> line.startsWith("| read two, merge, write | 12,000 keys | "))
        .noneMatch(line -> line.contains("NaN") || line.contains("Infinity"));
    JsonNode results = MAPPER.readTree(docs.resolve("performance/json.json").toFile());
    assertThat(results).hasSize(8);
    for (JsonNode result : results) {
      assertThat(result.at("/primaryMetric/score").asDouble()).isPositive();
      assertThat(result.at("/secondaryMetrics/gc.alloc.rate.norm/score").asDouble()).isPositive();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"1 KB", "100 KB", "12,000 keys"})
  void bothWaysGiveTheSameState(String document) throws JsonProcessingException {
    StateDocuments.Pair pair = StateDocuments.named(document);

    String ours = JsonWork.STATECTL.merge(pair.stored(), pair.written());

    assertThat(MAPPER.readTree(ours))
        .isEqualTo(MAPPER.readTree(JsonWork.JACKSON.merge(pair.stored(), pair.written())))
        .isNotEqualTo(MAPPER.readTree(pair.stored()));
  }

  @ParameterizedTest
  @ValueSource(strings = {"1 KB", "100 KB", "1 MB"})
  void aDocumentHasItsSize(String document) {
    long bytes =
        Long.parseLong(document.split(" ")[0]) * (document.endsWith("MB") ? 1_000_000 : 1_000);

    assertThat(StateDocuments.named(document).stored().length())
        .isBetween((int) (0.6 * bytes), (int) (1.05 * bytes));
  }
}
