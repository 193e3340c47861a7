package dev.statectl.benchmark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

final class TimingTest {
  @Test
  void percentilesAreTimesThatWereTaken() {
    long[] nanos = LongStream.rangeClosed(1, 200).map(i -> (201 - i) * 1_000_000).toArray();

    assertThat(Timing.of(nanos)).isEqualTo(new Timing(200, 1, 100, 180, 198, 200, 20_100));
  }

  @Test
  void oneTimeIsAllOfThem() {
    assertThat(Timing.of(2_500_000)).isEqualTo(new Timing(1, 2.5, 2.5, 2.5, 2.5, 2.5, 2.5));
  }

  @Test
  void nothingIsNoTiming() {
    assertThatThrownBy(Timing::of)
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("nothing was measured");
  }

  @Test
  void tablesShowThreeDigits() {
    assertThat(Timing.of(1_234_567, 98_765_432_100L).shown()).isEqualTo("1.23 / 98,765");
    assertThat(Timing.of(45_678_901).shown()).isEqualTo("45.7 / 45.7");
  }
}
