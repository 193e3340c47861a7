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
import org.junit.jupiter.params.provider.ValueSource;

/** The commands {@code copy} and {@code move}. */
class TransferCommandsTest {
  private static final String A =
      "{\"completed\": { \"x\": 1.0 }, \"partial\": {\"half\":\"\\ud83d\",\"n\":NaN}}";
  private static final String B = "{\"completed\": {\"y\": 1}, \"partial\": {}}";
  private static final String STORED = "{\"a\": " + A + ",\n\"b\": " + B + "}\n";

  @TempDir private Path directory;
  private Path store;
  private String target;

  @BeforeEach
  void fill() throws IOException {
    store = directory.resolve("s");
    Files.writeString(store, STORED);
    target = "memory:" + store;
  }

  @Test
  void aCopyHasBothHalvesAsTheyAreAndNobodyIsAsked() {
    RunStatectl run = run().answering("n");

    assertThat(run.run("copy", "a", "c"))
        .isEqualTo(
            new Outcome(0, "", "statectl: copied 'a' to 'c' in " + target + " (37 bytes)\n"));
    assertThat(run.questions()).isEmpty();
    assertThat(store).hasContent("{\"a\": " + A + ",\n\"b\": " + B + ",\n\"c\": " + A + "}\n");
  }

  @Test
  void aMoveHasBothHalvesAsTheyAreAndNobodyIsAsked() {
    RunStatectl run = run().answering("n");

    assertThat(run.run("move", "a", "c"))
        .isEqualTo(new Outcome(0, "", "statectl: moved 'a' to 'c' in " + target + " (37 bytes)\n"));
    assertThat(run.questions()).isEmpty();
    assertThat(store).hasContent("{\"b\": " + B + ",\n\"c\": " + A + "}\n");
  }

  @ParameterizedTest
  @ValueSource(strings = {"copy", "move"})
  void beforeAStateIsOverwrittenAPersonIsAsked(String verb) throws IOException {
    String besides = verb.equals("move") ? ", and delete 'a'" : "";
    RunStatectl run = run().answering("no", "yes");
    String question =
        "Overwrite the state of 'b' in "
            + target
            + " (8 bytes) with that of 'a'"
            + besides
            + "? [y/N] ";

    assertThat(run.run(verb, "a", "b"))
        .isEqualTo(new Outcome(1, "", "statectl: nothing was changed\n"));
    assertThat(store).hasContent(STORED);
    assertThat(run.run(verb, "a", "b").code()).isZero();
    assertThat(run.questions()).containsExactly(question, question);
    assertThat(store)
        .hasContent(
            verb.equals("copy")
                ? "{\"a\": " + A + ",\n\"b\": " + A + "}\n"
                : "{\"b\": " + A + "}\n");

    Files.writeString(store, STORED);
    assertThat(run(verb, "a", "b"))
        .isEqualTo(
            new Outcome(
                2,
                "",
                "statectl: this would overwrite the state of 'b' in "
                    + target
                    + " (8 bytes) with that of 'a'"
                    + besides
                    + "; give --yes to do it; nothing was changed\n"));
    assertThat(run(verb, "--yes", "a", "b").code()).isZero();
  }

  @ParameterizedTest
  @ValueSource(strings = {"copy", "move"})
  void aDryRunSaysThePlanAndChangesNothing(String verb) {
    assertThat(run(verb, "--dry-run", "a", "c"))
        .isEqualTo(
            new Outcome(
                0,
                "",
                "statectl: would "
                    + verb
                    + " 'a' to 'c' in "
                    + target
                    + " (37 bytes)\nstatectl: dry run: nothing was changed\n"));
    assertThat(run(verb, "--dry-run", "--yes", "a", "b").err())
        .startsWith("statectl: would overwrite the state of 'b' in " + target + " (8 bytes) with");
    assertThat(store).hasContent(STORED);
  }

  @ParameterizedTest
  @ValueSource(strings = {"copy", "move"})
  void aMissingSourceEndsWithThreeAndLeavesTheDestination(String verb) {
    for (String[] args : new String[][] {{verb, "x", "b"}, {verb, "--yes", "x", "b"}}) {
      assertThat(run(args)).isEqualTo(new Outcome(3, "", "statectl: no state with the id 'x'\n"));
    }
    assertThat(store).hasContent(STORED);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "a a | 'a' is both source and destination",
        "a | give SRC and DST, or --pattern and --to",
        "`` | give SRC and DST, or --pattern and --to",
        "a b --pattern=a* --to=b* | give either SRC and DST, or --pattern and --to, not both",
        "--pattern=a* | --pattern and --to belong together, --to is missing",
        "--to=a* | --pattern and --to belong together, --pattern is missing",
        "--pattern=a --to=b* | the pattern must hold exactly one *, it holds 0",
        "--pattern=*a* --to=b* | the pattern must hold exactly one *, it holds 2",
        "--pattern=a* --to=b | the pattern of the new ids must hold exactly one *, it holds 0",
        "--pattern=* --to=a* | 'a' -> 'aa': the destination is picked as a source, too; take a narrower pattern",
      })
  void aPlanThatMakesNoSenseIsAWrongCommandLine(String line, String message) throws IOException {
    String more = "{\"aa\": " + A + ",\n" + STORED.substring(1);
    Files.writeString(store, more);
    for (String verb : new String[] {"copy", "move"}) {
      String[] args = (verb + " --yes " + line).strip().split(" ");

      assertThat(run(args))
          .isEqualTo(
              new Outcome(
                  2,
                  "",
                  "statectl: " + message + "\nstatectl: see 'statectl " + verb + " --help'\n"));
    }
    assertThat(store).hasContent(more);
  }

  @Test
  void manyAreMovedAfterOneQuestionForAll() throws IOException {
    Files.writeString(
        store,
        "{\"prod:b\": "
            + B
            + ", \"staging:a\": "
            + A
            + ", \"staging:b\": "
            + A
            + ", \"x\": "
            + B
            + "}");
    RunStatectl run = run().answering("y");

    assertThat(run.run("move", "--pattern=staging:*", "--to=prod:*"))
        .isEqualTo(
            new Outcome(
                0,
                "",
                "statectl:   'staging:a' -> 'prod:a'\n"
                    + "statectl:   'staging:b' -> 'prod:b' (overwrites)\n"
                    + "statectl: moved 2 states in "
                    + target
                    + "\n"));
    assertThat(run.questions())
        .containsExactly("Move 2 states in " + target + ", overwriting 1? [y/N] ");
    assertThat(store)
        .hasContent("{\"prod:a\": " + A + ",\n\"prod:b\": " + A + ",\n\"x\": " + B + "}\n");
  }

  @Test
  void aLongPlanIsCutShort() throws IOException {
    StringBuilder many = new StringBuilder("{");
    for (int i = 10; i < 33; i++) {
      many.append(i == 10 ? "" : ",").append("\"s:").append(i).append("\": {}");
    }
    Files.writeString(store, many.append("}"));

    Outcome dry = run("copy", "--dry-run", "--pattern=s:*", "--to=t:*");

    assertThat(dry.err().lines())
        .hasSize(23)
        .startsWith("statectl:   's:10' -> 't:10'", "statectl:   's:11' -> 't:11'")
        .endsWith(
            "statectl:   's:29' -> 't:29'",
            "statectl:   and 3 more",
            "statectl: would copy 23 states in " + target,
            "statectl: dry run: nothing was changed");
  }

  @Test
  void aPatternThatPicksNothingEndsWithThree() {
    assertThat(run("copy", "--pattern=zz*", "--to=y*"))
        .isEqualTo(
            new Outcome(
                3, "", "statectl: no id in " + target + " matches zz*; nothing was changed\n"));
  }

  @Test
  void aFailureInTheMiddleLetsTheOthersBeDone() {
    TestClickHouse clickHouse = TestClickHouse.shared();
    RunStatectl run = onClickHouse(clickHouse);
    for (String id : new String[] {"s:1", "s:2", "s:3"}) {
      assertThat(run.run("set", id, "{\"singer_state\": {}}").code()).isZero();
    }
    clickHouse.execute(
        "INSERT INTO "
            + schema
            + ".state_lock (state_id, lock_id) VALUES ('s:2', '11111111-0000-0000-0000-000000000000')");

    Outcome moved = run.run("move", "--yes", "--wait=0", "--pattern=s:*", "--to=t:*");

    assertThat(moved.code()).isEqualTo(8);
    assertThat(moved.err().lines())
        .hasSize(2)
        .anySatisfy(
            line ->
                assertThat(line)
                    .startsWith(
                        "statectl: not moved: 's:2' -> 't:2': the lock of 's:2' is held by"))
        .anySatisfy(
            line ->
                assertThat(line)
                    .startsWith("statectl: moved 2 of 3 states in ")
                    .endsWith("; 1 not moved"));
    assertThat(run.run("list").out()).isEqualTo("s:2\nt:1\nt:3\n");

    assertThat(run.run("move", "--yes", "--wait=0", "--pattern=s:*", "--to=t:*").code())
        .as("nothing was done, so it ends as the one failure does")
        .isEqualTo(4);
  }

  private String schema = "";

  private RunStatectl onClickHouse(TestClickHouse clickHouse) {
    schema = clickHouse.freshSchema();
    return RunStatectl.in(directory)
        .variable("MELTANO_STATE_BACKEND_URI", clickHouse.uri())
        .variable("MELTANO_STATE_BACKEND_CLICKHOUSE_SCHEMA", schema);
  }

  private RunStatectl run() {
    return RunStatectl.in(directory).variable("MELTANO_STATE_BACKEND_URI", "memory:s");
  }

  private Outcome run(String... args) {
    return run().run(args);
  }
}
