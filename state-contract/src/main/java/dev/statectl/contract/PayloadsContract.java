package dev.statectl.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.statectl.json.JsonObject;
import dev.statectl.port.StoredState;
import dev.statectl.state.State;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** States are opaque: whatever a half holds, its bytes come back. */
abstract class PayloadsContract extends ContractTopic {
  private static final int MEBI = 1024 * 1024;

  PayloadsContract(StateStoreContract contract) {
    super(contract);
  }

  @Test
  @DisplayName("S-55 Names and values of any characters come back byte for byte.")
  final void namesAndValuesComeBack() {
    List<State> states =
        OddTexts.ids()
            .map(text -> state("dev:" + text.getName(), document(text.getPayload())))
            .sorted(Comparator.comparing(State::id))
            .toList();
    states.forEach(store()::save);

    states.forEach(this::assertFound);
    assertHoldsExactly(states.toArray(State[]::new));
  }

  private static String document(String text) {
    String quoted = quoted(text);
    return "{" + quoted + ":" + quoted + ",\"list\":[" + quoted + "]}";
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("oddDocuments")
  @DisplayName("S-56 Documents of any spelling, size and depth come back byte for byte.")
  final void documentsComeBack(String document) {
    checkComesBack(document);
  }

  static Stream<Named<String>> oddDocuments() {
    int depth = JsonObject.MAX_DEPTH;
    String members =
        IntStream.range(0, 10_000)
            .mapToObj(n -> "\"stream-" + n + "\":{\"n\":" + n + "}")
            .collect(Collectors.joining(","));
    return Stream.of(
        Named.of("numbers", "{\"n\":[1.0,1e3,1E+3,-0,-0.0,0.10,1e-400,1e400,0.1e-7]}"),
        Named.of("integers of thirty digits", "{\"n\":123456789012345678901234567890}"),
        Named.of("many decimals", "{\"n\":0.1234567890123456789012345678901234567890}"),
        Named.of("NaN and Infinity", "{\"n\":[NaN,Infinity,-Infinity]}"),
        Named.of("escapes", "{\"s\":\"\\\" \\\\ \\/ \\b\\f\\n\\r\\t \\u00e9\\u00E9 \\u0041\"}"),
        Named.of("escape of half a pair", "{\"s\":[\"\\ud83d\",\"\\ude00\"]}"),
        Named.of("escape of a pair", "{\"s\":\"\\ud83d\\ude00\"}"),
        Named.of("escape of NUL", "{\"s\":\"a\\u0000b\",\"\\u0000\":1}"),
        Named.of("characters without escapes", "{\"s\":\"\u00e9\u007f\u2028\ufeff\ud83d\ude00\"}"),
        Named.of("duplicate names", "{\"a\":1,\"a\":{\"b\":2,\"b\":3},\"a\":4}"),
        Named.of("order of names", "{\"b\":1,\"a\":2,\"C\":3,\"\":4,\"10\":5,\"9\":6}"),
        Named.of("white space", "{ \"a\" :\t[ 1 ,\r\n 2 ],\n\n  \"b\" : { } , \"c\":\" \" }"),
        Named.of("other kinds", "{\"a\":null,\"b\":true,\"c\":false,\"d\":[],\"e\":{},\"f\":\"\"}"),
        Named.of("escape of the driver", "{\"sql\":\"{fn now()} ? :a {x:String} -- '\"}"),
        Named.of("template", "{\"<name>\":\"${name} %s\"}"),
        Named.of("words of emptiness", "{\"a\":\"null\",\"b\":\"\\\\N\",\"c\":\"NULL\"}"),
        Named.of("depth of objects", "{\"a\":".repeat(depth) + "1" + "}".repeat(depth)),
        Named.of(
            "depth of arrays",
            "{\"a\":" + "[".repeat(depth - 1) + "1" + "]".repeat(depth - 1) + "}"),
        Named.of("many members", "{" + members + "}"),
        Named.of("long name", "{\"" + "n".repeat(MEBI / 4) + "\":1}"),
        Named.of("1 MiB of letters", "{\"s\":\"" + "x".repeat(MEBI) + "\"}"),
        Named.of("1 MiB of quotes", "{\"s\":\"" + "'\\\\".repeat(MEBI / 3) + "\"}"),
        Named.of("1 MiB of emoji", "{\"s\":\"" + "\ud83d\ude00".repeat(MEBI / 4) + "\"}"));
  }

  private void checkComesBack(String document) {
    State completed = state("dev:completed", document);
    State partial = state("dev:partial", "{}", document);
    assertThat(completed.completed().text()).as("the document as parsed").isEqualTo(document);
    store().save(completed);
    store().saveAll(List.of(partial));

    assertFound(completed);
    assertFound(partial);
    List<StoredState> met = states();
    assertThat(idsOf(met)).containsExactly("dev:completed", "dev:partial");
    assertSameHalves(readable(met.get(0)), completed);
    assertSameHalves(readable(met.get(1)), partial);
  }

  /** Writes a text as a JSON string with as few escapes as JSON allows. */
  private static String quoted(String text) {
    StringBuilder out = new StringBuilder("\"");
    for (char c : text.toCharArray()) {
      if (c == '"' || c == '\\') {
        out.append('\\').append(c);
      } else if (c < ' ') {
        out.append(String.format("\\u%04x", (int) c));
      } else {
        out.append(c);
      }
    }
    return out.append('"').toString();
  }
}
