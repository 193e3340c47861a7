package dev.statectl.state;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class StateVersionTest {

  @ParameterizedTest
  @CsvSource({
    "2026-11-29T10:00:00Z,     2026-11-29T10:00:01Z,        2026-11-29T10:00:01Z",
    "2026-11-29T10:00:00Z,     2026-11-29T10:00:00Z,        2026-11-29T10:00:00.001Z",
    "2026-11-29T10:00:00Z,     2026-11-29T09:00:00Z,        2026-11-29T10:00:00.001Z",
    "2026-11-29T10:00:00.001Z, 2026-11-29T10:00:00.001999Z, 2026-11-29T10:00:00.002Z",
    "2026-11-29T10:00:00.001Z, 2026-11-29T10:00:00.002Z,    2026-11-29T10:00:00.002Z",
    "2299-12-31T23:59:59.999Z, 2026-11-29T10:00:00Z,        2299-12-31T23:59:59.999Z",
    "2300-01-01T00:00:00.001Z, 2026-11-29T10:00:00Z,        2300-01-01T00:00:00.001Z",
  })
  void theNextVersionIsPastTheStoredOneWhateverTheClockSays(
      Instant stored, Instant now, Instant next) {
    assertThat(StateVersion.next(Optional.of(new StateVersion(stored)), now))
        .isEqualTo(new StateVersion(next));
  }

  @Test
  void theFirstVersionIsTheClocksMillisecond() {
    assertThat(StateVersion.next(Optional.empty(), Instant.parse("2026-11-29T10:00:00.123456Z")))
        .hasToString("2026-11-29T10:00:00.123Z");
  }

  @Test
  void aVersionHasWholeMilliseconds() {
    assertThatThrownBy(() -> new StateVersion(Instant.parse("2026-11-29T10:00:00.0001Z")))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("a version has whole milliseconds: 2026-11-29T10:00:00.000100Z");
  }
}
