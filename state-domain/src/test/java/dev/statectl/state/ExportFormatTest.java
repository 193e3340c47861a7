package dev.statectl.state;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.statectl.json.JsonObject;
import dev.statectl.json.MalformedJsonException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ExportFormatTest {

  @Test
  void anExportOfMeltanoIsRead() throws IOException {
    List<State> states =
        ExportFormat.read(Files.readString(Path.of("src/test/resources/samples/export.json")));

    assertThat(states)
        .containsExactly(
            state(
                "dev:tap-github-to-target-clickhouse",
                "{\"singer_state\": {\"bookmarks\": {\"commits\":"
                    + " {\"since\": \"2026-11-01T00:00:00Z\"}}}}",
                "{}"),
            state(
                "prod:tap-github-to-target-clickhouse:hourly",
                "{\"singer_state\": {\"bookmarks\": {\"commits\":"
                    + " {\"since\": \"2026-11-02T00:00:00Z\"}}}}",
                "{\"singer_state\": {\"bookmarks\": {\"issues\":"
                    + " {\"since\": \"2026-11-03T00:00:00Z\"}}}}"),
            state("prod:tap_a%b-to-target", "{}", "{\"singer_state\": {\"bookmarks\": {}}}"));
  }

  @Test
  void aWrittenExportHoldsAStateALine() {
    assertThat(
            ExportFormat.write(
                List.of(state("a\"\n🚀", "{\"x\": 1.0}", "{}"), state("b", "{}", "{\"y\":NaN}"))))
        .isEqualTo(
            "{\"a\\\"\\n🚀\": {\"completed\": {\"x\": 1.0}, \"partial\": {}},\n"
                + "\"b\": {\"completed\": {}, \"partial\": {\"y\":NaN}}}\n");
    assertThat(ExportFormat.write(List.of())).isEqualTo("{}\n");
  }

  @Test
  void whatIsWrittenIsReadBack() {
    String deep = "{\"a\":".repeat(1000) + "1e3" + "}".repeat(1000);
    List<State> states =
        List.of(
            state("", "{}", "{}"),
            state("half \ud83d, \ude80 and 🚀", "{}", "{}"),
            state("\u0000'\\`%_", "{ \"a\" :\t1 , \"a\":2 }", "{\"h\": \"\\ud83d\"}"),
            state("x".repeat(2000), deep, deep));

    assertThat(ExportFormat.read(ExportFormat.write(states))).isEqualTo(states);
    assertThat(ExportFormat.write(states)).contains("half \\ud83d, \\ude80 and 🚀");
  }

  @Test
  void halvesThatAreMissingOrNullAreEmptyAndTheLastOfTwoEntriesCounts() {
    assertThat(
            ExportFormat.read(
                "{\"a\": {}, \"b\": {\"completed\": null}, \"b\": {\"partial\": {} }}"))
        .containsExactly(state("a", "{}", "{}"), state("b", "{}", "{}"));
    assertThat(ExportFormat.read(" {} ")).isEmpty();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "{\"a/b~\": []} | at /a~1b~0: expected an object, found an array",
        "{\"a\": {\"partial\": []}} | at /a/partial: expected an object or null, found an array",
        "{\"a\": {\"completed\": 7}} | at /a/completed: expected an object or null, found a number",
        "{\"a\": {\"s3cret\": {}}} | at /a: only 'completed' and 'partial' are known here,"
            + " found another member",
      })
  void anEntryThatIsNoStateIsRefusedWithItsPlace(String text, String message) {
    assertThatThrownBy(() -> ExportFormat.read(text))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(message);
  }

  @Test
  void aTextThatIsNotJsonIsRefusedWithItsPlace() {
    assertThatThrownBy(() -> ExportFormat.read("{\"a\":\n{\"partial\": }}"))
        .isInstanceOf(MalformedJsonException.class)
        .hasMessage("line 2, column 13: unexpected '}'");
  }

  private static State state(String id, String completed, String partial) {
    return State.of(StateId.ofStored(id), JsonObject.parse(completed), JsonObject.parse(partial));
  }
}
