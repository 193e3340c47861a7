package dev.statectl.stream;

import static org.assertj.core.api.Assertions.assertThat;

import dev.statectl.json.JsonObject;
import dev.statectl.state.State;
import dev.statectl.state.StateId;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class DoubtsTest {
  private static final StateId ID = StateId.of("dev:tap-to-target");
  private static final String ONE = "{\"singer_state\": {\"bookmarks\": {\"a\": {\"k\": 5}}}}";
  private static final long MAX = 2_000_000;

  @Test
  void aBookmarkThatMovesOnIsNoDoubt() {
    assertThat(about(ONE, ONE.replace('5', '6'))).isEmpty();
    assertThat(about(ONE, ONE)).isEmpty();
    assertThat(about("{}", ONE)).isEmpty();
    assertThat(about("{}", "{}")).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{}",
        "{\"singer_state\": {}}",
        "{\"singer_state\": {\"bookmarks\": {}}, \"x\":{}}"
      })
  void aStateThatBecomesEmptyIsOneAndItsStreamsAreNamed(String empty) {
    assertThat(about(ONE, empty))
        .containsExactly(
            new Doubt(Doubt.Kind.EMPTIED, "nothing is left of the state"),
            new Doubt(Doubt.Kind.STREAMS_LOST, "1 stream disappears: a"));
  }

  @Test
  void aStateWithoutStreamsMayBecomeEmptyToo() {
    assertThat(about("{\"singer_state\": {\"token\": null}}", "{\"singer_state\": {}}"))
        .containsExactly(new Doubt(Doubt.Kind.EMPTIED, "nothing is left of the state"));
    assertThat(about("{\"singer_state\": {}}", "{}")).isEmpty();
  }

  @Test
  void streamsThatDisappearAreNamedUpToTen() {
    assertThat(
            about(
                bookmarks(
                    "\"a\":1,\"b\":1,\"c\":1,\"d\":1,\"e\":1,\"f\":1,\"g\":1,\"h\":1,"
                        + "\"i\":1,\"j\":1,\"k\":1,\"l\":1,\"m\":1"),
                bookmarks("\"a\":1")))
        .containsExactly(
            new Doubt(
                Doubt.Kind.STREAMS_LOST,
                "12 streams disappear: b, c, d, e, f, g, h, i, j, k and 2 more"));
  }

  @ParameterizedTest
  @CsvSource(
      quoteCharacter = '`',
      value = {
        "5, 4",
        "5.0, 4.9",
        "`\"10\"`, `\"9\"`",
        "`\"2026-11-03\"`, `\"2026-11-02\"`",
        "`\"2026-11-03T00:00:00Z\"`, `\"2026-11-03T00:30:00+01:00\"`"
      })
  void aBookmarkThatGoesBackIsNamed(String before, String after) {
    assertThat(about(ONE.replace("5", before), ONE.replace("5", after)))
        .containsExactly(new Doubt(Doubt.Kind.BACKWARDS, "1 bookmark goes backwards: a/k"));
  }

  @ParameterizedTest
  @CsvSource(
      quoteCharacter = '`',
      value = {
        "5, `\"4\"`",
        "`\"2026-11-03\"`, 4",
        "`\"zz\"`, `\"aa\"`",
        "`\"2026-11-03T00:00:00Z\"`, `\"2026-11-01\"`"
      })
  void whatCannotBeComparedIsNoDoubt(String before, String after) {
    assertThat(about(ONE.replace("5", before), ONE.replace("5", after))).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"{\"o\": 1}", "{\"k\": null, \"o\": 1}", "{\"k\": \"\", \"o\": 1}"})
  void aBookmarkThatDisappearsFromAStreamThatStaysIsNamed(String after) {
    assertThat(about(bookmarks("\"a\": {\"k\": 5, \"o\": 1}"), bookmarks("\"a\": " + after)))
        .containsExactly(new Doubt(Doubt.Kind.BOOKMARKS_LOST, "1 bookmark disappears: a/k"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"{}", "null", "{\"k\": {}}"})
  void aStreamThatSaysNothingAnyMoreHasLostItsBookmark(String after) {
    assertThat(about(ONE, ONE.replace("{\"k\": 5}", after)))
        .extracting(Doubt::kind)
        .contains(Doubt.Kind.BOOKMARKS_LOST);
  }

  @Test
  void whatARunNotesDownMayDisappear() {
    String notes =
        "\"progress_markers\": {\"Note\": \"n\", \"k\": 6}, \"starting_replication_value\": 4,"
            + " \"replication_key_signpost\": 9, ";
    assertThat(about(bookmarks("\"a\": {" + notes + "\"k\": 5}"), bookmarks("\"a\": {\"k\": 5}")))
        .isEmpty();
  }

  @Test
  void whatTellsPartitionsApartIsNotNamed() {
    String partitions =
        "\"p\": {\"partitions\": [{\"context\": {\"mail\": \"eve\"}, \"k\": 5},"
            + " {\"context\": {\"mail\": \"bob\"}, \"k\": 5}]}, \"q\": 5";

    assertThat(about(bookmarks(partitions), bookmarks(partitions.replace('5', '4'))))
        .containsExactly(
            new Doubt(Doubt.Kind.BACKWARDS, "3 bookmarks go backwards: p/partitions, q"));
  }

  @Test
  void bothHalvesCountAsTheNextRunFindsThem() {
    JsonObject one = JsonObject.parse(ONE);
    JsonObject four = JsonObject.parse(ONE.replace('5', '4'));

    assertThat(
            Doubts.about(
                Optional.of(State.of(ID, four, one)), State.of(ID, four, JsonObject.EMPTY), MAX))
        .extracting(Doubt::kind)
        .containsExactly(Doubt.Kind.BACKWARDS);
    assertThat(
            Doubts.about(
                Optional.of(State.of(ID, one, JsonObject.EMPTY)),
                State.of(ID, JsonObject.EMPTY, one),
                MAX))
        .isEmpty();
  }

  @Test
  void aStateThatGrowsTenfoldPastTenThousandBytesIsOne() {
    assertThat(about(padded(1_001), padded(10_010)))
        .containsExactly(new Doubt(Doubt.Kind.GROWN, "the state grows from 1001 to 10010 bytes"));
    assertThat(about(padded(1_001), padded(10_009))).isEmpty();
    assertThat(about(padded(100), padded(10_000))).isEmpty();
  }

  @Test
  void aStateThatGrowsPastOneMegabyteIsWorthAWarning() {
    assertThat(about(padded(500_000), padded(1_000_001)))
        .containsExactly(
            new Doubt(
                Doubt.Kind.LARGE,
                "the state has 1000001 bytes; every write of the pipeline stores them all"));
    assertThat(about(padded(500_000), padded(1_000_000))).isEmpty();
    assertThat(about(padded(1_000_001), padded(1_000_002))).isEmpty();
  }

  @Test
  void aStateThatGrowsPastWhatIsAllowedIsRefused() {
    assertThat(about(padded(1_999_999), padded(2_000_001)))
        .containsExactly(
            new Doubt(
                Doubt.Kind.TOO_LARGE,
                "the state has 2000001 bytes, and max_state_bytes is 2000000"));
    assertThat(about(padded(1_999_999), padded(2_000_000))).isEmpty();
    assertThat(about(padded(2_000_002), padded(2_000_001))).isEmpty();
  }

  @Test
  void aNewStateIsDoubtedForItsLengthOnly() {
    assertThat(Doubts.about(Optional.empty(), state("{}"), MAX)).isEmpty();
    assertThat(Doubts.about(Optional.empty(), state(padded(1_000_000)), MAX)).isEmpty();
    assertThat(Doubts.about(Optional.empty(), state(padded(1_000_001)), MAX))
        .extracting(Doubt::kind)
        .containsExactly(Doubt.Kind.LARGE);
    assertThat(Doubts.about(Optional.empty(), state(padded(2_000_001)), MAX))
        .extracting(Doubt::kind)
        .containsExactly(Doubt.Kind.TOO_LARGE);
  }

  @Test
  void onlyTheWarningDoesNotStopAChange() {
    assertThat(Doubt.Kind.values())
        .filteredOn(kind -> !new Doubt(kind, "").stops())
        .containsExactly(Doubt.Kind.LARGE);
    assertThat(Doubt.Kind.values())
        .filteredOn(kind -> kind.severity() == Doubt.Severity.REFUSED)
        .containsExactly(Doubt.Kind.TOO_LARGE);
  }

  private static List<Doubt> about(String before, String after) {
    return Doubts.about(Optional.of(state(before)), state(after), MAX);
  }

  private static State state(String text) {
    return State.of(ID, JsonObject.parse(text), JsonObject.EMPTY);
  }

  private static String bookmarks(String members) {
    return "{\"singer_state\": {\"bookmarks\": {" + members + "}}}";
  }

  private static String padded(int bytes) {
    String frame = "{\"singer_state\": {}, \"pad\": \"\"}";
    return frame.replace("\"\"}", "\"" + "x".repeat(bytes - frame.length()) + "\"}");
  }
}
