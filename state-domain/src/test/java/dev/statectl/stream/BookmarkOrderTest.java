package dev.statectl.stream;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class BookmarkOrderTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          1                                  | 2
          9                                  | 10
          -1                                 | 0.5
          1e3                                | 1000.1
          12345678901234567890123            | 12345678901234567890124
          "9"                                | "10"
          "2024-05-01T00:00:00Z"             | "2024-05-01T00:00:01Z"
          "2024-05-01T00:00:00.000000Z"      | "2024-05-01T00:00:00.000001Z"
          "2024-05-01T00:00:00+02:00"        | "2024-05-01T00:00:00Z"
          "2024-05-01 00:00:00+0000"         | "2024-05-01T00:00:01Z"
          "2024-05-01 00:00:00+00"           | "2024-05-01T00:00:01Z"
          "2024-05-01T00:00:00-03:00"        | "2024-05-01T04:00:00Z"
          "2024-05-01"                       | "2024-05-02"
          "2024-05-01"                       | "2024-05-01T00:00:01"
          "2024-05-01 10:00:00"              | "2024-05-01T10:00:01"
          """)
  void theEarlierOfTwoIsLess(String earlier, String later) {
    assertThat(BookmarkOrder.compare(earlier, later).orElseThrow()).isNegative();
    assertThat(BookmarkOrder.compare(later, earlier).orElseThrow()).isPositive();
    assertThat(BookmarkOrder.compare(earlier, earlier).orElseThrow()).isZero();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          1                         | "1"
          1                         | null
          NaN                       | 1
          Infinity                  | 1
          true                      | false
          "abc"                     | "abd"
          "2024-05-01T00:00:00Z"    | "2024-05-01T00:00:00"
          "2024-05-01T00:00:00Z"    | "2024-05-01"
          "2024-13-01"              | "2024-05-01"
          "2024-05-01T00:00:00Z"    | "2024-05-01T25:00:00Z"
          [1]                       | [2]
          1e99999999999             | 1
          "\\u0031"                 | "2"
          ""                        | ""
          """)
  void whatIsNotOfOneComparableTypeHasNoOrder(String one, String other) {
    assertThat(BookmarkOrder.compare(one, other)).isEmpty();
    assertThat(BookmarkOrder.compare(other, one)).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({"1.0, 1", "1e2, 100"})
  void twoSpellingsOfOneNumberAreTheSame(String one, String other) {
    assertThat(BookmarkOrder.compare(one, other)).hasValue(0);
  }

  @ParameterizedTest
  @CsvSource({"2, 1e-2000000000", "1e2000000000, 1e-2000000000"})
  void numbersOfAnySizeAreComparedAtOnce(String larger, String smaller) {
    assertThat(BookmarkOrder.compare(larger, smaller).orElse(1)).isPositive();
  }
}
