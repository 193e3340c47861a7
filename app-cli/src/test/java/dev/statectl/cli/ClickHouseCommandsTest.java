package dev.statectl.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.statectl.cli.RunStatectl.Outcome;
import dev.statectl.clickhouse.engine.ClickHouseEndpoint;
import dev.statectl.clickhouse.engine.TestClickHouse;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The commands on ClickHouse, with the rows looked at past the product. */
class ClickHouseCommandsTest {
  private static final String DOCUMENT = "{\"singer_state\": {\"a\": 1.0, \"b\": \"\\ud83d\"}}";

  private final TestClickHouse clickHouse = TestClickHouse.shared();
  private final String schema = clickHouse.freshSchema();
  private final String target =
      clickHouse.endpoint().host() + ":" + clickHouse.endpoint().port() + " " + schema + ".state";

  @TempDir private Path directory;

  @Test
  void aStateIsSetListedGotAndCleared() {
    assertThat(run("list")).isEqualTo(new Outcome(0, "", ""));
    assertThat(
            clickHouse.query("SELECT count() FROM system.databases WHERE name = '" + schema + "'"))
        .isEqualTo("0");

    assertThat(run("set", "dev:a", DOCUMENT))
        .isEqualTo(new Outcome(0, "", "statectl: set 'dev:a' in " + target + " (43 bytes)\n"));
    assertThat(
            clickHouse.query(
                "SELECT state_id, completed_state, isNull(partial_state) FROM "
                    + schema
                    + ".state FINAL FORMAT TSVRaw"))
        .isEqualTo("dev:a\t" + DOCUMENT + "\t1");
    assertThat(run("list")).isEqualTo(new Outcome(0, "dev:a\n", ""));
    assertThat(run("get", "dev:a")).isEqualTo(new Outcome(0, DOCUMENT + "\n", ""));

    assertThat(run("clear", "dev:a", "--force"))
        .isEqualTo(new Outcome(0, "", "statectl: cleared 'dev:a' in " + target + "\n"));
    assertThat(clickHouse.query("SELECT count() FROM " + schema + ".state")).isEqualTo("0");
    assertThat(run("get", "dev:a"))
        .isEqualTo(new Outcome(3, "", "statectl: no state with the id 'dev:a'\n"));
  }

  @Test
  void rowsOfThePythonPluginAreReadMergedAndReplaced() {
    createTable();
    clickHouse.execute(
        "INSERT INTO "
            + schema
            + ".state (state_id, completed_state, partial_state) VALUES"
            + " ('dev:a', '{\"singer_state\": {\"a\": 1.0, \"b\": [1]}}',"
            + " '{\"singer_state\": {\"b\": [2], \"c\": NaN}}'), ('prod:a', '', NULL)");

    assertThat(run("list", "--pattern=dev:*")).isEqualTo(new Outcome(0, "dev:a\n", ""));
    assertThat(run("get", "dev:a"))
        .isEqualTo(
            new Outcome(0, "{\"singer_state\": {\"a\": 1.0, \"b\": [2], \"c\": NaN}}\n", ""));
    assertThat(run("get", "prod:a")).isEqualTo(new Outcome(0, "{}\n", ""));
    assertThat(run("set", "dev:a", DOCUMENT))
        .isEqualTo(
            new Outcome(
                2,
                "",
                "statectl: this would overwrite the state of 'dev:a' in "
                    + target
                    + " (76 bytes); give --yes to do it; nothing was changed\n"));
    assertThat(run("set", "dev:a", DOCUMENT, "--force").code()).isZero();
    assertThat(run("get", "dev:a")).isEqualTo(new Outcome(0, DOCUMENT + "\n", ""));
    assertThat(run("clear", "--all", "--force"))
        .isEqualTo(new Outcome(0, "", "statectl: cleared 2 states in " + target + "\n"));
  }

  @Test
  void aRowThatIsNoStateIsListedReportedAndReplaced() {
    createTable();
    clickHouse.execute(
        "INSERT INTO "
            + schema
            + ".state (state_id, completed_state) VALUES ('dev:a', '[]'), ('dev:b', '{\"b\": 1}')");

    assertThat(run("list")).isEqualTo(new Outcome(0, "dev:a\ndev:b\n", ""));
    assertThat(run("get", "dev:b")).isEqualTo(new Outcome(0, "{\"b\": 1}\n", ""));
    assertThat(run("get", "dev:a", "--default-empty"))
        .isEqualTo(
            new Outcome(
                1,
                "",
                "statectl: the state of 'dev:a' cannot be read: column completed_state: line 1,"
                    + " column 1: expected an object, found an array (nothing was changed; set the"
                    + " state anew or clear it)\n"));
    assertThat(run("set", "dev:a", DOCUMENT))
        .isEqualTo(
            new Outcome(
                2,
                "",
                "statectl: this would overwrite the state of 'dev:a' in "
                    + target
                    + " (unreadable); give --yes to do it; nothing was changed\n"));
    assertThat(run("set", "dev:a", DOCUMENT, "--force").code()).isZero();
    assertThat(run("get", "dev:a")).isEqualTo(new Outcome(0, DOCUMENT + "\n", ""));
  }

  @Test
  void aReadOnlyUserReads() {
    run("set", "dev:a", DOCUMENT);
    ClickHouseEndpoint reader = clickHouse.createReadOnlyUser("SELECT ON " + schema + ".*");

    assertThat(runAs(reader, "list")).isEqualTo(new Outcome(0, "dev:a\n", ""));
    assertThat(runAs(reader, "get", "dev:a")).isEqualTo(new Outcome(0, DOCUMENT + "\n", ""));
  }

  private void createTable() {
    clickHouse.execute(
        "CREATE DATABASE " + schema,
        "CREATE TABLE "
            + schema
            + ".state (state_id String, partial_state Nullable(String), completed_state"
            + " Nullable(String), updated_at DateTime64(3) DEFAULT now64(3)) ENGINE ="
            + " ReplacingMergeTree(updated_at) ORDER BY state_id");
  }

  private Outcome run(String... args) {
    return runAs(clickHouse.endpoint(), args);
  }

  private Outcome runAs(ClickHouseEndpoint endpoint, String... args) {
    return RunStatectl.in(directory)
        .variable("MELTANO_STATE_BACKEND_URI", endpoint.uri())
        .variable("MELTANO_STATE_BACKEND_CLICKHOUSE_SCHEMA", schema)
        .run(args);
  }
}
