package dev.statectl.cli.settings;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The expected values are what python-dotenv 1.2.2 reads from the same lines. */
class DotenvFileTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '^',
      textBlock =
          """
          A=1                      | 1
          A=spaced value   # note  | spaced value
          A=a#b                    | a#b
          A=a #b                   | a
          A='single # quoted'      | single # quoted
          A="double # quoted"      | double # quoted
          A="with \\"esc\\" x"     | with "esc" x
          A=it's                   | it's
          export A=8               | 8
          A=                       | ^^
          A='x' # note             | x
          A=a"b"c                  | a"b"c
          A='it\\'s'               | it's
          A='p\\\\q'               | p\\q
          A="p\\\\q"               | p\\q
          A='p\\nq'                | p\\nq
          A='ends in \\'           | ends in \\
          A='{"a": 1}'             | {"a": 1}
          A={"a": 1}               | {"a": 1}
          A='a"b'                  | a"b
          A="a'b"                  | a'b
          A=" lead "               | ^ lead ^
          A=привет                 | привет
          A=a=b==                  | a=b==
          'A'=1                    | 1
          ^ A = 5 ^                | 5
          A=$B                     | $B
          """)
  void readsWhatMeltanoReads(String line, String expected) {
    assertThat(DotenvFile.parse(line.replace("\\\\", "\\")))
        .containsExactly(new DotenvFile.Entry("A", expected.replace("\\\\", "\\"), 1));
  }

  @Test
  void decodesEscapesInDoubleQuotes() {
    assertThat(DotenvFile.parse("A=\"\\a\\b\\f\\n\\r\\t\\v\\'\\x\""))
        .containsExactly(new DotenvFile.Entry("A", "\u0007\b\f\n\r\t\u000B'\\x", 1));
  }

  @Test
  void knowsTheLineOfEachVariableAndSkipsWhatIsNoAssignment() {
    String source =
        """
        # note

        A=1
        no assignment
        B="two
        lines"\r
        =nothing
        D
        'E'=5
        F='more' than the value
        A=2
        G='unclosed
        A=3""";

    assertThat(DotenvFile.parse(source))
        .containsExactly(
            new DotenvFile.Entry("A", "1", 3),
            new DotenvFile.Entry("B", "two\nlines", 5),
            new DotenvFile.Entry("E", "5", 9),
            new DotenvFile.Entry("A", "2", 11),
            new DotenvFile.Entry("A", "3", 13));
  }

  @Test
  void aLongQuotedValueIsRead() {
    String value = "x\\y".repeat(100_000);

    assertThat(DotenvFile.parse("A='" + value + "'"))
        .containsExactly(new DotenvFile.Entry("A", value, 1));
  }

  @Test
  void showsNoValue() {
    assertThat(DotenvFile.parse("A=s3cret").toString()).isEqualTo("[Entry[A, line=1]]");
  }

  /** Counting lines from the beginning for each would take hours here. */
  @Test
  void aLongFileIsReadInTimeThatGrowsWithItsLength() {
    StringBuilder source = new StringBuilder();
    for (int i = 1; i <= 200_000; i++) {
      source.append("A").append(i).append("='1").append(i % 2 == 0 ? "\n'\r\n" : "'\n");
    }

    List<DotenvFile.Entry> entries =
        assertTimeoutPreemptively(
            Duration.ofSeconds(60), () -> DotenvFile.parse(source.toString()));

    assertThat(entries).hasSize(200_000);
    assertThat(entries.get(199_999).name()).isEqualTo("A200000");
    assertThat(entries.get(199_999).line()).isEqualTo(299_999);
  }
}
