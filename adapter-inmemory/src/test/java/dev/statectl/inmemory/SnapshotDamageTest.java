package dev.statectl.inmemory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.statectl.port.StateFailure;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SnapshotDamageTest {
  @TempDir private Path directory;

  // In the first column \n is a line feed, and each ~ stands for the byte 0xFF.
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "``                          | line 1, column 1: expected an object, found nothing",
        "\\n                         | line 1, column 1: expected an object, found nothing",
        "[]                          | line 1, column 1: expected an object, found an array",
        "null                        | line 1, column 1: expected an object, found null",
        "{\"a\": {\"completed\": {}}   | line 1, column 24: the text ends before the JSON does",
        "{\"a\": {\"completed\": {\"x\": \"y | line 1, column 29: the text ends before the JSON does",
        "{\\n\"a\": {\\n \"completed\": oops}} | line 3, column 15: unexpected 'o'",
        "{\"a\": {}} {}               | line 1, column 11: text behind the object's end",
        "{\"a\": {},}                 | line 1, column 10: unexpected '}'",
        "{\"a\": {},\\n\"é\": {}, \"~\": {}} | line 2, column 11: not UTF-8",
        "~                           | line 1, column 1: not UTF-8",
        "{\"a\": []}                  | at /a: expected an object, found an array",
        "{\"a/b\": 7}                 | at /a~1b: expected an object, found a number",
        "{\"a\": {}, \"b\": {\"completed\": []}} | at /b/completed: expected an object or null, found an array",
        "{\"a\": {\"partial\": \"x\"}}   | at /a/partial: expected an object or null, found a string",
        "{\"a\": {\"singer_state\": {}}} | at /a: only 'completed' and 'partial' are known here, found another member",
      })
  void aDamagedFileIsRefusedAndLeftAsItIs(String text, String fault) throws IOException {
    byte[] bytes = text.replace("\\n", "\n").getBytes(StandardCharsets.UTF_8);
    for (int i = 0; i < bytes.length; i++) {
      bytes[i] = bytes[i] == '~' ? (byte) 0xFF : bytes[i];
    }
    refusedAndLeft(bytes, fault);
  }

  @Test
  void aTextCutWithinACharacterIsRefused() throws IOException {
    byte[] whole = "{\"\ud83d\ude80".getBytes(StandardCharsets.UTF_8);
    refusedAndLeft(Arrays.copyOf(whole, whole.length - 1), "line 1, column 3: not UTF-8");
  }

  @Test
  void aByteOrderMarkIsRefused() throws IOException {
    refusedAndLeft(
        "\ufeff{}".getBytes(StandardCharsets.UTF_8),
        "line 1, column 1: the text begins with a byte order mark");
  }

  @Test
  void aHalfThatIsNestedTooDeepIsRefused() throws IOException {
    String fits = "{\"a\":".repeat(1000) + "1" + "}".repeat(1000);
    Path file = directory.resolve("fits.json");
    Files.writeString(file, "{\"id\":{\"completed\":" + fits + "}}");
    InMemoryBackend.open(file, Fixtures.CLOCK).close();

    refusedAndLeft(
        ("{\"id\":{\"completed\":{\"a\":" + fits + "}}}").getBytes(StandardCharsets.UTF_8),
        "line 1, column 5020: nested deeper than 1002 levels");
  }

  private void refusedAndLeft(byte[] bytes, String fault) throws IOException {
    Path file = Files.write(directory.resolve("state.json"), bytes);

    for (int attempt = 0; attempt < 2; attempt++) {
      assertThatThrownBy(() -> InMemoryBackend.open(file, Fixtures.CLOCK))
          .isInstanceOf(StateFailure.WrongSchema.class)
          .hasMessage(
              "the snapshot file "
                  + file
                  + " is damaged: "
                  + fault
                  + "; it was left as it is: mend it, or move it away to start without states");
      assertThat(file).hasBinaryContent(bytes);
    }
    Files.writeString(file, "{}");
    InMemoryBackend.open(file, Fixtures.CLOCK).close();
  }

  @Test
  void whatIsNoRegularFileIsRefused() {
    for (Path file : new Path[] {directory, Path.of("/"), Path.of("/dev/null")}) {
      assertThatThrownBy(() -> InMemoryBackend.open(file, Fixtures.CLOCK))
          .isInstanceOf(StateFailure.WrongSchema.class)
          .hasMessage(
              "the snapshot file "
                  + file.toAbsolutePath()
                  + " is not a regular file: name a file in the form of 'meltano state export', or"
                  + " one that does not exist yet");
    }
  }

  @Test
  void aFileBelowAFileIsRefused() throws IOException {
    Path file = Files.writeString(directory.resolve("file"), "").resolve("state.json");

    assertThatThrownBy(() -> InMemoryBackend.open(file, Fixtures.CLOCK))
        .isInstanceOf(StateFailure.Unavailable.class)
        .hasMessage(
            "the snapshot file "
                + file
                + " could not be read: Not a directory: check the path, then try again");
  }

  @Test
  void aCircleOfLinksIsRefused() throws IOException {
    Path link = directory.resolve("state.json");
    Files.createSymbolicLink(link, directory.resolve("other"));
    Files.createSymbolicLink(directory.resolve("other"), link);

    assertThatThrownBy(() -> InMemoryBackend.open(link, Fixtures.CLOCK))
        .isInstanceOf(StateFailure.Unavailable.class)
        .hasMessageStartingWith("the snapshot file " + link + " could not be read: ")
        .hasMessageEndingWith(": check the path, then try again");
  }

  @Test
  void moreThanAGibibyteIsNotRead() throws IOException {
    Path file = directory.resolve("state.json");
    try (RandomAccessFile sparse = new RandomAccessFile(file.toFile(), "rw")) {
      sparse.setLength((1L << 30) + 1);
    }

    assertThatThrownBy(() -> InMemoryBackend.open(file, Fixtures.CLOCK))
        .isInstanceOf(StateFailure.WrongSchema.class)
        .hasMessage(
            "the snapshot file "
                + file
                + " has 1073741825 bytes, more than the 1073741824 that are read; it was left as it"
                + " is: move it away, and keep this many states in ClickHouse");
  }
}
