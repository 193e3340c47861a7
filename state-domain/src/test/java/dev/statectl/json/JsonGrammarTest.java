package dev.statectl.json;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JacksonException;
import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonFactoryBuilder;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.json.JsonReadFeature;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Compares what is read, token by token, and what is refused, with Jackson. */
class JsonGrammarTest {
  private static final long SEED = 20261129;
  private static final JsonFactory JACKSON =
      new JsonFactoryBuilder().enable(JsonReadFeature.ALLOW_NON_NUMERIC_NUMBERS).build();

  private static final Pattern ESCAPED_SURROGATE =
      Pattern.compile("(?<!\\\\)((?:\\\\{2})*)\\\\u[dD]([89a-fA-F])");

  // What a document consists of, whole and in pieces, and what it must not hold.
  private static final String[] PIECES = {
    "{",
    "}",
    "[",
    "]",
    ":",
    ",",
    "\"",
    "\\",
    "\\u",
    "\\u00e9",
    "\\n",
    "\\x",
    "\"a\"",
    "\"a\":",
    "0",
    "-",
    "+",
    ".",
    "e",
    "E",
    "12",
    "-0",
    "1.5",
    "1e9",
    "true",
    "false",
    "null",
    "NaN",
    "Infinity",
    "-Infinity",
    "t",
    "nul",
    "Inf",
    " ",
    "\n",
    "\t",
    "\r",
    "\f",
    "\u0000",
    "\u007f",
    "\u00a0",
    "ж",
    "🚀",
    "/",
    "//",
    "#",
    "'",
    "a",
    "_"
  };

  @Test
  void randomDocumentsHaveTheTokensThatJacksonFinds() throws IOException {
    System.out.println("seed " + SEED);
    Random random = new Random(SEED);
    RandomJson documents = new RandomJson(random);
    for (int i = 0; i < 20_000; i++) {
      String text = documents.object(5);
      assertThat(ours(text)).as(JsonQuoting.quoted(text)).isNotNull().isEqualTo(jacksons(text));
    }
  }

  @Test
  void ofDamagedDocumentsThoseAreReadThatJacksonReads() throws IOException {
    System.out.println("seed " + SEED);
    Random random = new Random(SEED);
    RandomJson documents = new RandomJson(random);
    int read = 0;
    for (int i = 0; i < 50_000; i++) {
      StringBuilder damaged = new StringBuilder(documents.object(3));
      for (int damage = random.nextInt(2); damage >= 0; damage--) {
        int from = random.nextInt(damaged.length() + 1);
        int to = Math.min(damaged.length(), from + random.nextInt(3));
        damaged.replace(from, to, PIECES[random.nextInt(PIECES.length)]);
      }
      String text = damaged.toString();
      // Jackson refuses names that hold half of a surrogate pair as an escape.
      String readable = ESCAPED_SURROGATE.matcher(text).replaceAll("$1\\\\u0$2");
      // Jackson takes halves that are no escapes, which cannot be stored.
      boolean storable = StandardCharsets.UTF_8.newEncoder().canEncode(text);
      List<Found> expected = storable ? jacksons(readable) : null;
      read += expected == null ? 0 : 1;
      assertThat(ours(readable)).as(JsonQuoting.quoted(readable)).isEqualTo(expected);
      assertThat(ours(text) != null).as(JsonQuoting.quoted(text)).isEqualTo(expected != null);
    }
    // Both must be common, or nothing was compared.
    assertThat(read).isBetween(2_000, 48_000);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "-",
        "-x",
        "--1",
        "1-",
        "1.",
        "1.e5",
        ".5",
        "1e",
        "1e+",
        "1e+-1",
        "1E-05",
        "00",
        "-00",
        "-01",
        "0x1",
        "0.0e0",
        "1_000",
        "1e5.5",
        "-Infinit",
        "Infinitys",
        "NaNs",
        "-NaN",
        "+Infinity",
        "INF",
        "tru",
        "truefalse",
        "true_",
        "nullnull",
        "TRUE",
        "None",
        "\"\\u12\"",
        "\"\\u12G4\"",
        "\"\\u\"",
        "\"\\\"",
        "\"\t\"",
        "\"\u007f\"",
        "\"\\'\"",
        "[,]",
        "[1,,2]",
        "[1 2]",
        "[1,]",
        "[",
        "{\"a\"}",
        "{\"a\":}",
        "{,}",
        "{\"a\":1,}",
        "{1:1}",
        "{\"a\":1;}",
        "{\"a\"::1}",
        "[1}",
        "{\"a\":1]",
        "/**/1",
        "//\n1",
        "#\n1",
        "'a'"
      })
  void oddValuesAreReadOrRefusedAsJacksonDoes(String value) throws IOException {
    String text = "{\"a\": " + value + " }";
    assertThat(ours(text)).isEqualTo(jacksons(text));
  }

  /** A token, where it begins, and its name or its kind of value. */
  private record Found(JsonToken token, int start, String name) {}

  private static @Nullable List<Found> ours(String text) {
    List<Found> tokens = new ArrayList<>();
    try {
      JsonObject.parse(text);
    } catch (MalformedJsonException e) {
      return null;
    }
    JsonScanner scanner = new JsonScanner(text);
    while (scanner.token() != null) {
      boolean name = scanner.token() == JsonToken.FIELD_NAME;
      tokens.add(new Found(scanner.token(), scanner.start(), name ? scanner.name() : ""));
      scanner.next();
    }
    return tokens;
  }

  private static @Nullable List<Found> jacksons(String text) throws IOException {
    List<Found> tokens = new ArrayList<>();
    int depth = 0;
    int values = 0;
    try (JsonParser parser = JACKSON.createParser(text)) {
      while (parser.nextToken() != null) {
        JsonToken token = parser.currentToken();
        values += depth == 0 ? 1 : 0;
        depth += token.isStructStart() ? 1 : token.isStructEnd() ? -1 : 0;
        if (values == 0 || values > 1 || tokens.isEmpty() && token != JsonToken.START_OBJECT) {
          return null;
        }
        boolean name = token == JsonToken.FIELD_NAME;
        int start = (int) parser.currentTokenLocation().getCharOffset();
        if (token == JsonToken.VALUE_NUMBER_FLOAT && !isPythons(parser.getText())) {
          return null;
        }
        if (token == JsonToken.VALUE_STRING) {
          parser.getText();
        }
        tokens.add(new Found(token, start, name ? parser.currentName() : ""));
      }
    } catch (JacksonException e) {
      return null;
    }
    return tokens.isEmpty() ? null : tokens;
  }

  /** Jackson takes more spellings of the three non-numbers than Python writes and reads. */
  private static boolean isPythons(String number) {
    return number.matches("-?[0-9].*|NaN|-?Infinity");
  }
}
