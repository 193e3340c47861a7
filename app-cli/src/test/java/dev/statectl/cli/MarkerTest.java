package dev.statectl.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.statectl.cli.RunStatectl.Outcome;
import dev.statectl.clickhouse.engine.ClickHouseEndpoint;
import dev.statectl.clickhouse.engine.TestClickHouse;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A marked password and a marked payload through every command, done and failed, with all that can
 * be shown of a failure: neither stands where a person or a log would see it.
 */
class MarkerTest {
  private static final String PASSWORD = "mark3d-passw0rd";
  private static final String PAYLOAD = "mark3d-payl0ad";
  private static final String DOCUMENT =
      "{\"singer_state\":{\"bookmarks\":{\"s\":{\"token\":\"" + PAYLOAD + "\"}}}}";

  @TempDir private Path directory;
  private final TestClickHouse clickHouse = TestClickHouse.shared();
  private final String schema = clickHouse.freshSchema();
  private int runs;

  @BeforeEach
  void writeFiles() throws IOException {
    Files.writeString(directory.resolve("state.json"), DOCUMENT);
    Files.writeString(directory.resolve("broken.json"), DOCUMENT.replace("}}}}", "}}"));
    Files.writeString(
        directory.resolve("export.json"), "{\"dev:i\":{\"completed\":" + DOCUMENT + "}}");
    Files.writeString(
        directory.resolve("broken-export.json"), "{\"dev:i\":{\"completed\":\"" + PAYLOAD);
    Files.writeString(directory.resolve("password"), PASSWORD + "\n");
  }

  @Test
  void commandsThatAreDoneShowThePayloadOnlyAsData() {
    ClickHouseEndpoint user =
        clickHouse.createUserWithPassword(PASSWORD, "ALL ON " + schema + ".*");
    clickHouse.execute("CREATE DATABASE " + schema);
    int done = 0;
    for (List<String> command : everyCommand()) {
      Outcome outcome = run(user, command);
      assertKept(outcome);
      done += outcome.code() == 0 ? 1 : 0;
    }
    assertThat(done).as("commands that were done").isGreaterThanOrEqualTo(20);
    assertThat(run(user, List.of("get", "dev:a")).out()).contains(PAYLOAD);
  }

  @Test
  void commandsOnAServerThatDoesNotKnowThePassword() {
    ClickHouseEndpoint admin = clickHouse.endpoint();
    for (List<String> command : everyCommand()) {
      assertKept(run(admin.as(admin.user(), PASSWORD), command));
    }
  }

  @Test
  void commandsWithoutAServer() {
    ClickHouseEndpoint nowhere =
        new ClickHouseEndpoint("127.0.0.1", 1, false, "etl", PASSWORD, "default");
    for (List<String> command : everyCommand()) {
      assertKept(run(nowhere, command));
    }
  }

  @Test
  void commandsOfAUserWithoutRights() {
    plantAState();
    ClickHouseEndpoint user =
        clickHouse.createUserWithPassword(PASSWORD, "SELECT ON " + schema + ".*");
    for (List<String> command : everyCommand()) {
      assertKept(run(user, command));
    }
  }

  @Test
  void commandsOnRowsThatAreNoStates() {
    ClickHouseEndpoint user =
        clickHouse.createUserWithPassword(PASSWORD, "ALL ON " + schema + ".*");
    plantAState();
    clickHouse.execute(
        "INSERT INTO "
            + schema
            + ".state (state_id, completed_state, updated_at) VALUES ('dev:a', '[\""
            + PAYLOAD
            + "\"', now64(3) + 1)");
    for (List<String> command : everyCommand()) {
      assertKept(run(user, command));
    }
  }

  @Test
  void settingsThatAreWrong() {
    for (String uri :
        List.of(
            "clickhouse://etl:" + PASSWORD + "@h:x/d",
            "clickhouse://etl:" + PASSWORD + "/@h/d",
            "clickhouse://etl:" + PASSWORD,
            "http://etl:" + PASSWORD + "@h/d",
            "clickhouse://etl:" + PASSWORD + "%@h/d")) {
      for (List<String> command : everyCommand()) {
        runs++;
        assertKept(
            RunStatectl.in(directory)
                .variable("STATECTL_DEBUG", "1")
                .variable("MELTANO_STATE_BACKEND_URI", uri)
                .run(command.toArray(String[]::new)));
      }
    }
  }

  private List<List<String>> everyCommand() {
    return List.of(
        List.of("set", "dev:a", "--force", "--input-file", "state.json"),
        List.of("set", "dev:a", "--input-file", "state.json"),
        List.of("set", "dev:a", "--force", "--input-file", "broken.json"),
        List.of("set", "dev:a", DOCUMENT.replace("}}}}", "}}"), "--force"),
        List.of("history", "enable", "--force"),
        List.of("put", "dev:a", "/singer_state/bookmarks/s/n", "{\"" + PAYLOAD, "--force"),
        List.of("set", "dev:b", "--force", "--no-validate", "--input-file", "state.json"),
        List.of("merge", "dev:b", "--force", "--input-file", "state.json"),
        List.of("merge", "dev:b", "--force", "--input-file", "broken.json"),
        List.of("list", "-o", "table"),
        List.of("check", "--max-age", "1h", "--prometheus"),
        List.of("doctor", "--fix", "-y", "-o", "json"),
        List.of("history", "dev:a"),
        List.of("history", "status"),
        List.of("copy", "dev:a", "dev:c", "--force"),
        List.of("move", "dev:c", "dev:d", "--force"),
        List.of("import", "export.json", "--force", "--if-exists", "overwrite"),
        List.of("import", "broken-export.json", "--force"),
        List.of("lock", "list"),
        List.of("lock", "show", "dev:a"),
        List.of("lock", "break", "dev:a", "--force"),
        List.of("lock", "run", "dev:a", "--", "true"),
        List.of("clear", "dev:d", "--force"),
        List.of("undo", "dev:d", "--force"),
        List.of("restore", "dev:a", "--version", "2026-11-29T12:00:00.123Z", "--force"),
        List.of("reset", "dev:b", "--stream", "none", "--force"),
        List.of("clear", "--pattern", "dev:d*", "--force"),
        List.of("history", "disable", "--force"),
        List.of("config", "show"),
        List.of("config", "show", "-o", "json"),
        List.of("ddl"));
  }

  private Outcome run(ClickHouseEndpoint endpoint, List<String> command) {
    runs++;
    List<String> arguments = new ArrayList<>(command);
    // Before what a command runs.
    arguments.addAll(0, List.of("--password-file", "password"));
    return RunStatectl.in(directory)
        .variable("STATECTL_DEBUG", "1")
        .variable("MELTANO_STATE_BACKEND_URI", endpoint.as(endpoint.user(), "").uri())
        .variable("MELTANO_STATE_BACKEND_CLICKHOUSE_SCHEMA", schema)
        .variable("MELTANO_STATE_BACKEND_CLICKHOUSE_REQUEST_TIMEOUT", "20")
        .run(arguments.toArray(String[]::new));
  }

  private void plantAState() {
    RunStatectl.in(directory)
        .variable("MELTANO_STATE_BACKEND_URI", clickHouse.endpoint().uri())
        .variable("MELTANO_STATE_BACKEND_CLICKHOUSE_SCHEMA", schema)
        .run("set", "dev:a", "--input-file", "state.json");
  }

  private void assertKept(Outcome outcome) {
    assertThat(outcome.out() + outcome.err()).as("run " + runs).doesNotContain(PASSWORD);
    assertThat(outcome.err()).as("run " + runs).doesNotContain(PAYLOAD);
  }
}
