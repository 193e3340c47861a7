package dev.statectl.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.statectl.cli.RunStatectl.Outcome;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code edit} with scripts for editors. */
class EditCommandTest {
  private static final String ODD =
      "{\"singer_state\":{\"a\":1.0,\"b\":1e3,\"n\":NaN,\"s\":\"\\ud83d \\u0000\",\"a\":2}}";

  @TempDir private Path directory;
  private Path store;
  private Path temporary;
  private String target;

  @BeforeEach
  void storeAState() throws IOException {
    store = directory.resolve("s.json");
    temporary = Files.createDirectory(directory.resolve("tmp"));
    target = "memory:" + store;
    Files.writeString(
        store,
        "{\"dev:a\": {\"completed\": " + ODD + ", \"partial\": {\"singer_state\": {\"p\": 7}}}}");
  }

  @Test
  void anEditorThatRemovesTheFileIsToldSo() throws IOException {
    byte[] before = Files.readAllBytes(store);

    assertThat(editor("rm \"$1\"").run("edit", "dev:a"))
        .isEqualTo(
            new Outcome(
                1,
                "",
                "statectl: the editor left no file behind: it was removed; nothing was changed\n"));
    assertThat(Files.readAllBytes(store)).isEqualTo(before);
    assertThat(temporary).isEmptyDirectory();
  }

  @Test
  void theEditorGetsWhatGetPrintsAndAnUnchangedTextIsNotStored() throws IOException {
    byte[] before = Files.readAllBytes(store);

    assertThat(editor("cat \"$1\" > seen").run("edit", "dev:a"))
        .isEqualTo(new Outcome(0, "", "statectl: no change\n"));

    assertThat(Files.readString(directory.resolve("seen")))
        .isEqualTo(plain().run("get", "dev:a", "--format=pretty").out())
        .contains("\"a\": 1.0", "\"b\": 1e3", "NaN", "\"\\ud83d \\u0000\"", "\"p\": 7");
    assertThat(Files.readAllBytes(store)).isEqualTo(before);
    assertThat(temporary).isEmptyDirectory();
  }

  @Test
  void whiteSpaceAloneIsNoChange() throws IOException {
    byte[] before = Files.readAllBytes(store);

    assertThat(editor("tr -d '\\n' < \"$1\" > x; cat x > \"$1\"").run("edit", "dev:a"))
        .isEqualTo(new Outcome(0, "", "statectl: no change\n"));
    assertThat(Files.readAllBytes(store)).isEqualTo(before);
  }

  @Test
  void whatIsSavedBecomesTheCompletedHalfAsItIsSpelt() {
    assertThat(editor("sed -i 's/1e3/1E+03/' \"$1\"").run("edit", "dev:a"))
        .isEqualTo(new Outcome(0, "", "statectl: stored 'dev:a' in " + target + " (120 bytes)\n"));

    assertThat(plain().run("get", "dev:a").out())
        .isEqualTo(
            """
            {
              "singer_state": {
                "a": 1.0,
                "b": 1E+03,
                "n": NaN,
                "s": "\\ud83d \\u0000",
                "a": 2,
                "p": 7
              }
            }
            """);
    assertThat(store).content().contains("\"partial\": {}");
    assertThat(temporary).isEmptyDirectory();
  }

  @Test
  void aNewIdBeginsEmptyAndIsStoredOnlyWhenChanged() {
    assertThat(editor("cat \"$1\" > seen").run("edit", "dev:new").err())
        .isEqualTo("statectl: no change\n");
    assertThat(directory.resolve("seen")).hasContent("{\n  \"singer_state\": {}\n}\n");
    assertThat(plain().run("list").out()).isEqualTo("dev:a\n");

    assertThat(writing("{\"singer_state\": {\"x\": 1}}").run("edit", "dev:new").err())
        .isEqualTo("statectl: stored 'dev:new' in " + target + " (26 bytes)\n");
    assertThat(plain().run("get", "dev:new").out()).isEqualTo("{\"singer_state\": {\"x\": 1}}\n");
  }

  @Test
  void aBrokenTextIsShownAndTheEditorOpensAgainWithIt() throws IOException {
    RunStatectl run =
        editor(
                "cat \"$1\" >> seen; if [ -e once ]; then echo '{\"singer_state\": {\"x\": 1}}' >"
                    + " \"$1\"; else touch once; echo '{\"singer_state\": x}' > \"$1\"; fi")
            .answering("");

    assertThat(run.run("edit", "dev:a"))
        .isEqualTo(
            new Outcome(
                0,
                "",
                "statectl: your text: line 1, column 18: unexpected 'x'; nothing was changed\n"
                    + "statectl: stored 'dev:a' in "
                    + target
                    + " (26 bytes)\n"));
    assertThat(run.questions()).containsExactly("Edit again? [Y/n] ");
    assertThat(Files.readString(directory.resolve("seen"))).endsWith("{\"singer_state\": x}\n");
    assertThat(temporary).isEmptyDirectory();
  }

  @Test
  void whoHasEnoughOfABrokenTextFindsItInAFile() throws IOException {
    RunStatectl run = writing("{\"singer_state\": x}").answering("n");

    Outcome outcome = run.run("edit", "dev:a");

    assertThat(outcome.code()).isEqualTo(1);
    assertThat(outcome.err())
        .isEqualTo(
            "statectl: your text: line 1, column 18: unexpected 'x'; nothing was changed\n"
                + "statectl: nothing was changed; your text is kept in "
                + kept()
                + "\n");
    assertThat(kept()).hasContent("{\"singer_state\": x}\n");
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(kept())))
        .isEqualTo("rw-------");
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(kept().getParent())))
        .isEqualTo("rwx------");
  }

  @Test
  void withoutATerminalABrokenTextIsKeptAtOnce() throws IOException {
    Outcome outcome = writing("{}").run("edit", "dev:a");

    assertThat(outcome.code()).isEqualTo(1);
    assertThat(outcome.err())
        .isEqualTo(
            "statectl: your text: at /singer_state: missing at the top of the document"
                + " (--no-validate stores it all the same); nothing was changed; your text is kept"
                + " in "
                + kept()
                + "\n");
    assertThat(writing("{}").run("edit", "dev:a", "--no-validate", "--force").code()).isZero();
  }

  @Test
  void aChangeBySomebodyElseIsNotOverwritten() throws IOException {
    String other = "{\"dev:a\": {\"completed\": {\"singer_state\": {\"by\": \"other\"}}}}";

    Outcome outcome =
        editor("echo '" + other + "' > s.json; echo '{\"singer_state\": {\"x\": 1}}' > \"$1\"")
            .run("edit", "dev:a");

    assertThat(outcome)
        .isEqualTo(
            new Outcome(
                5,
                "",
                "statectl: the state of 'dev:a' in "
                    + target
                    + " was changed by somebody else while you edited it; nothing was stored; your"
                    + " text is kept in "
                    + kept()
                    + "\n"));
    assertThat(store).hasContent(other);
    assertThat(kept()).hasContent("{\"singer_state\": {\"x\": 1}}");
  }

  @Test
  void anIdThatSomebodyElseMadeMeanwhileIsNotOverwritten() {
    assertThat(
            editor(
                    "echo '{\"dev:new\": {\"completed\": {\"x\": 1}}}' > s.json; echo"
                        + " '{\"singer_state\": {\"x\": 1}}' > \"$1\"")
                .run("edit", "dev:new")
                .code())
        .isEqualTo(5);
  }

  @Test
  void anEditorThatFailsChangesNothing() throws IOException {
    byte[] before = Files.readAllBytes(store);

    assertThat(editor("exit 3").run("edit", "dev:a").err())
        .endsWith("' ended with 3; nothing was changed\n");
    Outcome failed = editor("echo '{\"singer_state\": {}}' > \"$1\"; exit 1").run("edit", "dev:a");

    assertThat(failed.code()).isEqualTo(1);
    assertThat(failed.err())
        .endsWith(" ended with 1; nothing was changed; your text is kept in " + kept() + "\n");
    assertThat(Files.readAllBytes(store)).isEqualTo(before);
  }

  @Test
  void aDryRunShowsWhatWouldBeStored() throws IOException {
    byte[] before = Files.readAllBytes(store);

    assertThat(writing("{\"singer_state\": {\"x\": 1.0}}").run("edit", "--dry-run", "dev:a"))
        .isEqualTo(
            new Outcome(
                0,
                "{\"singer_state\": {\"x\": 1.0}}\n",
                "statectl: would replace the state of 'dev:a' in "
                    + target
                    + " (94 bytes) by 28 bytes\nstatectl: dry run: nothing was changed\n"));
    assertThat(Files.readAllBytes(store)).isEqualTo(before);
  }

  @Test
  void visualComesBeforeEditorAndMayHaveArguments() {
    assertThat(
            plain()
                .variable("VISUAL", "sh -c 'echo \"$0 $#\" > seen' 'a b'")
                .variable("EDITOR", "false")
                .run("edit", "dev:a")
                .code())
        .isZero();
    assertThat(directory.resolve("seen")).hasContent("a b 1\n");
    assertThat(
            plain().variable("VISUAL", "").variable("EDITOR", "true").run("edit", "dev:a").code())
        .isZero();
  }

  @Test
  void whereNoFileCanBeMadeThatIsSaid() {
    assertThat(plain().variable("TMPDIR", "none").run("edit", "dev:a"))
        .isEqualTo(
            new Outcome(
                1,
                "",
                "statectl: cannot make a file to edit in "
                    + directory.resolve("none")
                    + " (NoSuchFileException); set TMPDIR to another directory; nothing was"
                    + " changed\n"));
  }

  private RunStatectl plain() {
    return RunStatectl.in(directory)
        .variable("PATH", System.getenv("PATH"))
        .variable("TMPDIR", temporary.toString())
        .variable("MELTANO_STATE_BACKEND_URI", "memory:s.json");
  }

  private RunStatectl editor(String script) {
    return plain().variable("SCRIPT", script).variable("EDITOR", "sh -c \"$SCRIPT\" editor");
  }

  private RunStatectl writing(String text) {
    return editor("echo '" + text + "' > \"$1\"");
  }

  private Path kept() throws IOException {
    try (Stream<Path> files = Files.walk(temporary)) {
      List<Path> found = files.filter(Files::isRegularFile).toList();
      assertThat(found).hasSize(1);
      return found.get(0);
    }
  }
}
