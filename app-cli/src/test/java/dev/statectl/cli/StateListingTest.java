package dev.statectl.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.statectl.cli.RunStatectl.Outcome;
import dev.statectl.clickhouse.engine.TestClickHouse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What {@code list} tells of each state. */
class StateListingTest {
  @TempDir private Path directory;

  /** With the fixed clock of the tests: noon. */
  @Nested
  class OnTheEmbeddedStore {
    @Test
    void aTableIsForPeople() throws Exception {
      store();

      assertThat(run("list", "-o", "table"))
          .isEqualTo(
              new Outcome(
                  0,
                  """
                  ID     UPDATED               AGE  SIZE     STREAMS  STATE             LOCKED BY
                  a\\nb   2026-11-29T10:59:55Z  1 h  8 B      -        complete          -
                  dev:a  2026-11-29T10:59:55Z  1 h  154 B    2        complete+partial  -
                  dev:c  2026-11-29T10:59:55Z  1 h  0 B      -        empty             -
                  dev:d  2026-11-29T10:59:55Z  1 h  1.0 KiB  0        partial           -
                  """
                      .replace("\\\\", "\\"),
                  ""));
    }

    @Test
    void jsonIsAnArrayOfExactFacts() throws Exception {
      store();

      assertThat(run("list", "-ojson", "--pattern=dev:[ac]").out())
          .isEqualTo(
              """
              [
              {"id":"dev:a","updated_at":"2026-11-29T10:59:55Z","age_seconds":3605,"bytes":154,"streams":2,"state":"complete+partial","fault":null,"locked_by":null},
              {"id":"dev:c","updated_at":"2026-11-29T10:59:55Z","age_seconds":3605,"bytes":0,"streams":null,"state":"empty","fault":null,"locked_by":null}
              ]
              """);
      assertThat(run("list", "-o", "json", "--pattern=none").out()).isEqualTo("[]\n");
    }

    @Test
    void ndjsonIsAnObjectALine() throws Exception {
      store();

      assertThat(run("list", "--format=ndjson").out().lines())
          .hasSize(4)
          .allMatch(line -> line.startsWith("{\"id\":\"") && line.endsWith("}"))
          .first()
          .asString()
          .startsWith("{\"id\":\"a\\nb\",");
      assertThat(run("list", "-ondjson", "--pattern=none").out()).isEmpty();
    }

    @Test
    void headsAreBoldOnlyWhereThatIsWanted() throws Exception {
      store();
      String plain = run("list", "-o", "table").out();

      String bold = run("list", "-o", "table", "--color=always").out();

      assertThat(bold).startsWith("\u001b[1mID ");
      assertThat(bold.replace("\u001b[1m", "").replace("\u001b[0m", "")).isEqualTo(plain);
    }

    private void store() throws Exception {
      Path store = directory.resolve("s.json");
      Files.writeString(
          store,
          """
          {"dev:a": {"completed": {"singer_state": {"bookmarks": {"x": {"since": "2026-11-03T00:00:00Z"}}}},
                     "partial": {"singer_state": {"bookmarks": {"x": 1, "y": {"offset": 123456789012345678901}}}}},
           "dev:c": {"completed": {}},
           "dev:d": {"partial": {"singer_state": {"bookmarks": {}}, "t": "%s"}},
           "a\\nb": {"completed": {"x": 1}}}
          """
              .formatted("z".repeat(980))
              .replace("\\\\", "\\"));
      Files.setLastModifiedTime(store, FileTime.from(Instant.parse("2026-11-29T10:59:55Z")));
    }

    private Outcome run(String... args) {
      return RunStatectl.in(directory)
          .variable("MELTANO_STATE_BACKEND_URI", "memory:s.json")
          .run(args);
    }
  }

  @Nested
  class OnClickHouse {
    private final TestClickHouse clickHouse = TestClickHouse.shared();
    private final String schema = clickHouse.freshSchema();

    @Test
    void agesAreThoseOfTheServersClockAndHoldersAreNamed() {
      run("set", "dev:a", "{\"singer_state\": {}}");
      run("set", "dev:b", "{\"singer_state\": {}}");
      clickHouse.execute(
          "INSERT INTO %s.state_lock (state_id, lock_id) VALUES ('dev:a', 'x')".formatted(schema));
      clickHouse.execute(
          "INSERT INTO %s.state (state_id, completed_state, updated_at) VALUES ('dev:c', '[', now64(3) - 7200)"
              .formatted(schema));

      // The clock of the command stands still, at another time.
      assertThat(run("list", "-o", "ndjson").out())
          .matches(
              "\\{\"id\":\"dev:a\",\"updated_at\":\"[^\"]+Z\",\"age_seconds\":\\d,\"bytes\":20,"
                  + "\"streams\":null,\"state\":\"complete\",\"fault\":null,\"locked_by\":"
                  + "\\{\"holder\":\"\",\"whose\":\"plugin\",\"since\":\"[^\"]+Z\",\"lock_id\":\"x\"\\}\\}\n"
                  + "\\{\"id\":\"dev:b\",.*\"locked_by\":null\\}\n"
                  + "\\{\"id\":\"dev:c\",\"updated_at\":null,\"age_seconds\":null,\"bytes\":null,"
                  + "\"streams\":null,\"state\":\"unreadable\",\"fault\":\"column completed_state: line"
                  + " 1, column 1: expected an object, found an array\",\"locked_by\":null\\}\n");
      assertThat(run("list", "-o", "table").out())
          .containsPattern("dev:a +\\S+Z +\\d s +20 B +- +complete +the Meltano plugin\n");
    }

    @Test
    void whereThereAreNoTablesNothingIsListedOrMade() {
      assertThat(run("list", "-o", "json")).isEqualTo(new Outcome(0, "[]\n", ""));
      assertThat(run("list", "-o", "table")).isEqualTo(new Outcome(0, "", ""));
      assertThat(
              clickHouse.query(
                  "SELECT count() FROM system.databases WHERE name = '" + schema + "'"))
          .isEqualTo("0");
    }

    @Test
    void whatIsLockedIsLeftAndTheRestCleared() {
      for (String id : new String[] {"dev:a", "dev:b", "dev:c", "prod:a"}) {
        run("set", id, "{\"singer_state\": {}}");
      }
      clickHouse.execute(
          "INSERT INTO %s.state_lock (state_id, lock_id) VALUES ('dev:b', 'x')".formatted(schema));

      Outcome outcome = run("clear", "--pattern=dev:*", "-y", "--wait=0");

      assertThat(outcome.code()).isEqualTo(8);
      assertThat(outcome.err())
          .matches(
              "statectl: not cleared: 'dev:b': the lock of 'dev:b' is held by the Meltano plugin .*\n"
                  + "statectl: cleared 2 of 3 states in \\S+ "
                  + schema
                  + ".state; 1 not cleared\n");
      assertThat(run("list").out()).isEqualTo("dev:b\nprod:a\n");
      assertThat(run("clear", "--pattern=dev:*", "-y", "--wait=0").code()).isEqualTo(4);
    }

    private Outcome run(String... args) {
      return RunStatectl.in(directory)
          .variable("MELTANO_STATE_BACKEND_URI", clickHouse.endpoint().uri())
          .variable("MELTANO_STATE_BACKEND_CLICKHOUSE_SCHEMA", schema)
          .run(args);
    }
  }
}
