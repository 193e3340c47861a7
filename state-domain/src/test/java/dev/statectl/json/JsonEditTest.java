package dev.statectl.json;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class JsonEditTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          {"a": 1.0, "b": 2}             | /a   | 1.0
          {"a": {"b": [1, {"c": 1e3}]}}  | /a/b/1/c | 1e3
          {"a": 1, "a": 2}               | /a   | 2
          {"": {"x/y": NaN}}             | //x~1y | NaN
          {"a": [ ]}                     | /a   | [ ]
          """)
  void theValueAtAPlaceIsFound(String text, String pointer, String value) {
    assertThat(JsonObject.parse(text).find(JsonPointer.parse(pointer)))
        .map(JsonMember::valueText)
        .contains(value);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          {"a": 1}     | /b
          {"a": 1}     | /a/b
          {"a": [1]}   | /a/1
          {"a": [1]}   | /a/00
          {"a": [1]}   | /a/-
          {}           | /a
          """)
  void whereNothingIsNothingIsFoundAndNothingRemoved(String text, String pointer) {
    JsonObject object = JsonObject.parse(text);

    assertThat(object.find(JsonPointer.parse(pointer))).isEmpty();
    assertThat(object.without(JsonPointer.parse(pointer))).isSameAs(object);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          {"a": 1, "b": 2,  "c": 3}  | /a | {"b": 2,  "c": 3}
          {"a": 1, "b": 2,  "c": 3}  | /b | {"a": 1,  "c": 3}
          {"a": 1, "b": 2,  "c": 3 } | /c | {"a": 1, "b": 2 }
          { "a": 1 }                 | /a | {}
          {"a": 1, "b": 2, "a": 3}   | /a | {"b": 2}
          {"x": { "a": 1 }, "b": 2}  | /x/a | {"x": {}, "b": 2}
          {"x": [1, 2, 3]}           | /x/0 | {"x": [2, 3]}
          {"x": [1, 2, 3]}           | /x/2 | {"x": [1, 2]}
          {"x": [1]}                 | /x/0 | {"x": []}
          """)
  void aValueIsRemovedWithTheCommaThatItNeeded(String text, String pointer, String rest) {
    assertThat(JsonObject.parse(text).without(JsonPointer.parse(pointer)).text()).isEqualTo(rest);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          {"a": 1, "b" :2}       | /a   | {"a": "new", "b" :2}
          {"a": 1, "a":  2 }     | /a   | {"a": 1, "a":  "new" }
          {"a": 1,"b":2}         | /c   | {"a": 1,"b":2,"c": "new"}
          {"a": 1}               | /c   | {"a": 1, "c": "new"}
          {}                     | /c~1 | {"c/": "new"}
          {"a": {"x": [1, 2]}}   | /a/x/0 | {"a": {"x": ["new", 2]}}
          {"a": {"x": [1, 2]}}   | /a/x/2 | {"a": {"x": [1, 2, "new"]}}
          {"a": {"x": [1, 2]}}   | /a/x/- | {"a": {"x": [1, 2, "new"]}}
          {"a": []}              | /a/0 | {"a": ["new"]}
          """)
  void aValueIsReplacedOrAddedAtTheEnd(String text, String pointer, String edited) {
    assertThat(JsonObject.parse(text).with(JsonPointer.parse(pointer), " \"new\"\n").text())
        .isEqualTo(edited);
  }

  @Test
  void aMemberIsAddedOnALineOfItsOwnWhereTheOthersAre() {
    assertThat(JsonObject.parse("{\n  \"a\": 1\n}").with(JsonPointer.of("b"), "2").text())
        .isEqualTo("{\n  \"a\": 1,\n  \"b\": 2\n}");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          {"a": 1}    | /b/c/d | at /b: nothing there
          {"a": 1}    | /a/c   | at /a: expected an object or a list, found a number
          {"a": [1]}  | /a/2   | at /a/2: the list has 1 values; add one with '-'
          """)
  void aValueNeedsAPlaceToBePutInto(String text, String pointer, String message) {
    assertThatThrownBy(() -> JsonObject.parse(text).with(JsonPointer.parse(pointer), "0"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(message);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          1 2     | line 1, column 3: text behind the value's end
          ``      | line 1, column 1: expected a value, found nothing
          "x      | line 1, column 3: the text ends before the JSON does
          1, "b": 2 | line 1, column 2: unexpected ','
          """)
  void whatIsNoValueIsNotPut(String value, String message) {
    assertThatThrownBy(() -> JsonObject.parse("{\"a\": 1}").with(JsonPointer.of("a"), value))
        .isInstanceOf(MalformedJsonException.class)
        .hasMessage(message);
  }

  @Test
  void theWholeDocumentIsReplacedByAnObjectOnly() {
    assertThat(JsonObject.parse("{\"a\": 1}").with(JsonPointer.ROOT, "{\"b\": 2}").text())
        .isEqualTo("{\"b\": 2}");
    assertThatThrownBy(() -> JsonObject.parse("{\"a\": 1}").with(JsonPointer.ROOT, "[]"))
        .hasMessageContaining("expected an object, found an array");
    assertThat(JsonObject.parse("{\"a\": 1}").without(JsonPointer.ROOT)).isSameAs(JsonObject.EMPTY);
  }

  @Test
  void inRandomDocumentsAllElseStaysAsItIs() {
    long seed = new Random().nextLong();
    System.out.println("JsonEditTest seed " + seed);
    Random random = new Random(seed);
    RandomJson documents = new RandomJson(random);
    int edits = 0;
    for (int i = 0; i < 2000; i++) {
      JsonObject object = JsonObject.parse(documents.object(4));
      Map<JsonPointer, String> leaves = leaves(object);
      for (JsonPointer pointer : List.copyOf(leaves.keySet())) {
        edits++;
        JsonObject replaced = object.with(pointer, "\"§\"");
        Map<JsonPointer, String> expected = new LinkedHashMap<>(leaves);
        expected.put(pointer, "\"§\"");
        assertThat(leaves(replaced)).as("seed %d", seed).isEqualTo(expected);

        JsonObject added = object.with(JsonPointer.of("§"), "1");
        assertThat(added.without(JsonPointer.of("§"))).as("seed %d", seed).isEqualTo(object);

        expected.remove(pointer);
        assertThat(leaves(object.without(pointer))).as("seed %d", seed).isEqualTo(expected);
      }
    }
    assertThat(edits).as("edits of seed %d", seed).isGreaterThan(1000);
  }

  // Values that are no objects, by place; so the members of lists, which move, are not named.
  private static Map<JsonPointer, String> leaves(JsonObject object) {
    Map<JsonPointer, String> leaves = new LinkedHashMap<>();
    collect(object, JsonPointer.ROOT, leaves);
    return leaves;
  }

  private static void collect(JsonObject object, JsonPointer at, Map<JsonPointer, String> leaves) {
    Map<String, JsonMember> last = new LinkedHashMap<>();
    object.members().forEach(member -> last.put(member.name(), member));
    last.forEach(
        (name, member) -> {
          if (member.kind() == JsonKind.OBJECT) {
            collect(JsonObject.parse(member.valueText()), at.child(name), leaves);
          } else {
            leaves.put(at.child(name), member.valueText());
          }
        });
  }
}
