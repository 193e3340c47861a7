package dev.statectl.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.statectl.cli.RunStatectl.Outcome;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What set, merge, import and edit do about a change that is hardly meant. */
class GuardRailsTest {
  private static final String STORED =
      "{\"singer_state\": {\"bookmarks\": {\"a\": {\"k\": 5}, \"b\": {\"k\": 5}}}}";
  private static final String ONWARD = STORED.replace('5', '6');
  private static final String BACK = STORED.replace("\"b\": {\"k\": 5}", "\"b\": {\"k\": 4}");
  private static final String GOES_BACK = "1 bookmark goes backwards: b/k";
  private static final String WARNING = "statectl: warning: 'dev:a': " + GOES_BACK + "\n";
  private static final String REFUSED =
      "statectl: the state of 'dev:a' was not changed: "
          + GOES_BACK
          + "; give --force to do it all the same\n";

  @TempDir private Path directory;
  private Path store;
  private String target;
  private String before;

  @BeforeEach
  void storeAState() throws IOException {
    store = directory.resolve("s.json");
    target = "memory:" + store;
    before = export("dev:a", STORED);
    Files.writeString(store, before);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "{\"singer_state\": {}} | nothing is left of the state; 2 streams disappear: a, b",
        "{\"singer_state\": {\"bookmarks\": {\"b\": {\"k\": 5}}}} | 1 stream disappears: a",
        "{\"singer_state\": {\"bookmarks\": {\"a\": {\"k\": 4}, \"b\": {\"k\": 4}}}} | 2 bookmarks go backwards: a/k, b/k",
        "{\"singer_state\": {\"bookmarks\": {\"b\": {\"k\": 4}}}} | 1 stream disappears: a; 1 bookmark goes backwards: b/k",
      })
  void setRefusesADoubtfulChangeAlsoWithConsentAndForceOverrides(String document, String doubts) {
    assertThat(run("set", "-y", "dev:a", document))
        .isEqualTo(
            new Outcome(
                2,
                "",
                "statectl: the state of 'dev:a' was not changed: "
                    + doubts
                    + "; give --force to do it all the same\n"));
    assertThat(run("set", "dev:a", document))
        .isEqualTo(
            new Outcome(
                2,
                "",
                "statectl: this would overwrite the state of 'dev:a' in "
                    + target
                    + " (63 bytes); "
                    + doubts
                    + "; give --force to do it all the same; nothing was changed\n"));
    assertThat(store).hasContent(before);

    assertThat(run("set", "--force", "dev:a", document))
        .isEqualTo(
            new Outcome(
                0,
                "",
                warnings(doubts)
                    + "statectl: set 'dev:a' in "
                    + target
                    + " ("
                    + document.length()
                    + " bytes)\n"));
    assertThat(run("get", "dev:a").out()).isEqualTo(document + "\n");
  }

  @Test
  void aStateThatGrowsTenfoldIsDoubtfulAndOnePastOneMegabyteIsWorthAWarning() throws IOException {
    String grown = padded(ONWARD, 10_100);
    String large = padded(ONWARD, 1_000_001);
    Files.writeString(directory.resolve("grown.json"), grown);
    Files.writeString(directory.resolve("large.json"), large);

    assertThat(run("set", "-y", "dev:a", "--input-file=grown.json"))
        .isEqualTo(
            new Outcome(
                2,
                "",
                "statectl: the state of 'dev:a' was not changed: the state grows from 63 to 10100"
                    + " bytes; give --force to do it all the same\n"));
    assertThat(run("set", "--force", "dev:a", "--input-file=grown.json").err())
        .startsWith("statectl: warning: 'dev:a': the state grows from 63 to 10100 bytes\n");
    assertThat(run("set", "dev:new", "--input-file=large.json"))
        .isEqualTo(
            new Outcome(
                0,
                "",
                "statectl: warning: 'dev:new': the state has 1000001 bytes; every write of the"
                    + " pipeline stores them all\nstatectl: set 'dev:new' in "
                    + target
                    + " (1000001 bytes)\n"));
  }

  @Test
  void anOrdinaryChangeNeedsNoForce() {
    assertThat(run("set", "-y", "dev:a", ONWARD).err()).startsWith("statectl: set 'dev:a'");
    assertThat(run("merge", "dev:a", ONWARD).err()).startsWith("statectl: merged into");
    assertThat(run("set", "dev:new", "{\"singer_state\": {}}").code()).isZero();
  }

  @Test
  void aDryRunShowsTheDoubts() {
    String dry = "statectl: dry run: nothing was changed; give --force to do it all the same\n";

    assertThat(run("set", "--dry-run", "dev:a", BACK))
        .isEqualTo(
            new Outcome(
                0,
                "",
                WARNING
                    + "statectl: would overwrite the state of 'dev:a' in "
                    + target
                    + " (63 bytes)\n"
                    + dry));
    assertThat(run("merge", "--dry-run", "--force", "dev:a", BACK))
        .isEqualTo(
            new Outcome(
                0,
                BACK + "\n",
                WARNING
                    + "statectl: would merge into the state of 'dev:a' in "
                    + target
                    + " (63 bytes before, 126 bytes after)\n"
                    + "statectl: dry run: nothing was changed\n"));
    assertThat(editing(BACK).run("edit", "--dry-run", "dev:a").err())
        .isEqualTo(
            WARNING
                + "statectl: would replace the state of 'dev:a' in "
                + target
                + " (63 bytes) by 63 bytes\n"
                + dry);
    assertThat(store).hasContent(before);
  }

  @Test
  void aPersonIsToldTheDoubtsBeforeTheQuestionAndAYesIsEnough() {
    RunStatectl no = plain().answering("n");
    assertThat(no.run("set", "dev:a", BACK))
        .isEqualTo(new Outcome(1, "", WARNING + "statectl: nothing was changed\n"));
    assertThat(store).hasContent(before);

    RunStatectl yes = plain().answering("y");
    assertThat(yes.run("set", "dev:a", BACK))
        .isEqualTo(
            new Outcome(0, "", WARNING + "statectl: set 'dev:a' in " + target + " (63 bytes)\n"));
    assertThat(yes.questions())
        .containsExactly("Overwrite the state of 'dev:a' in " + target + " (63 bytes)? [y/N] ");
  }

  @Test
  void consentOnATerminalIsNoForce() {
    RunStatectl run = plain().answering("y");

    assertThat(run.run("set", "-y", "dev:a", BACK)).isEqualTo(new Outcome(2, "", REFUSED));
    assertThat(run.questions()).isEmpty();
  }

  @Test
  void mergeAsksOnlyAboutADoubt() {
    assertThat(run("merge", "dev:a", BACK)).isEqualTo(new Outcome(2, "", REFUSED));
    assertThat(run("merge", "-y", "dev:a", BACK)).isEqualTo(new Outcome(2, "", REFUSED));
    assertThat(store).hasContent(before);
    String done =
        "statectl: merged into the state of 'dev:a' in "
            + target
            + " (63 bytes before, 126 bytes after)\n";

    RunStatectl yes = plain().answering("n", "y");
    assertThat(yes.run("merge", "dev:a", BACK))
        .isEqualTo(new Outcome(1, "", WARNING + "statectl: nothing was changed\n"));
    assertThat(store).hasContent(before);
    assertThat(yes.run("merge", "dev:a", BACK)).isEqualTo(new Outcome(0, "", WARNING + done));
    assertThat(yes.questions().get(0))
        .isEqualTo(
            "Merge into the state of 'dev:a' in "
                + target
                + " (63 bytes before, 126 bytes after)? [y/N] ");
  }

  @Test
  void mergeOfOtherStatesHasTheSameGuardRails() {
    assertThat(run("set", "dev:back", BACK).code()).isZero();

    assertThat(run("merge", "dev:a", "--from-state-id=dev:back"))
        .isEqualTo(new Outcome(2, "", REFUSED));
    assertThat(run("merge", "--force", "dev:a", "--from-state-id=dev:back").err())
        .startsWith(WARNING + "statectl: merged into");
  }

  @ParameterizedTest
  @ValueSource(strings = {"--quiet", "-y"})
  void editRefusesAndKeepsTheText(String option) throws IOException {
    Outcome outcome = editing(BACK).run("edit", option, "dev:a");

    Path kept = kept();
    assertThat(outcome)
        .isEqualTo(
            option.equals("-y")
                ? new Outcome(2, "", "statectl: your text is kept in " + kept + "\n" + REFUSED)
                : new Outcome(
                    2,
                    "",
                    "statectl: this would replace the state of 'dev:a' in "
                        + target
                        + " (63 bytes) by 63 bytes; "
                        + GOES_BACK
                        + "; give --force to do it all the same; nothing was changed; your text is"
                        + " kept in "
                        + kept
                        + "\n"));
    assertThat(kept).hasContent(BACK);
    assertThat(store).hasContent(before);
  }

  @Test
  void editIsForcedOrAgreedTo() {
    RunStatectl asked = editing(BACK).answering("y");
    String done = "statectl: stored 'dev:a' in " + target + " (63 bytes)\n";
    assertThat(asked.run("edit", "dev:a")).isEqualTo(new Outcome(0, "", WARNING + done));
    assertThat(asked.questions())
        .containsExactly(
            "Replace the state of 'dev:a' in " + target + " (63 bytes) by 63 bytes? [y/N] ");

    assertThat(run("set", "-y", "dev:a", STORED).code()).isZero();
    assertThat(editing(BACK).run("edit", "--force", "dev:a"))
        .isEqualTo(new Outcome(0, "", WARNING + done));
  }

  @Test
  void importStartsWithNothingWhereOneStateIsDoubtful() throws IOException {
    Files.writeString(
        directory.resolve("e.json"),
        "{\"dev:a\": {\"completed\": " + BACK + "}, \"dev:b\": {\"completed\": " + STORED + "}}");
    String refused =
        "statectl: this would import 2 states into "
            + target
            + " (1 new, 1 overwritten); "
            + GOES_BACK
            + "; give --force to do it all the same; nothing was changed\n";

    assertThat(run("import", "--if-exists=overwrite", "e.json"))
        .isEqualTo(new Outcome(2, "", refused));
    assertThat(run("import", "-y", "--if-exists=overwrite", "e.json"))
        .isEqualTo(new Outcome(2, "", refused));
    assertThat(run("import", "--dry-run", "--if-exists=overwrite", "e.json").err())
        .isEqualTo(
            WARNING
                + "statectl: would import 2 states into "
                + target
                + " (1 new, 1 overwritten)\nstatectl: dry run: nothing was changed; give --force to do it all the same\n");
    assertThat(store).hasContent(before);
    assertThat(run("import", "--if-exists=skip", "e.json").err())
        .isEqualTo(
            "statectl: imported into " + target + ": created 1, updated 0, skipped 1, failed 0\n");
    assertThat(run("import", "--force", "--if-exists=overwrite", "e.json").err())
        .isEqualTo(
            WARNING
                + "statectl: imported into "
                + target
                + ": created 0, updated 2, skipped 0, failed 0\n");
  }

  @Test
  void importNamesEveryDoubt() throws IOException {
    Files.writeString(
        store,
        "{\"dev:a\": {\"completed\": " + STORED + "}, \"dev:b\": {\"completed\": " + STORED + "}}");
    Files.writeString(
        directory.resolve("e.json"),
        "{\"dev:a\": {\"completed\": " + BACK + "}, \"dev:b\": {\"completed\": {}}}");
    String warnings =
        WARNING
            + "statectl: warning: 'dev:b': nothing is left of the state\n"
            + "statectl: warning: 'dev:b': 2 streams disappear: a, b\n";

    assertThat(run("import", "-y", "--if-exists=overwrite", "e.json"))
        .isEqualTo(
            new Outcome(
                2,
                "",
                warnings
                    + "statectl: this would import 2 states into "
                    + target
                    + " (0 new, 2 overwritten); 2 of these changes are doubtful; give --force to do"
                    + " it all the same; nothing was changed\n"));
    RunStatectl yes = plain().answering("y");
    assertThat(yes.run("import", "--if-exists=overwrite", "e.json"))
        .isEqualTo(
            new Outcome(
                0,
                "",
                warnings
                    + "statectl: imported into "
                    + target
                    + ": created 0, updated 2, skipped 0, failed 0\n"));
    assertThat(yes.questions())
        .containsExactly("Import 2 states into " + target + " (0 new, 2 overwritten)? [y/N] ");
  }

  @Test
  void namesThatWouldBreakALineAreEscaped() {
    String odd = "{\"singer_state\": {\"bookmarks\": {\"x\\ny\": 1}}}";
    assertThat(run("set", "dev:odd", odd).code()).isZero();

    assertThat(run("set", "-y", "dev:odd", "{\"singer_state\": {}}").err())
        .isEqualTo(
            "statectl: the state of 'dev:odd' was not changed: nothing is left of the state; 1"
                + " stream disappears: x\\ny; give --force to do it all the same\n");
  }

  @Test
  void putAndUnsetHaveNoDoubtsAboutContent() {
    assertThat(run("put", "-y", "dev:a", "/singer_state/bookmarks/b/k", "4").code()).isZero();
    assertThat(run("unset", "-y", "dev:a", "/singer_state/bookmarks/a").code()).isZero();
    assertThat(run("reset", "-y", "dev:a", "--stream=b").code()).isZero();
  }

  private static String warnings(String doubts) {
    return Stream.of(doubts.split("; "))
        .map(doubt -> "statectl: warning: 'dev:a': " + doubt + "\n")
        .reduce("", String::concat);
  }

  private static String padded(String document, int bytes) {
    String frame = document.substring(0, document.length() - 1) + ", \"pad\": \"\"}";
    return frame.replace("\"\"}", "\"" + "x".repeat(bytes - frame.length()) + "\"}");
  }

  private static String export(String id, String completed) {
    return "{\"" + id + "\": {\"completed\": " + completed + "}}";
  }

  private RunStatectl editing(String text) {
    try {
      Files.createDirectories(directory.resolve("tmp"));
      Files.writeString(directory.resolve("text"), text);
    } catch (IOException e) {
      throw new AssertionError(e);
    }
    return plain()
        .variable("TMPDIR", directory.resolve("tmp").toString())
        .variable("EDITOR", "cp " + directory.resolve("text"));
  }

  private Path kept() throws IOException {
    try (Stream<Path> files = Files.walk(directory.resolve("tmp"))) {
      return files.filter(Files::isRegularFile).findFirst().orElseThrow();
    }
  }

  private RunStatectl plain() {
    return RunStatectl.in(directory).variable("MELTANO_STATE_BACKEND_URI", "memory:s.json");
  }

  private Outcome run(String... args) {
    return plain().run(args);
  }
}
