package dev.statectl.cli;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ByteCountTest {
  @ParameterizedTest
  @CsvSource({
    "0, 0 B",
    "1023, 1023 B",
    "1024, 1.0 KiB",
    "1590, 1.6 KiB",
    "1048524, 1023.9 KiB",
    "1048525, 1.0 MiB",
    "67108864, 64.0 MiB",
    "5000000000000, 4.5 TiB"
  })
  void aSizeHasOneDecimalAndTheUnitOfItsThousands(long bytes, String text) {
    assertThat(ByteCount.of(bytes)).isEqualTo(text);
  }
}
