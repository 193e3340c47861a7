package dev.statectl.stream;

import static org.assertj.core.api.Assertions.assertThat;

import dev.statectl.json.JsonObject;
import dev.statectl.state.State;
import dev.statectl.state.StateId;
import org.junit.jupiter.api.Test;

class DoubtsTest {
  private static final StateId ID = StateId.of("dev:tap-to-target");
  private static final String ONE = "{\"singer_state\": {\"bookmarks\": {\"a\": {\"k\": 5}}}}";

  @Test
  void aBookmarkThatMovesOnIsNoDoubt() {
    assertThat(Doubts.about(state(ONE), state(ONE.replace('5', '6')))).isEmpty();
    assertThat(Doubts.about(state("{}"), state(ONE))).isEmpty();
    assertThat(Doubts.about(state("{}"), state("{}"))).isEmpty();
  }

  @Test
  void aStateThatBecomesEmptyIsOne() {
    assertThat(Doubts.about(state(ONE), state("{}")))
        .containsExactly(new Doubt(Doubt.Kind.EMPTIED, "nothing would be left of the state"));
  }

  @Test
  void streamsThatDisappearAreNamed() {
    assertThat(
            Doubts.about(
                state(
                    "{\"singer_state\": {\"bookmarks\": {\"a\":1,\"b\":1,\"c\":1,\"d\":1,\"e\":1,\"f\":1,\"g\":1,\"h\":1}}}"),
                state("{\"singer_state\": {\"bookmarks\": {\"a\":1}}}")))
        .containsExactly(
            new Doubt(
                Doubt.Kind.STREAMS_LOST, "7 streams would be lost: b, c, d, e, f and 2 more"));
  }

  @Test
  void bookmarksThatGoBackAreNamed() {
    assertThat(Doubts.about(state(ONE), state(ONE.replace('5', '4'))))
        .containsExactly(new Doubt(Doubt.Kind.BACKWARDS, "1 bookmark would go back: a/k"));
  }

  @Test
  void aStateThatGrowsTenfoldPastTenThousandBytesIsOne() {
    assertThat(Doubts.about(padded(1_001), padded(10_010)))
        .containsExactly(
            new Doubt(Doubt.Kind.GROWN, "the state would grow from 1001 to 10010 bytes"));
    assertThat(Doubts.about(padded(1_001), padded(10_009))).isEmpty();
    assertThat(Doubts.about(padded(100), padded(10_000))).isEmpty();
  }

  @Test
  void aLargeStateIsWorthAWarning() {
    assertThat(Doubts.about(padded(500_000), padded(1_000_001)))
        .containsExactly(
            new Doubt(
                Doubt.Kind.LARGE,
                "the state has 1000001 bytes; every write of the pipeline stores them all"));
    assertThat(Doubt.Kind.LARGE.stops()).isFalse();
    assertThat(Doubts.about(padded(500_000), padded(1_000_000))).isEmpty();
  }

  private static State state(String text) {
    return State.of(ID, JsonObject.parse(text), JsonObject.EMPTY);
  }

  private static State padded(int bytes) {
    String frame = "{\"singer_state\": {}, \"pad\": \"\"}";
    return state(frame.replace("\"\"}", "\"" + "x".repeat(bytes - frame.length()) + "\"}"));
  }
}
