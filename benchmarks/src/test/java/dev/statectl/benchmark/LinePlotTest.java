package dev.statectl.benchmark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.statectl.benchmark.LinePlot.Point;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

final class LinePlotTest {
  @Test
  void pointsLieWhereTheirLogarithmsAre() {
    String svg =
        new LinePlot("t", "x", "y")
            .line("l", 0, false, List.of(new Point(1, 1), new Point(10, 10), new Point(100, 100)))
            .svg();

    // From the lower left to the upper right of the axes, and halfway between.
    assertThat(matches(svg, "<circle cx=\"([\\d.]+)\" cy=\"([\\d.]+)\""))
        .containsExactly("72.0 368.0", "301.0 210.0", "530.0 52.0");
    assertThat(svg).contains("<path d=\"M72.0 368.0L301.0 210.0L530.0 52.0\"");
  }

  @Test
  void axesBeginAndEndAtRoundNumbers() {
    String svg =
        new LinePlot("t", "x", "y")
            .line("l", 0, false, List.of(new Point(300, 0.7), new Point(30_000, 1.9)))
            .svg();

    assertThat(matches(svg, "text-anchor=\"middle\" fill=\"#57606a\">([^<]+)()<"))
        .containsExactly("200 ", "500 ", "1 k ", "2 k ", "5 k ", "10 k ", "20 k ", "50 k ");
    assertThat(matches(svg, "text-anchor=\"end\" fill=\"#57606a\">([^<]+)()<"))
        .containsExactly("0.5 ", "1 ", "2 ");
  }

  @Test
  void manyDecadesHaveATickEach() {
    String svg =
        new LinePlot("t", "x", "y")
            .line("l", 0, false, List.of(new Point(10, 1), new Point(1_000_000, 2)))
            .svg();

    assertThat(matches(svg, "text-anchor=\"middle\" fill=\"#57606a\">([^<]+)()<"))
        .containsExactly("10 ", "100 ", "1 k ", "10 k ", "100 k ", "1 M ");
  }

  @Test
  void namesAreEscaped() {
    assertThat(
            new LinePlot("a < b & \"c\"", "x", "y")
                .line("<", 0, true, List.of(new Point(1, 1)))
                .svg())
        .contains(">a &lt; b &amp; &quot;c&quot;</text>", ">&lt;</text>");
  }

  @Test
  void whatHasNoLogarithmHasNoPlace() {
    LinePlot plot = new LinePlot("t", "x", "y");

    assertThatThrownBy(() -> plot.line("l", 0, false, List.of(new Point(0, 1))))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("no place on logarithmic axes: Point[x=0.0, y=1.0]");
  }

  @Test
  void aPlotWithoutPointsIsNone() {
    assertThatThrownBy(() -> new LinePlot("t", "x", "y").line("l", 0, false, List.of()).svg())
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("nothing to plot in: t");
  }

  private static List<String> matches(String svg, String regex) {
    return Pattern.compile(regex)
        .matcher(svg)
        .results()
        .map(match -> match.group(1) + " " + match.group(2))
        .toList();
  }
}
