package dev.statectl.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Durations as they are typed and as they are told. */
class DurationsTest {
  @ParameterizedTest
  @CsvSource({
    "0, PT0S",
    "500ms, PT0.5S",
    "10, PT10S",
    "10s, PT10S",
    "2m, PT2M",
    "24h, PT24H",
    "0ms, PT0S"
  })
  void aNumberAndAUnitAreRead(String text, Duration duration) {
    assertThat(new WaitOption.DurationConverter().convert(text)).isEqualTo(duration);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "s", "-1s", "1.5s", "1 s", "10S", "25h", "1d", "999999999"})
  void anythingElseIsRefused(String text) {
    assertThatThrownBy(() -> new WaitOption.DurationConverter().convert(text))
        .hasMessage("write 0, 500ms, 10s, 2m or 1h, not more than 24h");
  }

  @ParameterizedTest
  @CsvSource({
    "PT-5S, 0 s",
    "PT0S, 0 s",
    "PT0.001S, 1 s",
    "PT59S, 59 s",
    "PT60S, 1 min",
    "PT200S, 3 min 20 s",
    "PT1H, 1 h",
    "PT26H5M7S, 26 h 5 min",
    "PT47H59M, 47 h 59 min",
    "PT48H, 2 d",
    "P40DT23H, 40 d"
  })
  void aDurationIsToldInWholeSeconds(Duration duration, String text) {
    assertThat(DurationText.of(duration)).isEqualTo(text);
  }
}
