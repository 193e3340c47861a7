package dev.statectl.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.statectl.cli.RunStatectl.Outcome;
import dev.statectl.clickhouse.engine.TestClickHouse;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Guard rails on the real engine, where others may change a state at any time. */
class ClickHouseGuardRailsTest {
  private static final String STORED =
      "{\"singer_state\": {\"bookmarks\": {\"a\": {\"k\": 5}, \"b\": {\"k\": 5}}}}";
  private static final String LATER = STORED.replace('5', '7');
  private static final String FORCE = "; give --force to do it all the same";

  private final TestClickHouse clickHouse = TestClickHouse.shared();
  private final String schema = clickHouse.freshSchema();
  private final String target =
      clickHouse.endpoint().host() + ":" + clickHouse.endpoint().port() + " " + schema + ".state";

  @TempDir private Path directory;

  @BeforeEach
  void storeAState() {
    assertThat(run("set", "dev:a", STORED).code()).isZero();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "{\"singer_state\": {}} | nothing is left of the state; 2 streams disappear: a, b",
        "{\"singer_state\": {\"bookmarks\": {\"b\": {\"k\": 5}}}} | 1 stream disappears: a",
        "{\"singer_state\": {\"bookmarks\": {\"a\": {\"k\": 4}, \"b\": {\"k\": 5}}}} | 1 bookmark goes backwards: a/k",
      })
  void aDoubtfulChangeIsRefusedAndForced(String document, String doubts) {
    assertThat(run("set", "-y", "dev:a", document))
        .isEqualTo(
            new Outcome(
                2, "", "statectl: the state of 'dev:a' was not changed: " + doubts + FORCE + "\n"));
    assertThat(stored("dev:a")).isEqualTo(STORED);

    Outcome forced = run("set", "--force", "dev:a", document);
    assertThat(forced.code()).isZero();
    assertThat(forced.err())
        .isEqualTo(
            "statectl: warning: 'dev:a': "
                + doubts.replace("; ", "\nstatectl: warning: 'dev:a': ")
                + "\nstatectl: set 'dev:a' in "
                + target
                + " ("
                + document.length()
                + " bytes)\n");
    assertThat(stored("dev:a")).isEqualTo(document);
  }

  @Test
  void aStateThatGrowsTenfoldIsRefusedAndForced() throws IOException {
    Files.writeString(directory.resolve("grown.json"), padded(10_100));

    assertThat(run("set", "-y", "dev:a", "--input-file=grown.json").err())
        .isEqualTo(
            "statectl: the state of 'dev:a' was not changed: the state grows from 63 to 10100 bytes"
                + FORCE
                + "\n");
    assertThat(run("set", "--force", "dev:a", "--input-file=grown.json").code()).isZero();
    assertThat(stored("dev:a")).hasSize(10_100);
  }

  @Test
  void whatTheSettingsDoNotAllowIsMadeOnlyByForce() {
    String longer = padded(101);
    String doubt = "the state has 101 bytes, and max_state_bytes is 100";
    RunStatectl run = limited().answering("y");

    assertThat(run.run("set", "dev:a", longer))
        .isEqualTo(
            new Outcome(
                2,
                "",
                "statectl: this would overwrite the state of 'dev:a' in "
                    + target
                    + " (63 bytes); "
                    + doubt
                    + FORCE
                    + "; nothing was changed\n"));
    assertThat(run.run("merge", "dev:a", "{\"singer_state\": {\"x\": \"01234567890\"}}").err())
        .contains("the state has 101 bytes, and max_state_bytes is 100" + FORCE);
    assertThat(run.questions()).isEmpty();
    assertThat(limited().run("set", "-y", "dev:new", longer))
        .isEqualTo(
            new Outcome(
                2,
                "",
                "statectl: the state of 'dev:new' was not changed: " + doubt + FORCE + "\n"));
    assertThat(run("list").out()).isEqualTo("dev:a\n");
    assertThat(stored("dev:a")).isEqualTo(STORED);

    assertThat(limited().run("set", "-y", "dev:a", padded(100)).code()).isZero();
    assertThat(limited().run("set", "--force", "dev:a", longer).err())
        .startsWith("statectl: warning: 'dev:a': " + doubt + "\n");
    assertThat(stored("dev:a")).isEqualTo(longer);
    assertThat(limited().run("unset", "-y", "dev:a", "/pad").code()).isZero();
  }

  @Test
  void theLimitHoldsForPutAndImportToo() throws IOException {
    String value = "\"" + "x".repeat(40) + "\"";
    Files.writeString(
        directory.resolve("e.json"),
        "{\"dev:b\": {\"completed\": " + padded(101) + "}, \"dev:c\": {}}");

    assertThat(limited().run("put", "-y", "dev:a", "/singer_state/x", value).err())
        .isEqualTo(
            "statectl: the state of 'dev:a' was not changed: the state has 112 bytes, and"
                + " max_state_bytes is 100"
                + FORCE
                + "\n");
    assertThat(limited().run("put", "--force", "dev:a", "/singer_state/x", value).code()).isZero();
    assertThat(limited().run("import", "e.json"))
        .isEqualTo(
            new Outcome(
                2,
                "",
                "statectl: this would import 2 states into "
                    + target
                    + " (2 new, 0 kept as they are in the store); the state has 101 bytes, and"
                    + " max_state_bytes is 100"
                    + FORCE
                    + "; nothing was changed\n"));
    assertThat(run("list").out()).isEqualTo("dev:a\n");
    assertThat(limited().run("import", "--force", "e.json").code()).isZero();
    assertThat(run("list").out()).isEqualTo("dev:a\ndev:b\ndev:c\n");
  }

  @Test
  void whatBecomesDoubtfulWhileAPersonThinksIsRefused() {
    String document = STORED.replace('5', '6');
    RunStatectl run = plain().meanwhile(() -> run("set", "-y", "dev:a", LATER)).answering("y");

    assertThat(run.run("set", "dev:a", document))
        .isEqualTo(
            new Outcome(
                2,
                "",
                "statectl: the state of 'dev:a' was not changed: 2 bookmarks go backwards: a/k, b/k"
                    + FORCE
                    + "\n"));
    assertThat(stored("dev:a")).isEqualTo(LATER);
  }

  @Test
  void aYesIsToTheDoubtsThatWereShown() {
    String document = STORED.replace("\"b\": {\"k\": 5}", "\"b\": {\"k\": 4}");
    RunStatectl run = plain().meanwhile(() -> run("set", "-y", "dev:a", LATER)).answering("y");

    Outcome outcome = run.run("merge", "dev:a", document);

    assertThat(outcome)
        .isEqualTo(
            new Outcome(
                2,
                "",
                "statectl: warning: 'dev:a': 1 bookmark goes backwards: b/k\n"
                    + "statectl: the state of 'dev:a' was not changed: 2 bookmarks go backwards:"
                    + " a/k, b/k"
                    + FORCE
                    + "\n"));
    assertThat(stored("dev:a")).isEqualTo(LATER);
  }

  @Test
  void whatBecomesDoubtfulBehindAnImportsPlanIsNamedAndTheRestIsImported() throws IOException {
    Files.writeString(
        directory.resolve("e.json"),
        "{\"dev:a\": {\"completed\": "
            + STORED.replace('5', '6')
            + "}, \"dev:b\": {\"completed\": "
            + STORED
            + "}}");
    RunStatectl run = plain().meanwhile(() -> run("set", "-y", "dev:a", LATER)).answering("y");

    assertThat(run.run("import", "--if-exists=overwrite", "e.json"))
        .isEqualTo(
            new Outcome(
                8,
                "",
                "statectl: not imported: 'dev:a': the state of 'dev:a' was not changed: 2 bookmarks"
                    + " go backwards: a/k, b/k\nstatectl: imported into "
                    + target
                    + ": created 1, updated 0, skipped 0, failed 1\n"));
    assertThat(stored("dev:a")).isEqualTo(LATER);
    assertThat(stored("dev:b")).isEqualTo(STORED);
  }

  private static String padded(int bytes) {
    String frame = STORED.substring(0, STORED.length() - 1) + ", \"pad\": \"\"}";
    return frame.replace("\"\"}", "\"" + "x".repeat(bytes - frame.length()) + "\"}");
  }

  private String stored(String id) {
    return run("get", id).out().strip();
  }

  private RunStatectl limited() {
    return plain().variable("MELTANO_STATE_BACKEND_CLICKHOUSE_MAX_STATE_BYTES", "100");
  }

  private RunStatectl plain() {
    return RunStatectl.in(directory)
        .variable("MELTANO_STATE_BACKEND_URI", clickHouse.uri())
        .variable("MELTANO_STATE_BACKEND_CLICKHOUSE_SCHEMA", schema);
  }

  private Outcome run(String... args) {
    return plain().run(args);
  }
}
