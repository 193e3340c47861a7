package dev.statectl.json;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class JsonPrettyTest {

  @Test
  void everyMemberAndElementHasALineOfItsOwn() {
    assertThat(pretty("{\"a\":1,\"b\":{\"c\":[1,[2],{\"d\":null}],\"e\":true},\"f\":\"x\"}"))
        .isEqualTo(
            """
            {
              "a": 1,
              "b": {
                "c": [
                  1,
                  [
                    2
                  ],
                  {
                    "d": null
                  }
                ],
                "e": true
              },
              "f": "x"
            }""");
  }

  @Test
  void whatIsEmptyStaysOnItsLine() {
    assertThat(pretty("{}")).isEqualTo("{}");
    assertThat(pretty("{\"a\": { }, \"b\":[\n],\"c\":[[ ],{}]}"))
        .isEqualTo(
            """
            {
              "a": {},
              "b": [],
              "c": [
                [],
                {}
              ]
            }""");
  }

  @Test
  void theSpellingOfNamesStringsAndNumbersIsKept() {
    assertThat(
            pretty(
                "{\"caf\\u00e9\\\"\" :1.0,\t\"n\":[NaN,-Infinity,1e3,-0.0,"
                    + "123456789012345678901234567890],\r\n\"s\":[\"\\ud83d\",\"\\/ : , }\"]}"))
        .isEqualTo(
            """
            {
              "caf\\u00e9\\"": 1.0,
              "n": [
                NaN,
                -Infinity,
                1e3,
                -0.0,
                123456789012345678901234567890
              ],
              "s": [
                "\\ud83d",
                "\\/ : , }"
              ]
            }""");
  }

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
  void onlyTheSpaceBetweenTheTokensOfASampleChanges(String sample) throws IOException {
    String text = Files.readString(Path.of("src/test/resources/samples", sample));

    String pretty = pretty(text);

    assertThat(withoutSpace(pretty)).isEqualTo(withoutSpace(text));
    assertThat(pretty(pretty)).isEqualTo(pretty);
  }

  @Test
  void onlyTheSpaceBetweenTheTokensOfARandomDocumentChanges() {
    long seed = 20261129L;
    Random random = new Random(seed);
    for (int round = 0; round < 500; round++) {
      StringBuilder text = new StringBuilder();
      object(random, text, 4);

      String pretty = pretty(text.toString());

      assertThat(withoutSpace(pretty))
          .as("seed %d, round %d: %s", seed, round, text)
          .isEqualTo(withoutSpace(text.toString()));
      assertThat(pretty(pretty)).isEqualTo(pretty);
    }
  }

  @Test
  void aThousandLevelsAreWritten() {
    String pretty = pretty("{\"a\":".repeat(1000) + "1" + "}".repeat(1000));

    assertThat(pretty.lines().count()).isEqualTo(2001);
    assertThat(pretty.lines().skip(999).findFirst()).contains("  ".repeat(999) + "\"a\": {");
    assertThat(pretty.lines().skip(1000).findFirst()).contains("  ".repeat(1000) + "\"a\": 1");
    assertThat(withoutSpace(pretty)).isEqualTo("{\"a\":".repeat(1000) + "1" + "}".repeat(1000));
  }

  @Test
  void aFailureOfTheOutputReachesTheCaller() {
    Writer full =
        new Writer() {
          @Override
          public void write(char[] chars, int offset, int length) throws IOException {
            throw new IOException("no space left");
          }

          @Override
          public void flush() {}

          @Override
          public void close() {}
        };

    assertThatThrownBy(() -> JsonPretty.write(JsonObject.parse("{\"a\":1}"), full))
        .isInstanceOf(IOException.class)
        .hasMessage("no space left");
  }

  private static String pretty(String text) {
    StringBuilder out = new StringBuilder();
    try {
      JsonPretty.write(JsonObject.parse(text), out);
    } catch (IOException e) {
      throw new AssertionError(e);
    }
    return out.toString();
  }

  // A second reader of JSON, of the simplest kind: it knows strings and nothing else.
  private static String withoutSpace(String text) {
    StringBuilder out = new StringBuilder();
    boolean inString = false;
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (inString && c == '\\') {
        out.append(c).append(text.charAt(++i));
        continue;
      }
      inString ^= c == '"';
      if (inString || " \t\r\n".indexOf(c) < 0) {
        out.append(c);
      }
    }
    return out.toString();
  }

  private static void object(Random random, StringBuilder out, int levels) {
    out.append('{');
    int members = random.nextInt(4);
    for (int i = 0; i < members; i++) {
      space(random, out.append(i == 0 ? "" : ","));
      string(random, out);
      space(random, out);
      space(random, out.append(':'));
      value(random, out, levels - 1);
      space(random, out);
    }
    space(random, out);
    out.append('}');
  }

  private static void value(Random random, StringBuilder out, int levels) {
    switch (random.nextInt(levels > 0 ? 5 : 3)) {
      case 0 -> string(random, out);
      case 1 -> out.append(pick(random, "0", "-1.50", "1E+3", "NaN", "Infinity", "-Infinity"));
      case 2 -> out.append(pick(random, "null", "true", "false"));
      case 3 -> object(random, out, levels);
      default -> {
        out.append('[');
        int elements = random.nextInt(4);
        for (int i = 0; i < elements; i++) {
          space(random, out.append(i == 0 ? "" : ","));
          value(random, out, levels - 1);
          space(random, out);
        }
        out.append(']');
      }
    }
  }

  private static void string(Random random, StringBuilder out) {
    out.append('"');
    for (int parts = random.nextInt(4); parts > 0; parts--) {
      out.append(pick(random, "a", " ", ":", ",", "{", "]", "\\\"", "\\\\", "\\u0000", "ж", "🚀"));
    }
    out.append('"');
  }

  private static void space(Random random, StringBuilder out) {
    out.append(pick(random, "", "", " ", "\n", "\t \r\n"));
  }

  private static String pick(Random random, String... choices) {
    return choices[random.nextInt(choices.length)];
  }
}
