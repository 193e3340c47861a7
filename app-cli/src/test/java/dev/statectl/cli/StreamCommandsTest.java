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

class StreamCommandsTest {
  private static final String COMPLETED =
      "{\"singer_state\": {\"bookmarks\": {\"orders\": {\"replication_key\": \"updated_at\","
          + " \"replication_key_value\": \"2026-11-29T11:00:00+00:00\"}, \"users\": 1.0,"
          + "  \"items\": {\"x\": NaN}}}}";
  private static final String PARTIAL =
      "{\"singer_state\": {\"bookmarks\": {\"users\": 2e0, \"late\": [1]}}}";

  @TempDir private Path directory;
  private Path store;

  @BeforeEach
  void placeStore() throws IOException {
    store = directory.resolve("state.json");
    Files.writeString(
        store, "{\"dev:a\": {\"completed\": " + COMPLETED + ", \"partial\": " + PARTIAL + "}}");
  }

  @Test
  void aTableTellsOfEachStreamWhatTheNextRunFinds() {
    Outcome outcome = run("streams", "dev:a");

    assertThat(outcome.err()).isEmpty();
    assertThat(outcome.code()).isZero();
    assertThat(outcome.out())
        .isEqualTo(
            """
            STREAM  BOOKMARKS                             PARTITIONS  SIZE  AGE  HALF
            orders  updated_at=2026-11-29T11:00:00+00:00  -           87 B  1 h  completed
            users   2e0                                   -           3 B   -    both
            items   x=NaN                                 -           10 B  -    completed
            late    [1]                                   -           3 B   -    partial
            """);
  }

  @Test
  void jsonHasTheBookmarksAsTheyAreStored() {
    assertThat(run("streams", "dev:a", "-o", "ndjson").out())
        .isEqualTo(
            """
            {"stream":"orders","bookmarks":[{"path":"/replication_key","value":"updated_at"},\
            {"path":"/replication_key_value","value":"2026-11-29T11:00:00+00:00"}],"partitions":0,\
            "bytes":87,"age_seconds":3600,"half":"completed"}
            {"stream":"users","bookmarks":[{"path":"","value":2e0}],"partitions":0,"bytes":3,\
            "age_seconds":null,"half":"both"}
            {"stream":"items","bookmarks":[{"path":"/x","value":"NaN"}],"partitions":0,"bytes":10,\
            "age_seconds":null,"half":"completed"}
            {"stream":"late","bookmarks":[{"path":"","value":[1]}],"partitions":0,"bytes":3,\
            "age_seconds":null,"half":"partial"}
            """);
    assertThat(run("streams", "dev:a", "-o", "text").out())
        .isEqualTo("orders\nusers\nitems\nlate\n");
  }

  @Test
  void anUnknownIdHasNoStreams() {
    assertThat(run("streams", "dev:b"))
        .isEqualTo(new Outcome(3, "", "statectl: no state with the id 'dev:b'\n"));
  }

  @Test
  void aResetRemovesStreamsFromBothHalvesAndPrintsThem() {
    assertThat(run("reset", "dev:a", "--stream", "users", "--stream", "orders", "-y"))
        .isEqualTo(
            new Outcome(
                0,
                """
                {"users": 2e0}
                {"orders": {"replication_key": "updated_at", "replication_key_value":\
                 "2026-11-29T11:00:00+00:00"}}
                """,
                "statectl: removed 2 streams from the state of 'dev:a' in memory:"
                    + store
                    + " (228 bytes before, 100 now)\n"));
    assertThat(stored())
        .isEqualTo(
            "{\"completed\": {\"singer_state\": {\"bookmarks\": {\"items\": {\"x\": NaN}}}},"
                + " \"partial\": {\"singer_state\": {\"bookmarks\": {\"late\": [1]}}}}");
  }

  @Test
  void aResetAsksAndADryRunChangesNothing() throws IOException {
    byte[] before = Files.readAllBytes(store);
    String plan = "statectl:   'users' (3 bytes, 1 bookmark)\n";
    String what = "remove 1 stream from the state of 'dev:a' in memory:" + store;

    assertThat(run("reset", "dev:a", "--stream", "users", "--dry-run"))
        .isEqualTo(
            new Outcome(
                0,
                "{\"users\": 2e0}\n",
                plan + "statectl: would " + what + "\nstatectl: dry run: nothing was changed\n"));
    assertThat(run("reset", "dev:a", "--stream", "users"))
        .isEqualTo(
            new Outcome(
                2,
                "",
                plan
                    + "statectl: this would "
                    + what
                    + "; give --yes to do it; nothing was changed\n"));
    assertThat(Files.readAllBytes(store)).isEqualTo(before);
  }

  @Test
  void aStreamThatIsNotThereIsNamedWithThoseThatAre() throws IOException {
    byte[] before = Files.readAllBytes(store);

    assertThat(run("reset", "dev:a", "--stream", "orders", "--stream", "user", "-y"))
        .isEqualTo(
            new Outcome(
                3,
                "",
                "statectl: no stream 'user' in the state of 'dev:a' in memory:"
                    + store
                    + "; it has orders, users, items, late; nothing was changed\n"));
    assertThat(Files.readAllBytes(store)).isEqualTo(before);
  }

  @Test
  void aResetNeedsAStream() {
    assertThat(run("reset", "dev:a").code()).isEqualTo(2);
    assertThat(run("reset", "dev:a").err()).contains("--stream");
  }

  @Test
  void unsetRemovesAValueFromBothHalvesAndPrintsIt() {
    assertThat(run("unset", "dev:a", "/singer_state/bookmarks/users", "-y"))
        .isEqualTo(
            new Outcome(
                0,
                "2e0\n",
                "statectl: removed /singer_state/bookmarks/users from the state of 'dev:a' in memory:"
                    + store
                    + " (228 bytes before, 200 now)\n"));
    assertThat(stored()).doesNotContain("users").contains("\"late\": [1]");
  }

  @Test
  void putReplacesAValueInEachHalfThatHasItAndPrintsTheOldOne() {
    assertThat(run("put", "dev:a", "/singer_state/bookmarks/users", " 3.0 ", "-y").out())
        .isEqualTo("2e0\n");
    assertThat(stored())
        .isEqualTo(
            "{\"completed\": "
                + COMPLETED.replace("\"users\": 1.0", "\"users\": 3.0")
                + ", \"partial\": "
                + PARTIAL.replace("2e0", "3.0")
                + "}");
  }

  @Test
  void putChangesOnlyTheHalfThatHasTheValue() {
    assertThat(run("put", "dev:a", "/singer_state/bookmarks/late/-", "2", "-y").code()).isZero();
    assertThat(stored())
        .isEqualTo(
            "{\"completed\": "
                + COMPLETED
                + ", \"partial\": "
                + PARTIAL.replace("[1]", "[1, 2]")
                + "}");
  }

  @Test
  void aNewValueGoesToTheCompletedHalfAndNobodyIsAsked() {
    assertThat(run("put", "dev:a", "/singer_state/bookmarks/new~1er", "{\"k\": 1}"))
        .isEqualTo(
            new Outcome(
                0,
                "",
                "statectl: put /singer_state/bookmarks/new~1er of the state of 'dev:a' in memory:"
                    + store
                    + " (228 bytes before, 249 now)\n"));
    assertThat(stored()).contains("\"items\": {\"x\": NaN},  \"new/er\": {\"k\": 1}}}}");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          put|/singer_state/x/y|1|3|the state of 'dev:a' in memory:%s has no place for it: at \
          /singer_state/x: nothing there
          put|/singer_state/bookmarks/users/k|1|3|the state of 'dev:a' in memory:%s has no place for \
          it: at /singer_state/bookmarks/users: expected an object or a list, found a number
          put|/singer_state|1|1|this would be no state any more: at /singer_state: expected an \
          object, found a number
          put|/singer_state/x|secret|1|VALUE: line 1, column 1: unexpected 's'; write JSON, a text \
          with its quotes
          unset|/singer_state||1|this would be no state any more: at /singer_state: missing at the \
          top of the document
          unset|/singer_state/nope||3|at /singer_state/nope of the state of 'dev:a' in memory:%s \
          there is nothing
          """)
  void whatCannotBeDoneChangesNothing(
      String command, String pointer, String value, int code, String message) throws IOException {
    byte[] before = Files.readAllBytes(store);

    Outcome outcome =
        value == null
            ? run(command, "dev:a", pointer, "-y")
            : run(command, "dev:a", pointer, value, "-y");

    assertThat(outcome)
        .isEqualTo(
            new Outcome(
                code,
                "",
                "statectl: "
                    + message.replace("%s", store.toString())
                    + "; nothing was changed\n"));
    assertThat(Files.readAllBytes(store)).isEqualTo(before);
  }

  @Test
  void aPointerMustBeOne() {
    assertThat(run("unset", "dev:a", "singer_state").err())
        .contains("a JSON Pointer begins with '/', such as /singer_state/bookmarks/issues");
    assertThat(run("unset", "dev:a", "").err())
        .contains("the whole document is set with 'set' and removed with 'clear'");
  }

  @Test
  void onClickHouseOneOfFortyStreamsIsResetAndTheOthersKeepTheirBytes() {
    String schema = TestClickHouse.shared().freshSchema();
    StringBuilder document = new StringBuilder("{\"singer_state\":{\"bookmarks\":{");
    for (int i = 0; i < 40; i++) {
      document
          .append(i == 0 ? "" : " ,\n ")
          .append("\"s" + i + "\" :{\"v\": " + i + ".0e" + i + ", \"t\":\"\\u00e9\"}");
    }
    document.append("}}}");
    assertThat(onClickHouse(schema, "set", "dev:forty", document.toString()).code()).isZero();

    assertThat(onClickHouse(schema, "reset", "dev:forty", "--stream", "s17", "-y").code()).isZero();

    assertThat(onClickHouse(schema, "get", "dev:forty").out())
        .isEqualTo(document.toString().replaceFirst("\"s17\" :[^}]*} ,\n ", "") + "\n");
    assertThat(TestClickHouse.shared().query("SELECT count() FROM " + schema + ".state_lock"))
        .isEqualTo("0");
  }

  private Outcome onClickHouse(String schema, String... args) {
    return RunStatectl.in(directory)
        .variable("MELTANO_STATE_BACKEND_URI", TestClickHouse.shared().uri())
        .variable("MELTANO_STATE_BACKEND_CLICKHOUSE_SCHEMA", schema)
        .run(args);
  }

  private String stored() {
    String whole = read();
    return whole.substring(whole.indexOf("{\"completed\""), whole.lastIndexOf('}'));
  }

  private String read() {
    try {
      return Files.readString(store).strip();
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }

  private Outcome run(String... args) {
    String[] withUri = java.util.Arrays.copyOf(args, args.length + 1);
    withUri[args.length] = "--uri=memory:" + store;
    return RunStatectl.in(directory).run(withUri);
  }
}
