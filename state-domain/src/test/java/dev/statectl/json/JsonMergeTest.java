package dev.statectl.json;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.json.JsonReadFeature;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class JsonMergeTest {
  private static final JsonMapper TREES =
      JsonMapper.builder(
              new com.fasterxml.jackson.core.JsonFactoryBuilder()
                  .streamReadConstraints(
                      StreamReadConstraints.builder().maxNestingDepth(1100).build())
                  .build())
          .enable(JsonReadFeature.ALLOW_NON_NUMERIC_NUMBERS)
          .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
          .enable(DeserializationFeature.USE_BIG_INTEGER_FOR_INTS)
          .build();

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "{\"a\":1}            | {\"a\":2}            | {\"a\":2}",
        "{\"a\": 1.0, \"b\":1} | {\"b\": 2.50}      | {\"a\": 1.0, \"b\":2.50}",
        "{\"a\": 1}           | {\"b\":2}            | {\"a\": 1, \"b\":2}",
        "{\"a\":1,\"b\":2}    | {\"c\": 3, \"d\":4}  | {\"a\":1,\"b\":2,\"c\": 3,\"d\":4}",
        "{\"a\": 1 , \"b\": 2} | {\"c\":3}           | {\"a\": 1 , \"b\": 2, \"c\":3}",
        "{ \"a\": 1 }         | {\"c\":3}            | { \"a\": 1, \"c\":3 }",
        "{\"a\":{\"x\":1,\"y\":2}} | {\"a\":{\"y\":[3]}} | {\"a\":{\"x\":1,\"y\":[3]}}",
        "{\"a\":{ }}          | {\"a\":{ \"x\":1 }}  | {\"a\":{ \"x\":1 }}",
        "{\"a\":{\"x\":1}}    | {\"a\":{}}           | {\"a\":{\"x\":1}}",
        "{\"a\":{\"x\":1}}    | {\"a\":7}            | {\"a\":7}",
        "{\"a\":{\"x\":1}}    | {\"a\":null}         | {\"a\":null}",
        "{\"a\":[1,2]}        | {\"a\":{\"x\":1}}    | {\"a\":{\"x\":1}}",
        "{\"a\":\"s\"}        | {\"a\":{\"x\":1}}    | {\"a\":{\"x\":1}}",
        "{\"a\":[1,2]}        | {\"a\":[3]}          | {\"a\":[3]}",
        "{\"a\":null}         | {\"b\":NaN}          | {\"a\":null, \"b\":NaN}",
        "{\"\\u0061\":1}      | {\"a\":2}            | {\"\\u0061\":2}",
        "{\"a\":1}            | {\"\\u0061\":2}      | {\"a\":2}",
        "{\"a\":1}            | {\"b\":1,\"a\":2,\"b\":3} | {\"a\":2, \"b\":3}",
        "{\"a\":1,\"a\":2}    | {\"a\":3}            | {\"a\":3,\"a\":3}",
        "{\"a\":{\"x\":1},\"a\":{\"y\":1}} | {\"a\":{\"z\":1}} | "
            + "{\"a\":{\"x\":1, \"z\":1},\"a\":{\"y\":1, \"z\":1}}",
        "{}                   | {\"a\": 1}           | {\"a\": 1}",
        "{\"a\": 1}           | {}                   | {\"a\": 1}",
      })
  void theUpperDocumentIsSplicedIntoTheLower(String lower, String upper, String merged) {
    assertThat(merge(lower, upper)).isEqualTo(merged);
  }

  @Test
  void indentationIsKeptForAddedMembers() {
    assertThat(
            merge(
                "{\n  \"a\": 1,\n  \"b\": {\n    \"c\": 1\n  }\n}",
                "{\"b\": {\"d\": 2}, \"e\": 3}"))
        .isEqualTo("{\n  \"a\": 1,\n  \"b\": {\n    \"c\": 1,\n    \"d\": 2\n  },\n  \"e\": 3\n}");
  }

  @Test
  void randomDocumentsMergeAsTreesDoAndKeepTheirSpelling() throws JsonProcessingException {
    for (int seed = 0; seed < 20_000; seed++) {
      RandomJson documents = new RandomJson(new Random(seed));
      String lower = documents.object(4);
      String upper = documents.object(4);

      String merged = merge(lower, upper);

      assertThat(TREES.readTree(merged))
          .as("seed %d: %s over %s", seed, upper, lower)
          .isEqualTo(mergedTrees(TREES.readTree(lower), TREES.readTree(upper)));
      assertSpellingKept(seed, JsonObject.parse(lower), JsonObject.parse(upper), merged);
    }
  }

  @Test
  void deepDocumentsMerge() {
    String lower = "{\"a\":".repeat(1000) + "1" + "}".repeat(1000);
    String upper = "{\"a\":".repeat(1000) + "2" + "}".repeat(1000);

    assertThat(merge(lower, upper)).isEqualTo(upper);
  }

  @Test
  void documentsOfFiveMegabytesMerge() {
    StringBuilder lower = new StringBuilder("{\"singer_state\": {\"bookmarks\": {");
    StringBuilder upper = new StringBuilder(lower);
    StringBuilder expected = new StringBuilder(lower);
    for (int i = 0; i < 75_000; i++) {
      String separator = i == 0 ? "" : ", ";
      String name = separator + "\"stream-" + i + "\": ";
      String bookmark = name + "{\"replication_key\": \"id\", \"replication_key_value\": ";
      lower.append(bookmark).append("1.0}");
      if (i % 3 == 0) {
        upper.append(name).append("{\"replication_key_value\": ").append(i).append(".50}");
      }
      expected.append(bookmark).append(i % 3 == 0 ? i + ".50}" : "1.0}");
    }
    String end = "}}}";
    assertThat(lower.length()).isGreaterThan(5 * 1024 * 1024);

    assertThat(merge(lower + end, upper + end)).isEqualTo(expected + end);
  }

  @Test
  void aNameThatMeetsItsDuplicateFarBehindIsOneMember() {
    StringBuilder upper = new StringBuilder("{");
    for (int i = 0; i < 5000; i++) {
      upper.append("\"k").append(i % 2500).append("\": ").append(i).append(i < 4999 ? ", " : "}");
    }

    Map<String, String> merged = lastMembers(merge("{\"z\": 0}", upper.toString()));

    assertThat(merged).hasSize(2501).containsEntry("k0", "2500").containsEntry("k2499", "4999");
    assertThat(JsonObject.parse(merge("{\"z\": 0}", upper.toString())).members()).hasSize(2501);
  }

  private static void assertSpellingKept(
      int seed, JsonObject lower, JsonObject upper, String merged) {
    Map<String, String> lowers = lastMembers(lower.text());
    Map<String, String> uppers = lastMembers(upper.text());
    Map<String, String> all = lastMembers(merged);
    lowers.forEach(
        (name, text) -> {
          if (!uppers.containsKey(name)) {
            assertThat(all).as("seed %d", seed).containsEntry(name, text);
          }
        });
    uppers.forEach(
        (name, text) -> {
          if (!lowers.containsKey(name) || !text.startsWith("{")) {
            assertThat(all).as("seed %d", seed).containsEntry(name, text);
          }
        });
  }

  private static Map<String, String> lastMembers(String text) {
    Map<String, String> members = new LinkedHashMap<>();
    JsonObject.parse(text).members().forEach(m -> members.put(m.name(), m.valueText()));
    return members;
  }

  // The same rule over trees, written down apart from the code under test.
  private static JsonNode mergedTrees(JsonNode lower, JsonNode upper) {
    if (!lower.isObject() || !upper.isObject()) {
      return upper;
    }
    ObjectNode merged = lower.deepCopy();
    upper
        .properties()
        .forEach(
            e ->
                merged.set(
                    e.getKey(),
                    lower.has(e.getKey())
                        ? mergedTrees(lower.get(e.getKey()), e.getValue())
                        : e.getValue()));
    return merged;
  }

  private static String merge(String lower, String upper) {
    return JsonObject.parse(lower).mergedWith(JsonObject.parse(upper)).text();
  }
}
