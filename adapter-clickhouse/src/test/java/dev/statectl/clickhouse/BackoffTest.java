package dev.statectl.clickhouse;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class BackoffTest {
  @Test
  void delaysDoubleAndAreShortenedByAHalfAtMost() {
    Backoff longest = new Backoff(() -> 0, pause -> {}, () -> 0);
    Backoff shortest = new Backoff(() -> 1, pause -> {}, () -> 0);
    assertThat(List.of(longest.delay(1), longest.delay(2), longest.delay(3)))
        .containsExactly(Duration.ofMillis(100), Duration.ofMillis(200), Duration.ofMillis(400));
    assertThat(List.of(shortest.delay(1), shortest.delay(2), shortest.delay(3)))
        .containsExactly(Duration.ofMillis(50), Duration.ofMillis(100), Duration.ofMillis(200));
  }

  @Test
  void itWaitsWithWhatItWasGiven() {
    List<Duration> waited = new ArrayList<>();
    assertThat(new Backoff(() -> 0.5, waited::add, () -> 0).await(2)).isTrue();
    assertThat(waited).containsExactly(Duration.ofMillis(150));
  }

  @Test
  void anInterruptEndsTheWaitAndStays() {
    Backoff backoff =
        new Backoff(
            () -> 0.5,
            pause -> {
              throw new InterruptedException();
            },
            () -> 0);
    assertThat(backoff.await(1)).isFalse();
    assertThat(Thread.interrupted()).isTrue();
  }
}
