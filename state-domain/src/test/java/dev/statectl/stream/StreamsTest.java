package dev.statectl.stream;

import static org.assertj.core.api.Assertions.assertThat;

import dev.statectl.json.JsonObject;
import dev.statectl.state.State;
import dev.statectl.state.StateId;
import java.util.List;
import org.junit.jupiter.api.Test;

class StreamsTest {
  private static final StateId ID = StateId.of("dev:tap-to-target");

  @Test
  void aStreamIsWhatStandsBelowItsNameInTheBookmarks() {
    List<StreamState> streams =
        Streams.of(
            completed(
                """
                {"singer_state": {"bookmarks": {
                  "orders": {"replication_key": "updated_at", "replication_key_value": "2026-11-27"},
                  "contacts": "2024-05-01T00:00:00Z",
                  "regions": {}
                }, "currently_syncing": "orders"}}
                """));

    assertThat(streams)
        .extracting(StreamState::name)
        .containsExactly("orders", "contacts", "regions");
    assertThat(streams.get(0).bookmarks())
        .containsExactly(
            new Bookmark("/replication_key", "\"updated_at\""),
            new Bookmark("/replication_key_value", "\"2026-11-27\""));
    assertThat(streams.get(1).bookmarks())
        .containsExactly(new Bookmark("", "\"2024-05-01T00:00:00Z\""));
    assertThat(streams.get(2).bookmarks()).isEmpty();
    assertThat(streams.get(2).utf8Length()).isEqualTo(2);
  }

  @Test
  void aPartitionIsNamedByItsContext() {
    StreamState issues =
        Streams.of(
                completed(
                    """
                    {"singer_state": {"bookmarks": {"issues": {"partitions": [
                      {"context": {"org": "acme"}, "replication_key_value": 1},
                      {"replication_key_value": 2}
                    ], "starting/value": {"a~b": 3}}}}}
                    """))
            .get(0);

    assertThat(issues.partitions()).isEqualTo(2);
    assertThat(issues.bookmarks())
        .containsExactly(
            new Bookmark("/partitions/{\"org\": \"acme\"}/replication_key_value", "1"),
            new Bookmark("/partitions/1/replication_key_value", "2"),
            new Bookmark("/starting~1value/a~0b", "3"));
  }

  @Test
  void aStreamMayBeInBothHalvesAndThePartialOneIsSeen() {
    State state =
        State.of(
            ID,
            JsonObject.parse("{\"singer_state\": {\"bookmarks\": {\"a\": {\"k\": 1}, \"b\": 1}}}"),
            JsonObject.parse("{\"singer_state\": {\"bookmarks\": {\"a\": {\"k\": 2}, \"c\": 1}}}"));

    assertThat(Streams.of(state))
        .extracting(StreamState::name, StreamState::inCompleted, StreamState::inPartial)
        .containsExactly(
            org.assertj.core.groups.Tuple.tuple("a", true, true),
            org.assertj.core.groups.Tuple.tuple("b", true, false),
            org.assertj.core.groups.Tuple.tuple("c", false, true));
    assertThat(Streams.of(state).get(0).bookmarks()).containsExactly(new Bookmark("/k", "2"));
  }

  @Test
  void aStreamIsRemovedFromBothHalvesAndAllElseStays() {
    State state =
        State.of(
            ID,
            JsonObject.parse("{\"singer_state\":{\"bookmarks\":{\"a\":1.0,\"b\":{\"x\": NaN}}}}"),
            JsonObject.parse("{\"singer_state\": {\"bookmarks\": {\"a\": 2,  \"c\": 1e3}}}"));

    State rest = Streams.without(state, List.of("a"));

    assertThat(rest.completed().text())
        .isEqualTo("{\"singer_state\":{\"bookmarks\":{\"b\":{\"x\": NaN}}}}");
    assertThat(rest.partial().text())
        .isEqualTo("{\"singer_state\": {\"bookmarks\": {\"c\": 1e3}}}");
  }

  @Test
  void aDocumentWithoutBookmarksHasNoStreams() {
    assertThat(Streams.of(completed("{\"singer_state\": {\"bookmarks\": []}}"))).isEmpty();
    assertThat(Streams.of(completed("{\"other\": 1}"))).isEmpty();
    assertThat(Streams.of(completed("{}"))).isEmpty();
  }

  private static State completed(String text) {
    return State.of(ID, JsonObject.parse(text), JsonObject.EMPTY);
  }
}
