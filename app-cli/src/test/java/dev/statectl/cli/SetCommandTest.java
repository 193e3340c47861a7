package dev.statectl.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.statectl.cli.RunStatectl.Outcome;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SetCommandTest {
  private static final String EMBEDDED =
      "statectl: using the embedded store .statectl/state.json (no --uri given)\n";

  @TempDir private Path directory;
  private String target;

  @BeforeEach
  void nameTarget() {
    target = "memory:" + directory.resolve(".statectl/state.json");
  }

  @Test
  void aNewIdIsStoredWithoutAQuestion() {
    RunStatectl run = RunStatectl.in(directory).answering();

    assertThat(run.run("set", "dev:a", "{\"singer_state\": {\"a\": 1.0}}"))
        .isEqualTo(
            new Outcome(0, "", EMBEDDED + "statectl: set 'dev:a' in " + target + " (28 bytes)\n"));
    assertThat(run.questions()).isEmpty();
    assertThat(stored("dev:a")).isEqualTo("{\"singer_state\": {\"a\": 1.0}}\n");
  }

  @Test
  void theDocumentBecomesTheCompletedHalfAndThePartialOneIsEmptied() throws IOException {
    Path store = directory.resolve("state.json");
    Files.writeString(
        store,
        "{\"dev:a\": {\"completed\": {\"singer_state\": {\"a\": 1}}, \"partial\": {\"singer_state\":"
            + " {\"b\": 2}}}}");

    assertThat(
            RunStatectl.in(directory)
                .run("set", "--uri=memory:state.json", "--force", "dev:a", "{\"singer_state\":{}}")
                .code())
        .isZero();

    assertThat(store)
        .hasContent("{\"dev:a\": {\"completed\": {\"singer_state\":{}}, \"partial\": {}}}\n");
  }

  @ParameterizedTest
  @ValueSource(strings = {"y", "Y", "yes", " YES "})
  void aPersonWhoSaysYesOverwrites(String answer) {
    set("dev:a", "{\"singer_state\": {\"a\": 1.0}}");
    RunStatectl run = RunStatectl.in(directory).answering(answer);

    assertThat(run.run("set", "dev:a", "{\"singer_state\":{\"b\":1}}"))
        .isEqualTo(
            new Outcome(0, "", EMBEDDED + "statectl: set 'dev:a' in " + target + " (24 bytes)\n"));
    assertThat(run.questions())
        .containsExactly("Overwrite the state of 'dev:a' in " + target + " (28 bytes)? [y/N] ");
    assertThat(stored("dev:a")).isEqualTo("{\"singer_state\":{\"b\":1}}\n");
  }

  @ParameterizedTest
  @ValueSource(strings = {"n", "", "yy", "yes please"})
  void aPersonWhoDoesNotSayYesKeepsTheState(String answer) {
    set("dev:a", "{\"singer_state\":{}}");

    assertThat(
            RunStatectl.in(directory)
                .answering(answer)
                .run("set", "dev:a", "{\"singer_state\":{\"a\":1}}"))
        .isEqualTo(new Outcome(1, "", EMBEDDED + "statectl: nothing was changed\n"));
    assertThat(stored("dev:a")).isEqualTo("{\"singer_state\":{}}\n");
  }

  @Test
  void theEndOfInputIsANo() {
    set("dev:a", "{\"singer_state\":{}}");

    assertThat(
            RunStatectl.in(directory)
                .answering()
                .run("set", "dev:a", "{\"singer_state\":{\"a\":1}}"))
        .isEqualTo(new Outcome(1, "", EMBEDDED + "statectl: nothing was changed\n"));
    assertThat(stored("dev:a")).isEqualTo("{\"singer_state\":{}}\n");
  }

  @Test
  void withoutATerminalOverwritingNeedsForce() {
    set("dev:a", "{\"singer_state\":{}}");

    assertThat(
            RunStatectl.in(directory)
                .input("y\n")
                .run("set", "dev:a", "{\"singer_state\":{\"a\":1}}"))
        .isEqualTo(
            new Outcome(
                2,
                "",
                EMBEDDED
                    + "statectl: this would overwrite the state of 'dev:a' in "
                    + target
                    + " (19 bytes); give --yes to do it; nothing was changed\n"));
    assertThat(stored("dev:a")).isEqualTo("{\"singer_state\":{}}\n");
  }

  @Test
  void forceAsksNobody() {
    set("dev:a", "{\"singer_state\":{}}");
    RunStatectl run = RunStatectl.in(directory).answering("n");

    assertThat(run.run("set", "dev:a", "--force", "{\"singer_state\":{\"a\":1}}"))
        .isEqualTo(
            new Outcome(0, "", EMBEDDED + "statectl: set 'dev:a' in " + target + " (24 bytes)\n"));
    assertThat(run.questions()).isEmpty();
    assertThat(stored("dev:a")).isEqualTo("{\"singer_state\":{\"a\":1}}\n");
  }

  @Test
  void theDocumentMayComeFromAFile() throws IOException {
    Files.writeString(
        directory.resolve("in put.json"), "\ufeff\n{\"singer_state\": {\"ж\": 1}}\r\n");

    assertThat(RunStatectl.in(directory).run("set", "dev:a", "--input-file", "in put.json").code())
        .isZero();
    assertThat(stored("dev:a")).isEqualTo("{\"singer_state\": {\"ж\": 1}}\n");
  }

  @Test
  void theDocumentMayComeFromStandardInput() {
    assertThat(
            RunStatectl.in(directory)
                .input("{\"singer_state\": {\"ж\": \"🚀\"}}\n")
                .run("set", "dev:a", "--input-file=-")
                .code())
        .isZero();
    assertThat(stored("dev:a")).isEqualTo("{\"singer_state\": {\"ж\": \"🚀\"}}\n");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "{\"singer_state\": {\"a\": secret}} | line 1, column 24: unexpected 's'",
        "{\"singer_state\": {}              | line 1, column 20: the text ends before the JSON does",
        "[]    | line 1, column 1: expected an object, found an array",
        "``    | line 1, column 1: expected an object, found nothing",
        "{}    | at /singer_state: missing at the top of the document (--no-validate stores it all the same)",
        "{\"singer_state\": []} | at /singer_state: expected an object, found an array (--no-validate stores it all the same)",
      })
  void whatIsNoStateIsRefusedBeforeAStoreIsOpened(String document, String reason)
      throws IOException {
    Files.writeString(directory.resolve("bad.json"), document);
    String[] names = {"STATE", "bad.json", "standard input"};
    Outcome[] outcomes = {
      RunStatectl.in(directory).run("set", "dev:a", document),
      RunStatectl.in(directory).run("set", "dev:a", "--input-file=bad.json"),
      RunStatectl.in(directory).input(document).run("set", "dev:a", "--input-file", "-")
    };

    for (int i = 0; i < names.length; i++) {
      assertThat(outcomes[i])
          .isEqualTo(
              new Outcome(
                  1, "", "statectl: " + names[i] + ": " + reason + "; nothing was changed\n"));
    }
    assertThat(directory.resolve(".statectl")).doesNotExist();
  }

  @Test
  void theShapeNeedNotBeThatOfAState() {
    set("dev:a", "{\"a\": [1e3]}", "--no-validate");
    set("dev:b", "{ }", "--no-validate");

    assertThat(stored("dev:a")).isEqualTo("{\"a\": [1e3]}\n");
    assertThat(stored("dev:b")).isEqualTo("{}\n");
  }

  @Test
  void whatIsNotUtf8IsRefusedWithItsPlace() throws IOException {
    Files.write(
        directory.resolve("latin1.json"),
        "{\"singer_state\": {\"é\": 1}}".getBytes(StandardCharsets.ISO_8859_1));

    assertThat(RunStatectl.in(directory).run("set", "dev:a", "--input-file=latin1.json"))
        .isEqualTo(
            new Outcome(
                1,
                "",
                "statectl: latin1.json: not UTF-8 at byte 19 (counted from 0); nothing was changed\n"));
    assertThat(
            RunStatectl.in(directory)
                .input(new byte[] {'{', '}', (byte) 0xf0, (byte) 0x9f})
                .run("set", "dev:a", "--input-file=-"))
        .isEqualTo(
            new Outcome(
                1,
                "",
                "statectl: standard input: not UTF-8 at byte 2 (counted from 0); nothing was changed\n"));
  }

  @Test
  void aFileThatCannotBeReadIsNamed() {
    assertThat(RunStatectl.in(directory).run("set", "dev:a", "--input-file=missing.json"))
        .isEqualTo(
            new Outcome(1, "", "statectl: missing.json: no such file; nothing was changed\n"));
    assertThat(RunStatectl.in(directory).run("set", "dev:a", "--input-file=."))
        .isEqualTo(
            new Outcome(
                1, "", "statectl: .: cannot be read: Is a directory; nothing was changed\n"));
    assertThat(RunStatectl.in(directory).run("set", "dev:a", "--input-file=a\0b"))
        .isEqualTo(
            new Outcome(1, "", "statectl: a\\x00b: not a file's name; nothing was changed\n"));
  }

  @Test
  void aDocumentLargerThanAnyStateIsRefusedWhileItIsRead() {
    byte[] bytes = new byte[64 * 1024 * 1024 + 64 * 1024 + 1];

    assertThat(RunStatectl.in(directory).input(bytes).run("set", "dev:a", "--input-file=-"))
        .isEqualTo(
            new Outcome(
                1,
                "",
                "statectl: standard input: more than the 67108864 bytes that a state may have;"
                    + " nothing was changed\n"));
  }

  private void set(String... args) {
    String[] all = new String[args.length + 1];
    all[0] = "set";
    System.arraycopy(args, 0, all, 1, args.length);
    assertThat(RunStatectl.in(directory).run(all).code()).isZero();
  }

  private String stored(String id) {
    Outcome outcome = RunStatectl.in(directory).run("get", id);
    assertThat(outcome.code()).isZero();
    return outcome.out();
  }
}
