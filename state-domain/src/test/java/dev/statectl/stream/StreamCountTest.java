package dev.statectl.stream;

import static org.assertj.core.api.Assertions.assertThat;

import dev.statectl.json.JsonObject;
import java.util.OptionalInt;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class StreamCountTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "0 | {\"singer_state\": {\"bookmarks\": {}}}",
        "2 | {\"singer_state\": {\"bookmarks\": {\"a\": {\"x\": 1}, \"b\": null}, \"c\": 1}}",
        "1 | {\"singer_state\": {\"bookmarks\": {\"a\": 1, \"\\u0061\": 2}}}",
        "1 | {\"singer_state\": {\"bookmarks\": {\"a\": 1, \"b\": 2}, \"bookmarks\": {\"c\": 3}}}"
      })
  void membersOfBookmarksAreStreams(int count, String document) {
    assertThat(Streams.count(JsonObject.parse(document))).isEqualTo(OptionalInt.of(count));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{}",
        "{\"bookmarks\": {\"a\": 1}}",
        "{\"singer_state\": {}}",
        "{\"singer_state\": []}",
        "{\"singer_state\": {\"bookmarks\": [1]}}",
        "{\"singer_state\": {\"bookmarks\": {}, \"bookmarks\": null}}"
      })
  void elsewhereTheyAreNotKnown(String document) {
    assertThat(Streams.count(JsonObject.parse(document))).isEmpty();
  }
}
