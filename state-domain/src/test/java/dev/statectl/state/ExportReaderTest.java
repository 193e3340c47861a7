package dev.statectl.state;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.statectl.json.JsonObject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ExportReaderTest {
  private static final Path SAMPLES = Path.of("src/test/resources/samples");

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 7, 100, 100_000})
  void anExportInPiecesGivesWhatTheWholeGives(int size) throws IOException {
    String export = Files.readString(SAMPLES.resolve("export.json"));

    assertThat(read(export, size)).isEqualTo(ExportFormat.read(export)).hasSize(3);
  }

  @Test
  void everySampleAsAHalfComesBackByteForByte() throws IOException {
    List<State> states = new ArrayList<>();
    for (String name :
        List.of(
            "legacy-mixed-types",
            "postgres-log-based",
            "python-odd-tokens",
            "sdk-incremental",
            "sdk-partitions")) {
      JsonObject sample = JsonObject.parse(Files.readString(SAMPLES.resolve(name + ".json")));
      states.add(State.of(StateId.of("a:" + name), sample, JsonObject.EMPTY));
      states.add(State.of(StateId.of("b:" + name), JsonObject.EMPTY, sample));
    }

    assertThat(read(ExportFormat.write(states), 5)).isEqualTo(states);
  }

  @Test
  void stringsMayHoldWhatEndsAnEntry() {
    String half = "{\"a,}]\": \"\\\"},{\\\\\", \"b\": [\"]\", {\"c\": \"[{\"}]}";

    assertThat(
            read(
                "{\"x\\\"},\": {\"completed\": " + half + "}, \"y\": {\"partial\":{\"🚀\":1}}}", 1))
        .containsExactly(
            State.of(StateId.of("x\"},"), JsonObject.parse(half), JsonObject.EMPTY),
            State.of(StateId.of("y"), JsonObject.EMPTY, JsonObject.parse("{\"🚀\":1}")));
  }

  @ParameterizedTest
  @ValueSource(strings = {"{}", " {\n} \n", "\uFEFF{}"})
  void anEmptyExportHoldsNoState(String export) {
    assertThat(read(export, 1)).isEmpty();
  }

  @Test
  void halvesThatAreMissingOrNullAreEmpty() {
    assertThat(read("{\"a\": {}, \"b\": {\"completed\": null, \"partial\": { }}}", 4))
        .containsExactly(
            State.of(StateId.of("a"), JsonObject.EMPTY, JsonObject.EMPTY),
            State.of(StateId.of("b"), JsonObject.EMPTY, JsonObject.EMPTY));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "``                            | line 1, column 1: expected an object, found nothing",
        "[]                            | line 1, column 1: expected an object, which begins with '{'",
        "` \uFEFF{}`                   | line 1, column 2: expected an object, which begins with '{'",
        "{\"a\": {}} {}                | line 1, column 11: text behind the object's end",
        "{\"a\": {},}                  | line 1, column 10: unexpected '}'",
        "{,}                           | line 1, column 2: unexpected ','",
        "{\"a\": {},, \"b\": {}}       | line 1, column 10: unexpected ','",
        "{\"a\": {}                    | line 1, column 9: the text ends before the JSON does",
        "{\"a\": {},                   | line 1, column 10: the text ends before the JSON does",
        "{\"a\": {\"partial            | line 1, column 16: the text ends before the JSON does",
        "{\"a\": {}]                   | line 1, column 9: unexpected ']'",
        "{\"a\": [}, \"b\": {}}        | line 1, column 8: unexpected '}'",
        "{\"a\": {} \"b\": {}}         | line 1, column 10: unexpected '\"'",
        "{\"a\"}                       | line 1, column 5: unexpected '}'",
        "{a: {}}                       | line 1, column 2: unexpected 'a'",
        "{\"🚀\": {}, \"b\": {\"partial\": {\"x\": 01}}} | line 1, column 35: unexpected '1'",
        "{\"a\": {\"partial\": []}}     | at /a/partial: expected an object or null, found an array",
        "{\"a/~\": 7}                  | at /a~1~0: expected an object, found a number",
        "{\"a\": {\"state\": {}}}       | at /a: only 'completed' and 'partial' are known here, found another member",
        "{\" \": {}}                   | at / : a state id must not be blank",
        "{\"\\ud83d\": {}}             | at /\uD83D: a state id must not hold half of a surrogate pair",
        "{\"a\": {}, \"\\u0061\": {}}  | line 1, column 11: a second entry for 'a'",
      })
  void whatIsNoExportThatCanBeStoredIsRefusedWithItsPlace(String export, String message) {
    String text = export == null ? "" : export;

    for (int size : new int[] {1, 3, 1000}) {
      assertThatThrownBy(() -> read(text, size))
          .isInstanceOf(MalformedExportException.class)
          .hasMessage(message);
    }
  }

  @Test
  void linesAreThoseOfTheDocument() {
    assertThatThrownBy(
            () -> read("{\n\"a\": {},\n  \"b\": {\"completed\": {\n    \"x\": tru}}}\n", 3))
        .hasMessage("line 4, column 10: unexpected 't'");
    assertThatThrownBy(() -> read("{\n\"a\": {},\n  \"a\": {}\n}\n", 3))
        .hasMessage("line 3, column 3: a second entry for 'a'");
  }

  @Test
  void anEntryLargerThanAnyStateIsNotReadToItsEnd() {
    List<State> states = new ArrayList<>();
    ExportReader reader = new ExportReader(100, states::add);
    reader.read("{\"a\": {},\n \"b\": {\"partial\": {\"x\": \"");
    String filling = "x".repeat(1000);

    assertThatThrownBy(
            () -> {
              for (int i = 0; i < 1000; i++) {
                reader.read(filling);
              }
            })
        .isInstanceOf(MalformedExportException.class)
        .hasMessage(
            "line 2, column 2: what begins here is larger than a state may be; a brace or a quote may"
                + " be missing");
    assertThat(states).hasSize(1);
    assertThat(reader.position()).matches("line 2, column 65\\d{3}");
  }

  @Test
  void aStateComesAsSoonAsItsEntryHasEnded() {
    List<String> ids = new ArrayList<>();
    ExportReader reader = new ExportReader(100, state -> ids.add(state.id().text()));

    reader.read("{\"a\": {},");
    assertThat(ids).containsExactly("a");
    reader.read(" \"b\": {}");
    assertThat(ids).containsExactly("a");
    reader.read("}");
    assertThat(ids).containsExactly("a", "b");
    reader.end();
  }

  private static List<State> read(String export, int size) {
    List<State> states = new ArrayList<>();
    ExportReader reader = new ExportReader(1000, states::add);
    for (int i = 0; i < export.length(); i += size) {
      reader.read(export.substring(i, Math.min(export.length(), i + size)));
    }
    reader.end();
    return states;
  }
}
