package dev.statectl.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.statectl.cli.RunStatectl.Outcome;
import dev.statectl.clickhouse.engine.TestClickHouse;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class HistoryCommandsTest {
  private static final TestClickHouse CLICK_HOUSE = TestClickHouse.shared();
  private static final String ONE =
      "{\"singer_state\":{\"bookmarks\":{\"o\":{\"id\":1.0},\"u\":5}}}";
  private static final String TWO = "{\"singer_state\":{\"bookmarks\":{\"o\":{\"id\":2},\"n\":1}}}";
  private static final String THREE =
      "{\"singer_state\":{\"bookmarks\":{\"o\":{\"id\":1},\"n\":1}}}";

  @TempDir private Path directory;
  private final String schema = CLICK_HOUSE.freshSchema();

  @BeforeEach
  void recordHistory() {
    run("set", "dev:a", ONE);
    assertThat(run("history", "enable", "--keep", "30d"))
        .isEqualTo(
            new Outcome(
                0, "", "statectl: history of " + target() + " is recorded, and kept for 30 d\n"));
  }

  @Test
  void statusTellsWhetherHistoryIsRecorded() {
    assertThat(run("history", "status").out()).isEqualTo("recorded, kept for 30 d\n");
    assertThat(run("history", "disable").code()).isEqualTo(2);
    assertThat(run("history", "disable", "-y").err())
        .isEqualTo("statectl: history of " + target() + " is recorded no more; the records stay\n");
    assertThat(run("history", "status").out()).isEqualTo("recorded no more, kept for 30 d\n");
    assertThat(versions()).hasSize(1);
  }

  @Test
  void enabledAgainWithoutATimeItIsKeptForAsLongAsBefore() {
    assertThat(run("history", "enable", "--keep", "365d").code()).isZero();
    recordAsOf100DaysAgo();
    CLICK_HOUSE.execute("DROP TABLE " + schema + ".state_history_view");

    assertThat(run("history", "enable"))
        .isEqualTo(
            new Outcome(
                0, "", "statectl: history of " + target() + " is recorded, and kept for 365 d\n"));

    assertThat(run("history", "status").out()).isEqualTo("recorded, kept for 365 d\n");
    assertThat(versions()).hasSize(2);
  }

  @Test
  void beforeRecordsAreDeletedByAShorterTimeConsentIsNeeded() {
    run("history", "enable", "--keep", "365d");
    recordAsOf100DaysAgo();

    Outcome refused = run("history", "enable", "--keep", "30d");

    assertThat(refused)
        .isEqualTo(
            new Outcome(
                2,
                "",
                "statectl: this would record the history of "
                    + target()
                    + " for 30 d, and delete older records, which were kept for 365 d; give --yes to"
                    + " do it; nothing was changed\n"));
    assertThat(run("history", "status").out()).isEqualTo("recorded, kept for 365 d\n");
    assertThat(versions()).hasSize(2);
    assertThat(run("history", "enable", "--keep", "30d", "-y").code()).isZero();
    assertThat(run("history", "status").out()).isEqualTo("recorded, kept for 30 d\n");
  }

  @Test
  void recordsThatWereKeptForEverAreNotDeletedUnasked() {
    CLICK_HOUSE.execute("ALTER TABLE " + schema + ".state_history REMOVE TTL");

    Outcome refused = run("history", "enable");

    assertThat(refused.code()).isEqualTo(2);
    assertThat(refused.err())
        .endsWith(
            " for 90 d, and delete older records, which were kept for ever, or by a rule of another form; give --yes to do it;"
                + " nothing was changed\n");
    assertThat(run("history", "status").out()).isEqualTo("recorded\n");
  }

  private void recordAsOf100DaysAgo() {
    CLICK_HOUSE.execute(
        "INSERT INTO "
            + schema
            + ".state_history (state_id, updated_at, recorded_at, completed_state)"
            + " VALUES ('dev:a', now64(3) - INTERVAL 100 DAY, now64(6) - INTERVAL 100 DAY, '{}')");
  }

  @Test
  void whereItWasNeverEnabledTheCommandThatDoesIsNamed() {
    String elsewhere = CLICK_HOUSE.freshSchema();

    Outcome outcome =
        statectl()
            .variable("MELTANO_STATE_BACKEND_CLICKHOUSE_SCHEMA", elsewhere)
            .run("history", "dev:a");

    assertThat(outcome)
        .isEqualTo(
            new Outcome(
                1,
                "",
                "statectl: no history was ever recorded at "
                    + target().replace(schema, elsewhere)
                    + "; from now on it is recorded after: statectl history enable\n"));
  }

  @Test
  void theListTellsWhatEachWriteChangedAndWhoMadeIt() {
    run("set", "--force", "dev:a", TWO);
    run("put", "-y", "dev:a", "/singer_state/bookmarks/o/id", "1");
    CLICK_HOUSE.execute(
        "INSERT INTO "
            + schema
            + ".state (state_id, completed_state, updated_at) VALUES ('dev:a', '"
            + THREE
            + "', now64(3) + 2)");
    run("clear", "-y", "dev:a");

    assertThat(
            run("history", "dev:a")
                .out()
                .replaceAll("20[-0-9T:.]+Z", "TIME")
                .replaceAll("[0-9]+ s ", "AGE ")
                .replaceAll("the account [^\n]+", "the account SOMEBODY")
                .replaceAll(" +", " "))
        .isEqualTo(
            """
            VERSION AGE SIZE STREAMS CHANGE BY
            TIME AGE - - removed statectl clear by etl@worker pid 7
            TIME AGE 51 B 2 nothing the account SOMEBODY
            TIME AGE 51 B 2 changed o; went back statectl put by etl@worker pid 7
            TIME AGE 51 B 2 lost u; changed o; added n statectl set by etl@worker pid 7
            TIME AGE 53 B 2 the first that is known -
            """);
    assertThat(run("history", "dev:a", "--limit", "1", "-o", "ndjson").out())
        .startsWith("{\"version\":\"20")
        .contains(
            "\"kind\":\"removed\",\"by\":\"statectl clear by etl@worker pid 7\"",
            "\"bytes\":0,\"streams\":null,\"undid_to\":null,\"added\":null");
  }

  @Test
  void undoGoesBackOneStepAtATimeAlsoBehindARemoval() {
    run("set", "--force", "dev:a", TWO);
    run("clear", "-y", "dev:a");

    Outcome dry = run("undo", "dev:a", "--dry-run");
    assertThat(dry.code()).isZero();
    assertThat(dry.err())
        .startsWith("statectl:   there is no state now\nstatectl: would restore 'dev:a' in ")
        .endsWith("statectl: dry run: nothing was changed\n");
    assertThat(run("get", "dev:a").code()).isEqualTo(3);
    assertThat(run("undo", "dev:a").code()).isEqualTo(2);

    assertThat(run("undo", "dev:a", "-y").code()).isZero();
    assertThat(run("get", "dev:a").out()).isEqualTo(TWO + "\n");
    assertThat(run("undo", "dev:a", "-y").code()).isZero();
    assertThat(run("get", "dev:a").out()).isEqualTo(ONE + "\n");
    Outcome end = run("undo", "dev:a", "-y");
    assertThat(end.code()).isEqualTo(3);
    assertThat(end.err()).contains("statectl clear");
    assertThat(run("get", "dev:a").out()).isEqualTo(ONE + "\n");
  }

  @Test
  void aVersionIsRestoredByteForByteAsANewOne() {
    String first = versions().get(0);
    run("set", "--force", "dev:a", TWO);

    Outcome outcome = run("restore", "dev:a", "--version", first, "-y");

    assertThat(outcome.code()).isZero();
    assertThat(outcome.err())
        .startsWith(
            "statectl: restored 'dev:a' in "
                + target()
                + " to version "
                + first
                + " (53 bytes), now version 20");
    assertThat(run("get", "dev:a").out()).isEqualTo(ONE + "\n");
    assertThat(versions()).hasSize(3);
    assertThat(run("restore", "dev:a", "--version", first, "-y").err())
        .isEqualTo(
            "statectl: no change: the state of 'dev:a' in "
                + target()
                + " is that of version "
                + first
                + " (53 bytes) already\n");
    assertThat(versions()).hasSize(3);
  }

  @Test
  void aPlanTellsWhatARestoreWouldChange() {
    String first = versions().get(0);
    run("set", "--force", "dev:a", TWO);

    assertThat(run("restore", "dev:a", "--version", first, "--dry-run").err())
        .startsWith(
            """
            statectl:   changes the stream 'o', back
            statectl:   removes the stream 'n'
            statectl:   brings back the stream 'u'
            statectl: would restore 'dev:a' in\
            """);
    assertThat(run("get", "dev:a").out()).isEqualTo(TWO + "\n");
  }

  @Test
  void aVersionThatIsNotKnownIsNotFound() {
    Outcome outcome = run("restore", "dev:a", "--version", "2020-01-01T00:00:00Z", "-y");

    assertThat(outcome)
        .isEqualTo(
            new Outcome(
                3,
                "",
                "statectl: the history of 'dev:a' has no version 2020-01-01T00:00:00Z; to see which"
                    + " it has: statectl history\n"));
    assertThat(run("history", "dev:b").code()).isEqualTo(3);
    assertThat(run("diff", "dev:b").code()).isEqualTo(3);
    assertThat(run("undo", "dev:b", "-y").code()).isEqualTo(3);
  }

  @Test
  void aDiffMarksWhatWasLostAndWhatWentBack() {
    run("set", "--force", "dev:a", TWO);
    run("set", "--force", "dev:a", THREE);
    List<String> versions = versions();

    assertThat(run("diff", "dev:a").out()).isEqualTo("changed o\n  /id: 2 -> 1  BACK\n");
    assertThat(run("diff", "dev:a", versions.get(1)).out())
        .isEqualTo("changed o\n  /id: 1.0 -> 2\nLOST u\n  5 -> (none)\nadded n\n  (none) -> 1\n");
    assertThat(run("diff", "dev:a", versions.get(2), versions.get(0), "-o", "ndjson").out())
        .isEqualTo(
            """
            {"stream":"o","change":"changed","bookmarks":[{"path":"/id","before":1.0,"after":1,\
            "backwards":false}]}
            {"stream":"u","change":"lost","bookmarks":[{"path":"","before":5,"after":null,\
            "backwards":false}]}
            {"stream":"n","change":"added","bookmarks":[{"path":"","before":null,"after":1,\
            "backwards":false}]}
            """);
    assertThat(run("diff", "dev:a", versions.get(2)).err())
        .contains("knows no version before " + versions.get(2));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "1", "yesterday", "2026-11-29", "2026-11-29T12:00:00.1234Z"})
  void aVersionIsWrittenAsHistoryShowsIt(String version) {
    Outcome outcome = run("restore", "dev:a", "--version=" + version);

    assertThat(outcome.code()).isEqualTo(2);
    assertThat(outcome.err())
        .contains("write a version as 'history' shows it, such as 2026-11-29T12:00:00.123Z");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "history a",
        "history enable",
        "history disable -y",
        "history status",
        "diff a",
        "undo a -y",
        "restore a --version 2026-11-29T12:00:00.123Z -y"
      })
  void anEmbeddedStoreKeepsNoHistory(String command) {
    Outcome outcome =
        RunStatectl.in(directory)
            .run((command + " --uri=memory:" + directory + "/s.json").split(" "));

    assertThat(outcome)
        .isEqualTo(
            new Outcome(
                2,
                "",
                "statectl: an embedded store keeps no history between commands; only ClickHouse"
                    + " does; nothing was changed\n"));
  }

  @Test
  void aDiffToARemovalNamesTheStreamsThatWentWithIt() {
    run("clear", "-y", "dev:a");

    Outcome outcome = run("diff", "dev:a");

    assertThat(outcome.out()).isEqualTo("LOST o\n  /id: 1.0 -> (none)\nLOST u\n  5 -> (none)\n");
    assertThat(outcome.err()).endsWith(" (removed)\n");
  }

  private List<String> versions() {
    return run("history", "dev:a", "-o", "text").out().lines().toList();
  }

  private String target() {
    return CLICK_HOUSE.endpoint().host()
        + ":"
        + CLICK_HOUSE.endpoint().port()
        + " "
        + schema
        + ".state";
  }

  private RunStatectl statectl() {
    return RunStatectl.in(directory)
        .variable("MELTANO_STATE_BACKEND_URI", CLICK_HOUSE.uri())
        .variable("MELTANO_STATE_BACKEND_CLICKHOUSE_SCHEMA", schema);
  }

  private Outcome run(String... args) {
    return statectl().run(args);
  }
}
