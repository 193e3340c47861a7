package dev.statectl.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code edit} on a real terminal, with editors that are scripts. */
class EditOnTerminalTest {
  private static final String STORED = "{\"dev:a\": {\"completed\": {\"singer_state\": {}}}}";
  private static final String FAULT =
      "statectl: your text: line 1, column 18: unexpected 'x'; nothing was changed\n";
  private static final String QUESTION = "Edit again? [Y/n] ";

  @TempDir private Path directory;
  private Path store;

  @BeforeEach
  void storeAState() throws IOException {
    store = directory.resolve("s.json");
    Files.writeString(store, STORED);
    Files.createDirectory(directory.resolve("tmp"));
  }

  @Test
  void theEditorHasTheTerminal() throws Exception {
    try (TerminalSession session =
        edit("printf 'new text: '; read -r text < /dev/tty; echo \"$text\" > \"$1\"")) {
      session.awaits("new text: ").type("{\"singer_state\": {\"a\": 1}}\n");

      assertThat(session.end()).isZero();
      assertThat(session.shown())
          .endsWith("statectl: stored 'dev:a' in memory:" + store + " (26 bytes)\n");
    }
    assertThat(store).content().contains("{\"singer_state\": {\"a\": 1}}");
    assertThat(directory.resolve("tmp")).isEmptyDirectory();
  }

  @Test
  void aBrokenTextComesBackUntilItIsRight() throws Exception {
    try (TerminalSession session =
        edit(
            "if grep -q x \"$1\"; then echo '{\"singer_state\": {\"a\": 2}}' > \"$1\"; else echo"
                + " '{\"singer_state\": x}' > \"$1\"; fi")) {
      session.awaits(QUESTION).type("\n");

      assertThat(session.end()).isZero();
      assertThat(session.shown())
          .isEqualTo(
              FAULT + QUESTION + "\nstatectl: stored 'dev:a' in memory:" + store + " (26 bytes)\n");
    }
  }

  @Test
  void whoSaysNoFindsTheTextInAFile() throws Exception {
    try (TerminalSession session = edit("echo '{\"singer_state\": x}' > \"$1\"")) {
      session.awaits(QUESTION).type("y\n").awaits(QUESTION, 2).type("n\n");

      assertThat(session.end()).isEqualTo(1);
      assertThat(session.shown())
          .isEqualTo(
              FAULT
                  + QUESTION
                  + "y\n"
                  + FAULT
                  + QUESTION
                  + "n\nstatectl: nothing was changed; your text is kept in "
                  + kept()
                  + "\n");
    }
    assertThat(kept()).hasContent("{\"singer_state\": x}");
    assertThat(store).hasContent(STORED);
  }

  @Test
  void ctrlCAtTheQuestionKeepsTheText() throws Exception {
    try (TerminalSession session = edit("echo '{\"singer_state\": x}' > \"$1\"")) {
      session.awaits(QUESTION).type(TerminalSession.INTERRUPT);

      assertThat(session.end()).isEqualTo(130);
      assertThat(session.shown())
          .isEqualTo(
              FAULT
                  + QUESTION
                  + "^C\nstatectl: your text is kept in "
                  + kept()
                  + "\nstatectl: interrupted; nothing was changed\n");
    }
    assertThat(store).hasContent(STORED);
  }

  @Test
  void ctrlCThatEndsTheEditorEndsTheCommand() throws Exception {
    try (TerminalSession session = edit("echo editing; exec sleep 60")) {
      session.awaits("editing").type(TerminalSession.INTERRUPT);

      assertThat(session.end()).isEqualTo(130);
      assertThat(session.shown())
          .isEqualTo("editing\n^Cstatectl: interrupted; nothing was changed\n");
    }
    assertThat(store).hasContent(STORED);
    assertThat(directory.resolve("tmp")).isEmptyDirectory();
  }

  @Test
  void ctrlCThatTheEditorTakesIsTheEditorsOwn() throws Exception {
    try (TerminalSession session =
        edit(
            "t=; trap 'echo taken; t=1' INT; echo editing; while [ -z \"$t\" ]; do sleep 0.1; done;"
                + " echo '{\"singer_state\": {\"a\": 3}}' > \"$1\"")) {
      session.awaits("editing").type(TerminalSession.INTERRUPT).awaits("taken");

      assertThat(session.end()).isZero();
    }
    assertThat(store).content().contains("{\"singer_state\": {\"a\": 3}}");
  }

  @Test
  void termEndsTheEditorToo() throws Exception {
    try (TerminalSession session = edit("echo $$ > pid; echo editing; exec sleep 60")) {
      session.awaits("editing").send("TERM");

      assertThat(session.end()).isEqualTo(143);
    }
    long editor = Long.parseLong(Files.readString(directory.resolve("pid")).strip());
    assertThat(ProcessHandle.of(editor).filter(ProcessHandle::isAlive)).isEmpty();
    assertThat(store).hasContent(STORED);
  }

  @Test
  void whileTheEditorIsOpenOthersUseTheStore() throws Exception {
    try (TerminalSession session =
        edit(
            "echo editing; until [ -e go ]; do sleep 0.05; done; echo '{\"singer_state\": {\"a\": 1}}' > \"$1\"")) {
      session.awaits("editing");
      assertThat(
              RunStatectl.in(directory)
                  .variable("MELTANO_STATE_BACKEND_URI", "memory:s.json")
                  .run("set", "-y", "dev:a", "{\"singer_state\": {\"by\": \"other\"}}")
                  .code())
          .isZero();
      Files.createFile(directory.resolve("go"));

      assertThat(session.end()).isEqualTo(5);
      assertThat(session.shown())
          .endsWith("; nothing was stored; your text is kept in " + kept() + "\n");
    }
    assertThat(store).content().contains("other");
    assertThat(kept()).hasContent("{\"singer_state\": {\"a\": 1}}");
  }

  private TerminalSession edit(String script) throws IOException {
    return TerminalSession.statectl(
        directory,
        Map.of(
            "MELTANO_STATE_BACKEND_URI",
            "memory:s.json",
            "TMPDIR",
            directory.resolve("tmp").toString(),
            "SCRIPT",
            script,
            "EDITOR",
            "sh -c \"$SCRIPT\" editor"),
        "edit",
        "dev:a");
  }

  private Path kept() throws IOException {
    try (Stream<Path> files = Files.walk(directory.resolve("tmp"))) {
      List<Path> found = files.filter(Files::isRegularFile).toList();
      assertThat(found).hasSize(1);
      return found.get(0);
    }
  }
}
