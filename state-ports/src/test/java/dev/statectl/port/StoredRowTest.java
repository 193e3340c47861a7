package dev.statectl.port;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.InstanceOfAssertFactories.type;

import dev.statectl.json.JsonObject;
import dev.statectl.json.MalformedJsonException;
import dev.statectl.state.State;
import dev.statectl.state.StateId;
import dev.statectl.state.StateVersion;
import java.time.Instant;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.NullSource;
import org.junit.jupiter.params.provider.ValueSource;

class StoredRowTest {
  private static final StateId ID = StateId.of("dev:tap-to-target");
  private static final StateVersion VERSION =
      new StateVersion(Instant.parse("2026-11-29T12:00:00.123Z"));

  @Test
  void bothHalvesComeBackByteForByte() {
    StoredRow row = new StoredRow(ID, "{\"a\": 1.0,\n \"b\":NaN}", "{\"c\": \"\\ud83d\"}", VERSION);

    assertThat(row.read())
        .isEqualTo(
            new StoredState.Readable(
                new State(
                    ID,
                    JsonObject.parse("{\"a\": 1.0,\n \"b\":NaN}"),
                    JsonObject.parse("{\"c\": \"\\ud83d\"}"),
                    VERSION)));
  }

  @ParameterizedTest
  @NullSource
  @ValueSource(strings = {"", " \n", "null", " null ", "{}", "{ }"})
  void aHalfThatSaysNothingIsEmpty(@Nullable String text) {
    assertThat(new StoredRow(ID, text, text, VERSION).toState())
        .isEqualTo(new State(ID, JsonObject.EMPTY, JsonObject.EMPTY, VERSION));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "[]       | {}  | completed_state | line 1, column 1: expected an object, found an array",
        "7        | [ ] | completed_state | line 1, column 1: expected an object, found a number",
        "{}       | \"secret\" | partial_state | line 1, column 1: expected an object, found a string",
        "{\"a\":1 | {}  | completed_state | line 1, column 7: the text ends before the JSON does",
        "{}       | {} x | partial_state  | line 1, column 4: unexpected 'x'",
      })
  void aHalfThatIsNoObjectIsReportedWithIdAndColumn(
      String completed, String partial, String column, String reason) {
    StoredRow row = new StoredRow(ID, completed, partial, VERSION);

    assertThatThrownBy(row::toState)
        .isInstanceOf(StateFailure.UnreadableState.class)
        .hasMessage(
            "the state of 'dev:tap-to-target' cannot be read: column "
                + column
                + ": "
                + reason
                + " (nothing was changed; set the state anew or clear it)")
        .hasCauseInstanceOf(MalformedJsonException.class);
    assertThat(row.read().id()).isEqualTo(ID);
    assertThat(row.read())
        .asInstanceOf(type(StoredState.Unreadable.class))
        .extracting(StoredState.Unreadable::failure)
        .satisfies(
            failure -> {
              assertThat(failure.id()).isEqualTo(ID);
              assertThat(failure.column()).isEqualTo(column);
              assertThat(failure.reason()).isEqualTo(reason);
            });
  }

  @Test
  void anEmptyHalfIsWrittenAsNull() {
    JsonObject half = JsonObject.parse("{\"a\": 1e3}");

    assertThat(StoredRow.of(new State(ID, half, JsonObject.EMPTY, VERSION)))
        .isEqualTo(new StoredRow(ID, "{\"a\": 1e3}", null, VERSION));
    assertThat(StoredRow.of(new State(ID, JsonObject.EMPTY, half, VERSION)))
        .isEqualTo(new StoredRow(ID, null, "{\"a\": 1e3}", VERSION));
  }

  @Test
  void theTextFormShowsNoContent() {
    assertThat(new StoredRow(ID, "{\"token\": \"secret\"}", null, VERSION))
        .hasToString("StoredRow[dev:tap-to-target, 2026-11-29T12:00:00.123Z]");
  }
}
