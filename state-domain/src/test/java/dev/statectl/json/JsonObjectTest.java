package dev.statectl.json;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class JsonObjectTest {

  @ParameterizedTest
  @ValueSource(
      strings = {
        "export.json",
        "legacy-mixed-types.json",
        "postgres-log-based.json",
        "python-odd-tokens.json",
        "sdk-incremental.json",
        "sdk-partitions.json"
      })
  void aSampleComesBackByteForByte(String sample) throws IOException {
    String text = Files.readString(Path.of("src/test/resources/samples", sample));

    JsonObject read = JsonObject.parse(text);

    assertThat(read.text()).isEqualTo(text);
    assertThat(read.utf8Length()).isEqualTo(text.getBytes(StandardCharsets.UTF_8).length);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{\"a\": 1.0, \"b\": 1e3, \"c\": -0.0, \"d\": 123456789012345678901234567890}",
        "{\"a\":NaN,\"b\":Infinity,\"c\":-Infinity}",
        "{\"half\": \"\\ud83d\", \"nul\": \"\\u0000\", \"caf\\u00e9\": \"\\/\"}",
        "{ \"b\" : 1 ,\t\"a\"\n:\r[ ] , \"b\" : { } }",
        "{\"text\": \"ж 🚀 \u2028 \uffff\"}",
      })
  void theTextIsKeptAsItIs(String text) {
    assertThat(JsonObject.parse(text).text()).isEqualTo(text);
  }

  @Test
  void spaceAroundTheObjectIsDropped() {
    assertThat(JsonObject.parse(" \r\n\t{\"a\": 1}\n ").text()).isEqualTo("{\"a\": 1}");
  }

  @ParameterizedTest
  @ValueSource(strings = {"{}", "{ }", " {\n\t}\r\n"})
  void anObjectWithoutMembersIsEmpty(String text) {
    assertThat(JsonObject.parse(text)).isSameAs(JsonObject.EMPTY);
    assertThat(JsonObject.parse(text).isEmpty()).isTrue();
  }

  @ParameterizedTest
  @ValueSource(strings = {"", " \n", "null", " null ", "{}", " { } "})
  void aStoredHalfThatSaysNothingIsEmpty(String text) {
    assertThat(JsonObject.parseStored(text)).isSameAs(JsonObject.EMPTY);
    assertThat(JsonObject.parseStored(null)).isSameAs(JsonObject.EMPTY);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "``                 | 1 | 1  | expected an object, found nothing",
        "[]                 | 1 | 1  | expected an object, found an array",
        "7                  | 1 | 1  | expected an object, found a number",
        "NaN                | 1 | 1  | expected an object, found a number",
        "\"x\"              | 1 | 1  | expected an object, found a string",
        "true               | 1 | 1  | expected an object, found a boolean",
        "null               | 1 | 1  | expected an object, found null",
        "{\"a\": }          | 1 | 7  | unexpected '}'",
        "{\"a\": 1,}        | 1 | 9  | unexpected '}'",
        "{'a': 1}           | 1 | 2  | unexpected '''",
        "{a: 1}             | 1 | 2  | unexpected 'a'",
        "{\"a\" 1}          | 1 | 6  | unexpected '1'",
        "{\"a\": 1 \"b\"}   | 1 | 9  | unexpected '\"'",
        "{\"a\": [1, 2}     | 1 | 12 | unexpected '}'",
        "{\"a\": 01}        | 1 | 8  | unexpected '1'",
        "{\"a\": .5}        | 1 | 7  | unexpected '.'",
        "{\"a\": +1}        | 1 | 7  | unexpected '+'",
        "{\"a\": +Infinity} | 1 | 7  | unexpected '+'",
        "{\"a\": INF}       | 1 | 7  | unexpected 'I'",
        "{\"a\": -INF}      | 1 | 8  | unexpected 'I'",
        "{\"a\": nan}       | 1 | 7  | unexpected 'n'",
        "{\"a\": -NaN}      | 1 | 8  | unexpected 'N'",
        "{\"a\": secret}    | 1 | 7  | unexpected 's'",
        "{\"a\": true1}     | 1 | 7  | unexpected 't'",
        "{\"a\": 1          | 1 | 8  | the text ends before the JSON does",
        "{\"a\": \"x        | 1 | 9  | the text ends before the JSON does",
        "{\"a\": \"\\x\"}   | 1 | 9  | unexpected 'x'",
        "{\"a\": 1} x       | 1 | 10 | unexpected 'x'",
        "{\"a\": 1} {}      | 1 | 10 | text behind the object's end",
        "{\"a\": 1}}        | 1 | 9  | unexpected '}'",
      })
  void whatIsNotAnObjectIsRefusedWithItsPlace(String text, int line, int column, String reason) {
    assertThatThrownBy(() -> JsonObject.parse(text))
        .isInstanceOfSatisfying(
            MalformedJsonException.class,
            e -> {
              assertThat(e.reason()).isEqualTo(reason);
              assertThat(e.line()).isEqualTo(line);
              assertThat(e.column()).isEqualTo(column);
            })
        .hasMessage("line " + line + ", column " + column + ": " + reason);
  }

  @Test
  void thePlaceOfAFaultCountsLinesAndCharacters() {
    assertThatThrownBy(() -> JsonObject.parse("{\n  \"a\": 1,\r\n  \"🚀ж\": ?}"))
        .hasMessage("line 3, column 9: unexpected '?'");
    assertThatThrownBy(() -> JsonObject.parse("{\"a\": \"x\ny\"}"))
        .hasMessage("line 1, column 9: unexpected control character U+000A");
  }

  @Test
  void aFaultShowsNoMoreOfTheTextThanOneCharacter() {
    assertThatThrownBy(() -> JsonObject.parse("{\"password\": hunter2}"))
        .hasMessage("line 1, column 14: unexpected 'h'")
        .hasNoCause();
    assertThat(JsonObject.parse("{\"password\": \"hunter2\"}")).hasToString("JsonObject[23 chars]");
    assertThat(JsonObject.parse("{\"password\": \"hunter2\"}").members())
        .hasToString("[JsonMember[password: a string]]");
  }

  @Test
  void whatCannotBeWrittenAsUtf8IsRefused() {
    assertThatThrownBy(() -> JsonObject.parse("{\"a\": \"\ud83d\"}"))
        .hasMessage("line 1, column 8: half of a surrogate pair (write it as an escape: \\ud83d)");
    assertThatThrownBy(() -> JsonObject.parse("{\"a\": \"\udc00\ud83d\"}"))
        .hasMessage("line 1, column 8: half of a surrogate pair (write it as an escape: \\udc00)");
    assertThatThrownBy(() -> JsonObject.parse("\ufeff{}"))
        .hasMessage("line 1, column 1: the text begins with a byte order mark");
  }

  @Test
  void aThousandLevelsAreReadAndOneMoreIsRefused() {
    String deep = "{\"a\":".repeat(1000) + "1" + "}".repeat(1000);
    String arrays = "{\"a\":" + "[".repeat(999) + "]".repeat(999) + "}";

    assertThat(JsonObject.parse(deep).text()).isEqualTo(deep);
    assertThat(JsonObject.parse(arrays).text()).isEqualTo(arrays);
    assertThatThrownBy(() -> JsonObject.parse("{\"a\":" + deep + "}"))
        .hasMessage("line 1, column 5001: nested deeper than 1000 levels");
    assertThatThrownBy(() -> JsonObject.parse("{\"a\":".repeat(100_000)))
        .hasMessage("line 1, column 5001: nested deeper than 1000 levels");
  }

  @Test
  void enclosingLevelsAreGrantedOnTop() {
    String deep = "{\"a\":".repeat(1000) + "1" + "}".repeat(1000);
    String twice = "{\"b\":{\"c\":" + deep + "}}";

    assertThat(JsonObject.parseAround(twice, 2).text()).isEqualTo(twice);
    assertThatThrownBy(() -> JsonObject.parseAround(twice, 1))
        .hasMessage("line 1, column 5006: nested deeper than 1001 levels");
    assertThatThrownBy(() -> JsonObject.parseAround(twice, 3))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("levels: 3");
  }

  @Test
  void membersComeInOrderWithTheirTexts() {
    JsonObject object =
        JsonObject.parse(
            "{ \"a\" : 1.0 ,\"caf\\u00e9\":[1, {\"x\":2} ], \"n\":null,\n\"s\":\"}\\\"\" ,"
                + "\"o\":{ \"p\":1 } , \"a\":false}");

    assertThat(object.members())
        .containsExactly(
            new JsonMember("a", JsonKind.NUMBER, "1.0"),
            new JsonMember("café", JsonKind.ARRAY, "[1, {\"x\":2} ]"),
            new JsonMember("n", JsonKind.NULL, "null"),
            new JsonMember("s", JsonKind.STRING, "\"}\\\"\""),
            new JsonMember("o", JsonKind.OBJECT, "{ \"p\":1 }"),
            new JsonMember("a", JsonKind.BOOLEAN, "false"));
    assertThat(JsonObject.EMPTY.members()).isEqualTo(List.of());
  }

  @Test
  void anEscapedHalfOfASurrogatePairMayStandInANameToo() {
    JsonObject object =
        JsonObject.parse("{\"\\ud83d\": 1, \"\\uDC00\\n\": 2, \"\\ud83d\\ude80\\\\ud83d\": 3}");

    assertThat(object.members())
        .extracting(JsonMember::name)
        .containsExactly("\ud83d", "\udc00\n", "🚀\\ud83d");
    assertThat(object.mergedWith(JsonObject.parse("{\"\\uD83D\": 4, \"\\ud83e\":5}")).text())
        .isEqualTo(
            "{\"\\ud83d\": 4, \"\\uDC00\\n\": 2, \"\\ud83d\\ude80\\\\ud83d\": 3,"
                + " \"\\ud83e\":5}");
    assertThatThrownBy(() -> JsonObject.parse("{\"\\ud8\": 1}"))
        .hasMessage("line 1, column 7: unexpected '\"'");
  }

  @Test
  void lengthIsCountedInBytesOfUtf8() {
    for (String text : List.of("{\"a\":1}", "{\"ж\":\"é\"}", "{\"🚀\":\"\u2028\uffff\"}")) {
      assertThat(JsonObject.parse(text).utf8Length())
          .isEqualTo(text.getBytes(StandardCharsets.UTF_8).length);
    }
  }

  @Test
  void aMemberThatIsAnObjectIsOneWithoutASecondCheck() {
    List<JsonMember> members =
        JsonObject.parse("{\"o\": { \"p\":1 }, \"e\": { }, \"n\": 7}").members();

    assertThat(members.get(0).object().text()).isEqualTo("{ \"p\":1 }");
    assertThat(members.get(1).object()).isSameAs(JsonObject.EMPTY);
    assertThatThrownBy(members.get(2)::object)
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("not an object: JsonMember[n: a number]");
  }
}
