package dev.statectl.lock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LockTermsTest {

  @Test
  void theDefaultsAreThePluginsTimes() {
    assertThat(LockTerms.DEFAULT)
        .isEqualTo(
            new LockTerms(
                LockMode.IMMEDIATE,
                Duration.ofMinutes(5),
                Duration.ofSeconds(1),
                Duration.ofSeconds(30),
                Duration.ofSeconds(1)));
    assertThat(LockTerms.DEFAULT.renewAfter()).isEqualTo(Duration.ofSeconds(150));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "PT1S     | PT0S  | PT0S  | PT1S     | stale must be whole seconds, two or more, not PT1S",
        "PT2.5S   | PT1S  | PT0S  | PT1S     | stale must be whole seconds, two or more, not PT2.5S",
        "PT5M1S   | PT1S  | PT0S  | PT1S     | stale must not be longer than 300 s, when a lock's row may be removed, is PT5M1S",
        "PT5M     | PT-1S | PT0S  | PT1S     | settle must not be negative, is PT-1S",
        "PT5M     | PT1S  | PT-1S | PT1S     | timeout must not be negative, is PT-1S",
        "PT5M     | PT1S  | PT0S  | PT0.0001S | retry must be 1 ms or more, is PT0.0001S",
        "PT2S     | PT1S  | PT0S  | PT1S     | settle must be shorter than half of stale, but is PT1S of PT2S",
      })
  void timesThatDoNotFitAreRefused(
      Duration stale, Duration settle, Duration timeout, Duration retry, String message) {
    assertThatThrownBy(() -> new LockTerms(LockMode.SETTLE, stale, settle, timeout, retry))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(message);
  }
}
