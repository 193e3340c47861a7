package dev.statectl.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.statectl.cli.RunStatectl.Outcome;
import dev.statectl.clickhouse.engine.TestClickHouse;
import java.io.IOException;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Documents of sizes that nobody should send, in processes of little memory. */
class HostileSizesTest {
  private static final String HEAP = "-Xmx64m";
  private static final int LARGE = 60_000_000;

  @TempDir private Path directory;
  private final TestClickHouse clickHouse = TestClickHouse.shared();
  private final String schema = clickHouse.freshSchema();

  @Test
  void aHundredThousandLevelsAreRefusedWithTheirPlace() throws Exception {
    write("deep.json", "{\"singer_state\":", "{\"a\":".repeat(100_000), "");

    assertThat(run("memory:store.json", "set", "dev:a", "--input-file", "deep.json"))
        .isEqualTo(
            new Outcome(
                1,
                "",
                "statectl: deep.json: line 1, column 5012: nested deeper than 1000 levels;"
                    + " nothing was changed\n"));
  }

  @Test
  void aDocumentOfSixtyMegabytesNeverBringsTheProcessDown() throws Exception {
    try (Writer file = Files.newBufferedWriter(directory.resolve("large.json"))) {
      file.write("{\"singer_state\":{\"bookmarks\":{\"s\":\"");
      String part = "x".repeat(1_000_000);
      for (int i = 0; i < LARGE / part.length(); i++) {
        file.write(part);
      }
      file.write("\"}}}");
    }

    assertThat(run("memory:store.json", "set", "dev:a", "--input-file", "large.json"))
        .isEqualTo(
            new Outcome(
                1,
                "",
                "statectl: out of memory; what was changed by then stays; give Java more, for example"
                    + " STATECTL_JAVA_OPTS=-Xmx2g\n"));
    assertThat(directory.resolve("store.json")).doesNotExist();
  }

  @Test
  void longNumbersKeepEveryDigit() throws Exception {
    String number = "9".repeat(10_000) + "." + "1".repeat(10_000) + "e-10000";
    String document = "{\"singer_state\":{\"bookmarks\":{\"s\":{\"k\":" + number + "}}}}";
    Files.writeString(directory.resolve("number.json"), document);
    String uri = clickHouse.endpoint().uri();

    assertThat(run(uri, "set", "dev:a", "--input-file", "number.json").code()).isZero();
    assertThat(run(uri, "get", "dev:a")).isEqualTo(new Outcome(0, document + "\n", ""));
    assertThat(run(uri, "merge", "dev:a", "--yes", "--input-file", "number.json").code()).isZero();
    assertThat(run(uri, "streams", "dev:a").code()).isZero();
  }

  @Test
  void rowsThatOthersPlantedAreListedAndReported() throws Exception {
    String uri = clickHouse.endpoint().uri();
    assertThat(run(uri, "set", "dev:good", "{\"singer_state\":{}}").code()).isZero();
    String insert = "INSERT INTO " + schema + ".state (state_id, completed_state, partial_state) ";
    clickHouse.execute(
        insert + "SELECT 'deep', repeat('{\"a\":', 100000), NULL",
        insert + "SELECT 'bytes', unhex('7B22FF223A317D'), unhex('FFFE')",
        insert + "SELECT 'bom', concat(unhex('EFBBBF'), '{}'), NULL",
        insert + "SELECT 'half', '{\"a\":\"\\\\ud800\"}', '{\"a\":'",
        insert + "SELECT 'twice', '{\"a\":1,\"a\":2}', '{\"a\":3,\"a\":{\"b\":4}}'",
        insert + "SELECT 'number', concat('{\"a\":', repeat('9', 10000), '}'), ''",
        insert
            + "SELECT 'large', concat('{\"a\":\"', repeat(repeat('x', 1000000), "
            + LARGE / 1_000_000
            + "), '\"}'), NULL");

    List<String> ids =
        List.of("bom", "bytes", "deep", "dev:good", "half", "large", "number", "twice");
    assertThat(run(uri, "list").out().lines()).containsExactlyElementsOf(ids);
    for (String id : ids) {
      for (String[] command :
          new String[][] {
            {"get", id}, {"streams", id}, {"check", "--pattern", id, "--max-age=1h"}
          }) {
        Outcome outcome = run(uri, command);
        assertThat(outcome.code()).as(id + outcome.err()).isIn(0, 1);
        assertThat(outcome.err())
            .as(id)
            .doesNotContain("unexpected failure", "Exception", "\tat ", "xxxx");
      }
    }
    assertThat(run(uri, "get", "dev:good").out()).isEqualTo("{\"singer_state\":{}}\n");
    assertThat(run(uri, "get", "twice").out()).isNotEmpty();
    assertThat(run(uri, "clear", "deep", "--yes").code()).isZero();
    assertThat(clickHouse.query("SELECT count() FROM " + schema + ".state FINAL")).isEqualTo("7");
  }

  private void write(String name, String... parts) throws IOException {
    try (Writer file = Files.newBufferedWriter(directory.resolve(name))) {
      for (String part : parts) {
        file.write(part);
      }
    }
  }

  private Outcome run(String uri, String... arguments) throws Exception {
    try (StatectlProcess process =
        StatectlProcess.start(
            List.of(HEAP),
            Main.class,
            directory,
            Map.of(
                "MELTANO_STATE_BACKEND_URI",
                uri,
                "MELTANO_STATE_BACKEND_CLICKHOUSE_SCHEMA",
                uri.startsWith("clickhouse") ? schema : ""),
            arguments)) {
      return process.end();
    }
  }
}
