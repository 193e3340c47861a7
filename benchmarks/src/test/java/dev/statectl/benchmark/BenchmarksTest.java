package dev.statectl.benchmark;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Every benchmark once, with small counts: that each gives its rows, and that no number is missing.
 * Never how long anything took, which belongs to the machine.
 */
final class BenchmarksTest {
  @TempDir private static Path docs;
  private static Report report;
  private static JsonNode results;

  @BeforeAll
  static void run() throws Exception {
    report = Benchmarks.run(Scale.SMOKE, Benchmarks.GROUPS, System.out);
    report.write(docs);
    results = new ObjectMapper().readTree(docs.resolve("performance/results.json").toFile());
  }

  @Test
  void eachGroupGivesItsRows() {
    assertThat(operations("states"))
        .containsExactly(
            "get 1 KB",
            "save 1 KB",
            "save 1 KB under a lock",
            "get 100 KB",
            "save 100 KB",
            "save 100 KB under a lock",
            "get 5 MB",
            "save 5 MB",
            "save 5 MB under a lock");
    assertThat(operations("checkpoints"))
        .containsExactly(
            "6 saves, one lock, 1 KB",
            "6 saves, one lock, 1 KB, partial",
            "6 saves, one lock, 12,000 keys",
            "6 saves, one lock, 12,000 keys, partial",
            "6 saves, a lock each, lock_peers=none, 1 KB",
            "6 saves, a lock each, lock_peers=none, 12,000 keys",
            "6 saves, a lock each, lock_peers=plugin, 1 KB",
            "6 saves, a lock each, lock_peers=plugin, 12,000 keys",
            "6 saves, a lock each, settle mode, 1 KB",
            "6 saves in a session of 100 ms, 1 KB",
            "6 saves in a session of 100 ms, 1 KB, partial");
    assertThat(operations("lists"))
        .containsExactly(
            "list 10 ids",
            "list 10 ids: until the first",
            "walk 10 states of 1 KB",
            "walk 10 states of 1 KB: until the first",
            "list 20 ids",
            "list 20 ids: until the first",
            "walk 20 states of 1 KB",
            "walk 20 states of 1 KB: until the first",
            "list 200 ids",
            "list 200 ids: until the first",
            "walk 200 states of 1 KB",
            "walk 200 states of 1 KB: until the first",
            "list 200 ids, heap of 64 MB",
            "walk 200 states of 1 KB, heap of 64 MB",
            "list beside a state of 1 MB",
            "get of a small state beside one of 1 MB",
            "get of the small state next to it");
    assertThat(operations("transfers"))
        .containsExactly(
            "import 20 states of 1 KB, lock_peers=none",
            "set one state after the other, lock_peers=none",
            "import 20 states of 1 KB, lock_peers=plugin",
            "set one state after the other, lock_peers=plugin",
            "import 60 states of 1 KB, lock_peers=none",
            "export 20 states of 1 KB",
            "export 60 states of 1 KB",
            "import 60 states of 1 KB, heap of 64 MB",
            "export 60 states of 1 KB, heap of 64 MB");
    assertThat(operations("locks"))
        .hasSize(4 + 3 * 2 * 2)
        .startsWith(
            "lock and release, lock_peers=none",
            "lock and release, lock_peers=plugin",
            "lock and release, by Keeper, lock_peers=none",
            "lock and release, by Keeper, lock_peers=plugin")
        .contains(
            "2 contenders for one id, by Keeper, lock_peers=none",
            "1 contender for one id, lock_peers=none",
            "2 contenders for an id each, lock_peers=plugin");
    assertThat(operations("growth")).hasSize(4 * 3);
  }

  @Test
  void whatIsComparedWithPlainHttpHasAllNumbers() {
    assertThat(rows())
        .filteredOn(row -> row.has("raw"))
        .hasSizeGreaterThan(40)
        .allSatisfy(
            row -> {
              for (String kind : List.of("ours", "raw")) {
                for (String number : List.of("count", "min", "p50", "p90", "p99", "max", "total")) {
                  assertThat(row.path(kind).path(number).asDouble())
                      .as("%s of %s of %s", number, kind, row.get("operation"))
                      .isPositive();
                }
              }
              for (String number : List.of("ratio", "requests", "bytesSent", "bytesReceived")) {
                assertThat(row.path(number).asDouble())
                    .as("%s of %s", number, row.get("operation"))
                    .isPositive();
              }
            });
  }

  @Test
  void whatHasATargetIsJudged() {
    assertThat(rows())
        .filteredOn(row -> row.has("target"))
        .hasSizeGreaterThan(25)
        .allSatisfy(
            row -> {
              assertThat(row.path("ratio").isNumber()).isTrue();
              assertThat(row.path("met").isBoolean()).isTrue();
            });
  }

  @Test
  void theDriverTakesPartInSmallOperations() {
    assertThat(rows())
        .filteredOn(row -> row.has("driver"))
        .extracting(row -> row.get("operation").asText())
        .contains("get 1 KB", "list 200 ids", "lock and release, lock_peers=none");
  }

  @Test
  void eachOperationSendsItsRequests() {
    assertThat(row("get 1 KB").path("requests").asDouble()).isEqualTo(1);
    assertThat(row("save 1 KB").path("requests").asDouble()).isEqualTo(2);
    assertThat(row("save 1 KB").path("bytesSent").asDouble()).isBetween(1_000.0, 6_000.0);
    assertThat(row("get 1 KB").path("bytesReceived").asDouble()).isBetween(200.0, 3_000.0);
    assertThat(row("lock and release, lock_peers=none").path("requests").asDouble()).isEqualTo(4);
    assertThat(
            row("import 60 states of 1 KB, lock_peers=none").at("/facts/inserts of states").asInt())
        .isBetween(1, 2);
  }

  @Test
  void plotsHaveAllTheirPoints() throws IOException {
    assertThat(report.plots().keySet())
        .containsExactly("growth-by-size", "growth-by-ids", "growth-by-parts", "growth-by-history");
    for (String plot : report.plots().keySet()) {
      String svg = Files.readString(docs.resolve("plots/" + plot + ".svg"));
      // Three operations, each with and without statectl, at two places.
      assertThat(svg.split("<circle ", -1)).as(plot).hasSize(1 + 3 * 2 * 2);
      assertThat(svg.split("<path ", -1)).as(plot).hasSize(1 + 1 + 3 * 2);
      assertThat(svg)
          .startsWith("<svg xmlns=\"http://www.w3.org/2000/svg\"")
          .endsWith("</svg>\n")
          .contains(">median, ms</text>", ">save</text>", ">save, raw HTTP</text>")
          .doesNotContain("NaN", "Infinity");
      assertThat(results.at("/plots/" + plot)).hasSize(6);
    }
  }

  @Test
  void theTableSaysWhereItIsFrom() throws IOException {
    assertThat(Files.readString(docs.resolve("performance/table.md")))
        .startsWith("ClickHouse " + results.at("/environment/ClickHouse").asText())
        .contains("| operation |", "| **One state** |", "| get 1 KB |", " targets met.")
        .doesNotContain("NaN", "Infinity", "null");
    assertThat(results.path("environment").fieldNames())
        .toIterable()
        .contains("ClickHouse", "clickhouse-jdbc", "Java", "processors", "commit", "at", "seconds");
  }

  private static List<String> operations(String group) {
    List<String> operations = new ArrayList<>();
    for (JsonNode row : rows()) {
      if (row.get("group").asText().equals(group)) {
        operations.add(row.get("operation").asText());
      }
    }
    return operations;
  }

  private static List<JsonNode> rows() {
    return StreamSupport.stream(results.get("rows").spliterator(), false).toList();
  }

  private static JsonNode row(String operation) {
    return rows().stream()
        .filter(row -> row.get("operation").asText().equals(operation))
        .findFirst()
        .orElseThrow();
  }
}
