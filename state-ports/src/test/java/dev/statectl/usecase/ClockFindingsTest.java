package dev.statectl.usecase;

import static org.assertj.core.api.Assertions.assertThat;

import dev.statectl.port.Finding;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ClockFindingsTest {
  private static final Instant NOON = Instant.parse("2026-11-29T12:00:00Z");

  @ParameterizedTest
  @CsvSource({
    "-301, WARNING",
    "-300, WARNING",
    "-299, INFO",
    "-5, INFO",
    "-4, OK",
    "0, OK",
    "2, OK",
    "6, OK",
    "7, INFO",
    "301, INFO",
    "302, WARNING"
  })
  void onlyWhatLiesOutsideOfTheRoundTripIsADifference(long seconds, Finding.Level level) {
    assertThat(of(seconds).level()).isEqualTo(level);
  }

  @Test
  void theDirectionIsTold() {
    assertThat(of(-60).what()).isEqualTo("the store's clock is 60 seconds behind this machine's");
    assertThat(of(62).what()).isEqualTo("the store's clock is 60 seconds ahead of this machine's");
    assertThat(of(62).mend().orElseThrow().safe()).isFalse();
  }

  /** The store's time, asked for at noon, in a round trip of two seconds. */
  private static Finding of(long seconds) {
    return ClockFindings.of("memory", NOON.plusSeconds(seconds), NOON, NOON.plusSeconds(2));
  }
}
