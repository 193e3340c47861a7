package dev.statectl.stream;

import static org.assertj.core.api.Assertions.assertThat;

import dev.statectl.json.JsonObject;
import dev.statectl.json.JsonPointer;
import dev.statectl.state.State;
import dev.statectl.state.StateId;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class StateDiffTest {
  private static final StateId ID = StateId.of("dev:tap-to-target");

  @Test
  void streamsComeGoAndChange() {
    StateDiff diff =
        diff(
            "{\"singer_state\": {\"bookmarks\": {\"same\": 1, \"gone\": {\"k\": 1}, \"other\": {\"k\":"
                + " 1, \"was\": 0}}}}",
            "{\"singer_state\": {\"bookmarks\": {\"new\": 7, \"other\": {\"k\": 2, \"is\": 0},"
                + " \"same\": 1}}}");

    assertThat(diff.streams())
        .containsExactly(
            new StreamChange(
                "gone",
                StreamChange.Kind.LOST,
                java.util.List.of(new BookmarkChange("/k", Optional.of("1"), Optional.empty()))),
            new StreamChange(
                "other",
                StreamChange.Kind.CHANGED,
                java.util.List.of(
                    new BookmarkChange("/k", Optional.of("1"), Optional.of("2")),
                    new BookmarkChange("/was", Optional.of("0"), Optional.empty()),
                    new BookmarkChange("/is", Optional.empty(), Optional.of("0")))),
            new StreamChange(
                "new",
                StreamChange.Kind.ADDED,
                java.util.List.of(new BookmarkChange("", Optional.empty(), Optional.of("7")))));
    assertThat(diff.elsewhere()).isEmpty();
  }

  @Test
  void aPartitionThatMovedInItsListDidNotChange() {
    StateDiff diff =
        diff(
            "{\"singer_state\": {\"bookmarks\": {\"s\": {\"partitions\": [{\"context\": {\"o\": 1},"
                + " \"v\": 5}, {\"context\": {\"o\": 2}, \"v\": 6}]}}}}",
            "{\"singer_state\": {\"bookmarks\": {\"s\": {\"partitions\": [{\"context\": {\"o\": 2},"
                + " \"v\": 6}, {\"context\": {\"o\": 1}, \"v\": 4}]}}}}");

    assertThat(diff.streams().get(0).bookmarks())
        .containsExactly(
            new BookmarkChange("/partitions/{\"o\": 1}/v", Optional.of("5"), Optional.of("4")));
    assertThat(diff.streams().get(0).isBackwards()).isTrue();
  }

  @Test
  void changesOutsideTheStreamsAreNamedByTheirPlace() {
    StateDiff diff =
        diff(
            "{\"singer_state\": {\"bookmarks\": {}, \"currently_syncing\": null}, \"x\": 1}",
            "{\"singer_state\": {\"bookmarks\": {}, \"currently_syncing\": \"a\"}, \"y\": 1}");

    assertThat(diff.elsewhere())
        .containsExactly(
            JsonPointer.of("x"),
            JsonPointer.of("y"),
            JsonPointer.of("singer_state", "currently_syncing"));
  }

  @Test
  void bookmarksThatAreNoObjectAreComparedAsAWhole() {
    assertThat(
            diff(
                    "{\"singer_state\": {\"bookmarks\": [1]}}",
                    "{\"singer_state\": {\"bookmarks\": [2]}}")
                .elsewhere())
        .containsExactly(JsonPointer.of("singer_state", "bookmarks"));
  }

  @Test
  void aPartialHalfThatWasFoldedInChangesTheHalvesOnly() {
    JsonObject merged = JsonObject.parse("{\"singer_state\": {\"bookmarks\": {\"a\": 1}}}");
    StateDiff diff =
        StateDiff.between(
            State.of(ID, JsonObject.EMPTY, merged), State.of(ID, merged, JsonObject.EMPTY));

    assertThat(diff.halvesOnly()).isTrue();
    assertThat(diff.isEmpty()).isFalse();
  }

  @Test
  void theSameStateHasNoDiff() {
    assertThat(diff("{\"singer_state\": {}}", "{\"singer_state\": {}}").isEmpty()).isTrue();
  }

  private static StateDiff diff(String before, String after) {
    return StateDiff.between(
        State.of(ID, JsonObject.parse(before), JsonObject.EMPTY),
        State.of(ID, JsonObject.parse(after), JsonObject.EMPTY));
  }
}
