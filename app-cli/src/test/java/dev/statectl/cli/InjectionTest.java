package dev.statectl.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.io.JsonStringEncoder;
import dev.statectl.cli.RunStatectl.Outcome;
import dev.statectl.clickhouse.engine.TestClickHouse;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Texts that would be SQL if they could, through every command to the engine. */
class InjectionTest {
  private static final String VICTIM = "prod:victim";
  private static final String VICTIMS_STATE =
      "{\"singer_state\":{\"bookmarks\":{\"v\":{\"k\":1.0}}}}";

  @TempDir private Path directory;
  private final TestClickHouse clickHouse = TestClickHouse.shared();
  private final String schema = clickHouse.freshSchema();
  private String table = "state";

  static List<String> texts() {
    return List.of(
        "'); DROP TABLE victim; -- \\'; DROP TABLE victim; -- ' OR 1=1 -- \\\\' OR ''=' \\",
        "\"; DROP TABLE victim; --\" FORMAT JSON ') UNION ALL SELECT name, '', '' FROM system.tables",
        "? :id <table> {id:String} {fn now()} $$ $1 ${HOME} $heredoc$ /* */ -- # %_",
        "a\tb\nc\rd\u0001e\u0007f \u2028\u202e\u65e5\u672c\ud83d\ude00");
  }

  static List<String> names() {
    return texts().stream().filter(text -> text.chars().noneMatch(c -> c < 0x20)).toList();
  }

  @BeforeEach
  void plantAVictim() {
    clickHouse.execute(
        "CREATE DATABASE " + schema,
        "CREATE TABLE " + schema + ".victim (n UInt8) ENGINE = MergeTree ORDER BY n",
        "INSERT INTO " + schema + ".victim VALUES (1)");
  }

  @ParameterizedTest
  @MethodSource("texts")
  void asIdsStreamsPatternsAndDocumentsTheyAreTexts(String text) throws IOException {
    assertDone("set", VICTIM, VICTIMS_STATE);
    assertDone("history", "enable", "--force");
    String id = "dev:" + text;
    String json = new String(JsonStringEncoder.getInstance().quoteAsString(text));
    String document =
        "{\"singer_state\":{\"bookmarks\":{\""
            + json
            + "\":{\"k\":\""
            + json
            + "\"},\"o\":{\"k\":1}}}}";

    assertDone("set", id, document);
    assertThat(run("get", id)).isEqualTo(new Outcome(0, document + "\n", ""));
    assertThat(
            clickHouse.query(
                "SELECT hex(completed_state) FROM "
                    + schema
                    + ".state FINAL WHERE"
                    + " hex(state_id) = '"
                    + hex(id)
                    + "'"))
        .isEqualTo(hex(document));
    assertDone("put", id, "/singer_state/bookmarks/o/k", "\"" + json + "\"", "--force");
    assertDone("reset", id, "--stream", text, "--force");
    assertDone("unset", id, "/singer_state/bookmarks/o/k", "--force");
    assertDone("undo", id, "--force");
    assertThat(run("get", id).out())
        .isEqualTo("{\"singer_state\":{\"bookmarks\":{\"o\":{\"k\":\"" + json + "\"}}}}\n");
    assertDone("merge", id, document, "--force");
    assertThat(run("get", id).out()).contains("\"" + json + "\":{\"k\":\"" + json + "\"}");
    for (List<String> reading :
        List.of(
            List.of("streams", id),
            List.of("history", id),
            List.of("diff", id),
            List.of("list", "--pattern", id),
            List.of("lock", "list"),
            List.of("check", "--pattern", id, "--max-age", "1h", "--prometheus"))) {
      assertDone(reading.toArray(String[]::new));
    }
    assertThat(run("list", "--pattern", id, "-o", "json").out()).contains(json);
    assertDone("copy", id, id + "2", "--force");
    assertDone("move", id + "2", id + "3", "--force");
    Outcome exported = run("export", "--pattern", id + "*");
    Files.writeString(directory.resolve("export.json"), exported.out());
    assertDone("clear", id + "3", "--force");
    assertDone("import", "export.json", "--if-exists", "overwrite", "--force");
    assertDone("lock", "run", id, "--", "true");
    assertThat(clickHouse.query("SELECT count() FROM " + schema + ".state FINAL")).isEqualTo("3");

    assertDone("clear", "--pattern", id + "*", "--force");
    assertThat(clickHouse.query("SELECT state_id FROM " + schema + ".state FINAL"))
        .isEqualTo(VICTIM);
    assertVictimIsWell();
  }

  @ParameterizedTest
  @MethodSource("names")
  void asNamesOfTablesTheyAreNames(String name) {
    table = name;
    assertDone("set", VICTIM, VICTIMS_STATE);
    assertDone("history", "enable", "--force");
    assertDone("set", "dev:a", VICTIMS_STATE);
    assertDone("clear", "dev:a", "--force");
    assertDone("undo", "dev:a", "--force");
    assertDone("lock", "run", "dev:a", "--", "true");
    assertDone("lock", "list");
    assertDone("history", "disable", "--force");
    assertThat(run("list").out()).isEqualTo("dev:a\n" + VICTIM + "\n");

    assertThat(
            clickHouse.query(
                "SELECT hex(name) FROM system.tables WHERE database = '"
                    + schema
                    + "' AND name != 'victim' ORDER BY name"))
        .isEqualTo(hex(name) + "\n" + hex(name + "_history") + "\n" + hex(name + "_lock"));
    assertVictimIsWell();
  }

  @ParameterizedTest
  @MethodSource("names")
  void asNamesOfUsersTheyAreNobody(String name) {
    Outcome outcome = run("list", "--user", name);

    assertThat(outcome.code()).as(outcome.err()).isEqualTo(6);
    assertThat(outcome.err()).contains("does not accept the user ");
  }

  private void assertVictimIsWell() {
    assertThat(run("get", VICTIM).out()).isEqualTo(VICTIMS_STATE + "\n");
    assertThat(clickHouse.query("SELECT n FROM " + schema + ".victim")).isEqualTo("1");
  }

  private void assertDone(String... arguments) {
    Outcome outcome = run(arguments);
    assertThat(outcome.code())
        .as(String.join(" ", arguments) + "\n" + outcome.out() + outcome.err())
        .isZero();
  }

  private Outcome run(String... arguments) {
    return RunStatectl.in(directory)
        .variable("MELTANO_STATE_BACKEND_URI", clickHouse.endpoint().uri())
        .variable("MELTANO_STATE_BACKEND_CLICKHOUSE_SCHEMA", schema)
        .variable("MELTANO_STATE_BACKEND_CLICKHOUSE_TABLE", table)
        .run(arguments);
  }

  private static String hex(String text) {
    return HexFormat.of().withUpperCase().formatHex(text.getBytes(StandardCharsets.UTF_8));
  }
}
