package dev.statectl.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Questions on a real terminal. */
class PromptOnTerminalTest {
  private static final String STORED = "{\"dev:a\": {\"completed\": {\"singer_state\": {}}}}";

  @TempDir private Path directory;
  private Path store;
  private String question;

  @BeforeEach
  void storeAState() throws IOException {
    store = directory.resolve("s.json");
    Files.writeString(store, STORED);
    question = "Clear the state of 'dev:a' in memory:" + store + " (20 bytes)? [y/N] ";
  }

  @Test
  void yesDoesIt() throws Exception {
    try (TerminalSession session = clear()) {
      session.awaits(question).type("y\n");

      assertThat(session.end()).isZero();
      assertThat(session.shown())
          .isEqualTo(question + "y\nstatectl: cleared 'dev:a' in memory:" + store + "\n");
    }
    assertThat(store).hasContent("{}");
  }

  @ParameterizedTest
  @CsvSource({"'n\n', 'n\n'", "'\n', '\n'", "'nope\n', 'nope\n'"})
  void anythingElseIsANo(String keys, String echo) throws Exception {
    try (TerminalSession session = clear()) {
      session.awaits(question).type(keys);

      assertThat(session.end()).isEqualTo(1);
      assertThat(session.shown()).isEqualTo(question + echo + "statectl: nothing was changed\n");
    }
    assertThat(store).hasContent(STORED);
  }

  @Test
  void theEndOfInputIsANo() throws Exception {
    try (TerminalSession session = clear()) {
      session.awaits(question).type(TerminalSession.END_OF_INPUT);

      assertThat(session.end()).isEqualTo(1);
      assertThat(session.shown()).isEqualTo(question + "\nstatectl: nothing was changed\n");
    }
    assertThat(store).hasContent(STORED);
  }

  @Test
  void ctrlCEndsTheQuestion() throws Exception {
    try (TerminalSession session = clear()) {
      session.awaits(question).type(TerminalSession.INTERRUPT);

      assertThat(session.end()).isEqualTo(130);
      assertThat(session.shown())
          .isEqualTo(question + "^C\nstatectl: interrupted; nothing was changed\n");
    }
    assertThat(store).hasContent(STORED);
  }

  @Test
  void termEndsTheQuestionToo() throws Exception {
    try (TerminalSession session = clear()) {
      session.awaits(question).send("TERM");

      assertThat(session.end()).isEqualTo(143);
      assertThat(session.shown())
          .isEqualTo(question + "\nstatectl: interrupted; nothing was changed\n");
    }
    assertThat(store).hasContent(STORED);
  }

  @Test
  void aPersonIsAskedAlsoWhenTheOutputGoesToAFile() throws Exception {
    try (TerminalSession session = shell("statectl clear dev:a > out; echo $?")) {
      session.awaits(question).type("n\n");

      assertThat(session.end()).isZero();
      assertThat(session.shown()).endsWith("statectl: nothing was changed\n1\n");
    }
    assertThat(directory.resolve("out")).isEmptyFile();
  }

  @Test
  void nobodyIsAskedWhenTheInputIsNoTerminal() throws Exception {
    try (TerminalSession session = shell("echo y | statectl clear dev:a; echo $?")) {
      assertThat(session.end()).isZero();
      assertThat(session.shown()).endsWith("; give --yes to do it; nothing was changed\n2\n");
    }
    assertThat(store).hasContent(STORED);
  }

  @Test
  void aSecretIsNotShown() throws Exception {
    try (TerminalSession session =
        TerminalSession.program(SecretOnTerminal.class, directory, Map.of())) {
      session.awaits("Password: ").type("s3cr\u00e9t\n");

      assertThat(session.end()).isZero();
      assertThat(session.shown()).isEqualTo("Password: \n6 characters\n");
    }
  }

  @Test
  void ctrlCAtASecretGivesTheEchoBack() throws Exception {
    try (TerminalSession session =
        TerminalSession.shell(
            directory,
            Map.of(
                "ASK",
                TerminalSession.java().get(0)
                    + " -cp "
                    + System.getProperty("java.class.path")
                    + " "
                    + SecretOnTerminal.class.getName()),
            "trap : INT; $ASK; echo \"exit code $?\"; stty -a | grep -o ' -*echo '")) {
      session.awaits("Password: ").type(TerminalSession.INTERRUPT);

      assertThat(session.end()).isZero();
      assertThat(session.shown()).endsWith("exit code 130\n echo \n");
    }
  }

  @Test
  void headingsAreBoldOnATerminalOnly() throws Exception {
    try (TerminalSession session =
        shell(
            "statectl list -o table; statectl list -o table | cat; NO_COLOR=1 statectl list -o table")) {
      assertThat(session.end()).isZero();
      assertThat(session.shown().lines().filter(line -> line.contains("UPDATED")))
          .satisfiesExactly(
              line -> assertThat(line).startsWith("\u001b[1mID "),
              line -> assertThat(line).startsWith("ID "),
              line -> assertThat(line).startsWith("ID "));
    }
  }

  private TerminalSession clear() throws IOException {
    return TerminalSession.statectl(directory, environment(), "clear", "dev:a");
  }

  private TerminalSession shell(String script) throws IOException {
    return TerminalSession.shell(directory, StatectlOnPath.in(directory, environment()), script);
  }

  private static Map<String, String> environment() {
    return Map.of("MELTANO_STATE_BACKEND_URI", "memory:s.json");
  }
}
