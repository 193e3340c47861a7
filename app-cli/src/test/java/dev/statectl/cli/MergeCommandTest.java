package dev.statectl.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.statectl.cli.RunStatectl.Outcome;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class MergeCommandTest {
  private static final String STORED =
      "{\"a\": {\"completed\": {\"singer_state\": {\"x\": 1.0}}, \"partial\": {\"singer_state\":"
          + " {\"y\": [1], \"n\":NaN}}},\n"
          + "\"b\": {\"completed\": {\"singer_state\": {\"y\": 2, \"z\": 2}}, \"partial\": {}},\n"
          + "\"c\": {\"completed\": {}, \"partial\": {\"singer_state\": {\"z\": 3}}}}\n";

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
  void aDocumentIsLaidOverThePartialState() {
    assertThat(run("merge", "a", "{\"singer_state\": {\"y\": [], \"w\": {}}}"))
        .isEqualTo(
            new Outcome(
                0,
                "",
                "statectl: merged into the state of 'a' in "
                    + target
                    + " (65 bytes before, 73 bytes after)\n"));
    assertThat(store)
        .content()
        .startsWith(
            "{\"a\": {\"completed\": {\"singer_state\": {\"x\": 1.0}}, \"partial\": {\"singer_state\":"
                + " {\"y\": [], \"n\":NaN, \"w\": {}}}},\n\"b\"");
  }

  @Test
  void aNewIdGetsAPartialState() {
    assertThat(run("merge", "new", "{\"singer_state\": {}}"))
        .isEqualTo(
            new Outcome(
                0,
                "",
                "statectl: merged into the state of 'new' in "
                    + target
                    + " (nothing before, 20 bytes after)\n"));
    assertThat(store)
        .content()
        .endsWith(",\n\"new\": {\"completed\": {}, \"partial\": {\"singer_state\": {}}}}\n");
  }

  @Test
  void statesOfOtherIdsAreMergedInTheirOrder() {
    assertThat(run("merge", "a", "--from-state-id=b", "--from-state-id", "c").code()).isZero();
    assertThat(run("get", "a").out())
        .isEqualTo("{\"singer_state\": {\"x\": 1.0, \"y\": 2, \"n\":NaN, \"z\": 3}}\n");

    assertThat(run("merge", "--from-state-id=c", "--from-state-id", "b", "a").code()).isZero();
    assertThat(run("get", "a").out())
        .isEqualTo("{\"singer_state\": {\"x\": 1.0, \"y\": 2, \"n\":NaN, \"z\": 2}}\n");
  }

  @Test
  void aMissingSourceEndsWithThreeAndChangesNothing() {
    assertThat(run("merge", "a", "--from-state-id=b", "--from-state-id=missing"))
        .isEqualTo(new Outcome(3, "", "statectl: no state with the id 'missing'\n"));
    assertThat(run("merge", "new", "--dry-run", "--from-state-id=missing"))
        .isEqualTo(new Outcome(3, "", "statectl: no state with the id 'missing'\n"));
    assertThat(store).hasContent(STORED);
  }

  @Test
  void aDryRunPrintsWhatGetWouldPrintAfterwardsAndChangesNothing() {
    String document = "{\"singer_state\": {\"y\": {\"v\": 1e3}}}";

    Outcome dry = run("merge", "--dry-run", "a", document);

    assertThat(dry)
        .isEqualTo(
            new Outcome(
                0,
                "{\"singer_state\": {\"x\": 1.0, \"y\": {\"v\": 1e3}, \"n\":NaN}}\n",
                "statectl: would merge into the state of 'a' in "
                    + target
                    + " (65 bytes before, 72 bytes after)\n"
                    + "statectl: dry run: nothing was changed\n"));
    assertThat(store).hasContent(STORED);
    assertThat(run("merge", "a", document).err()).contains("(65 bytes before, 72 bytes after)");
    assertThat(run("get", "a").out()).isEqualTo(dry.out());
  }

  @Test
  void nobodyIsAskedWithOrWithoutConsent() {
    RunStatectl run = RunStatectl.in(directory).variable("MELTANO_STATE_BACKEND_URI", "memory:s");

    assertThat(run.answering("n").run("merge", "a", "{\"singer_state\": {}}").code()).isZero();
    assertThat(run.answering("n").run("merge", "-y", "a", "{\"singer_state\": {}}").code())
        .isZero();
    assertThat(run.questions()).isEmpty();
  }

  @Test
  void theDocumentMayComeFromAFileOrStandardInput() throws IOException {
    Files.writeString(directory.resolve("in.json"), "{\"singer_state\": {\"f\": 1}}");

    assertThat(run("merge", "a", "--input-file=in.json").code()).isZero();
    assertThat(
            RunStatectl.in(directory)
                .variable("MELTANO_STATE_BACKEND_URI", "memory:s")
                .input("{\"singer_state\": {\"i\": 2}}\n")
                .run("merge", "a", "--input-file", "-")
                .code())
        .isZero();
    assertThat(run("get", "a").out())
        .isEqualTo("{\"singer_state\": {\"x\": 1.0, \"y\": [1], \"n\":NaN, \"f\": 1, \"i\": 2}}\n");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "merge a | what to merge is missing: give STATE, --input-file=FILE, --input-file=- or --from-state-id=ID",
        "merge a {} --input-file=f | give one of STATE, --input-file and --from-state-id, not STATE and --input-file",
        "merge a {} --from-state-id=b | give one of STATE, --input-file and --from-state-id, not STATE and --from-state-id",
        "merge a --input-file=f --from-state-id=b | give one of STATE, --input-file and --from-state-id, not --input-file and --from-state-id",
        "merge a {} --input-file=f --from-state-id=b | give one of STATE, --input-file and --from-state-id, not STATE and --input-file and --from-state-id",
        "merge a --from-state-id=b --no-validate | --no-validate is for STATE and --input-file only",
        "merge a --from-state-id=b --from-state-id=a | 'a' cannot be merged into itself",
        "merge a --dry-run --from-state-id=a | 'a' cannot be merged into itself",
      })
  void thereIsExactlyOneKindOfSource(String line, String message) {
    assertThat(run(line.split(" ")))
        .isEqualTo(
            new Outcome(
                2, "", "statectl: " + message + "\nstatectl: see 'statectl merge --help'\n"));
    assertThat(store).hasContent(STORED);
  }

  @Test
  void aBlankIdIsAWrongCommandLine() {
    assertThat(run("merge", " ", "{\"singer_state\": {}}"))
        .isEqualTo(
            new Outcome(
                2,
                "",
                "statectl: a state id must not be blank\nstatectl: see 'statectl merge --help'\n"));
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void whatIsNoStateIsRefused(boolean dryRun) {
    String[] args =
        dryRun ? new String[] {"merge", "--dry-run", "a", "{}"} : new String[] {"merge", "a", "{}"};

    assertThat(run(args))
        .isEqualTo(
            new Outcome(
                1,
                "",
                "statectl: STATE: at /singer_state: missing at the top of the document"
                    + " (--no-validate stores it all the same); nothing was changed\n"));
    assertThat(run("merge", "--no-validate", "a", "{\"other\": 1}").code()).isZero();
    assertThat(run("get", "a").out())
        .isEqualTo("{\"singer_state\": {\"x\": 1.0, \"y\": [1], \"n\":NaN}, \"other\": 1}\n");
  }

  private Outcome run(String... args) {
    return RunStatectl.in(directory).variable("MELTANO_STATE_BACKEND_URI", "memory:s").run(args);
  }
}
