package dev.statectl.benchmark;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Lines over two logarithmic axes, as a picture in SVG that reads on a light and on a dark page.
 */
final class LinePlot {
  private static final int WIDTH = 760;
  private static final int HEIGHT = 430;
  private static final int LEFT = 72;
  private static final int RIGHT = 230;
  private static final int TOP = 52;
  private static final int BOTTOM = 62;
  private static final int LEGEND_STEP = 22;
  private static final List<String> COLORS =
      List.of("#1f6feb", "#d1242f", "#1a7f37", "#8250df", "#bc4c00", "#57606a");

  private final String title;
  private final String xLabel;
  private final String yLabel;
  private final List<Line> lines = new ArrayList<>();

  LinePlot(String title, String xLabel, String yLabel) {
    this.title = title;
    this.xLabel = xLabel;
    this.yLabel = yLabel;
  }

  /** A place in the plane; both are more than 0. */
  record Point(double x, double y) {}

  /**
   * A line of a plot.
   *
   * @param label what the legend says
   * @param color which of the colors
   * @param dashed whether it stands for what another is compared with
   * @param points its points, from left to right
   */
  record Line(String label, int color, boolean dashed, List<Point> points) {}

  String title() {
    return title;
  }

  List<Line> lines() {
    return List.copyOf(lines);
  }

  LinePlot line(String label, int color, boolean dashed, List<Point> points) {
    for (Point point : points) {
      if (!(point.x() > 0 && point.y() > 0)) {
        throw new IllegalArgumentException("no place on logarithmic axes: " + point);
      }
    }
    lines.add(new Line(label, color, dashed, List.copyOf(points)));
    return this;
  }

  String svg() {
    if (lines.isEmpty() || lines.stream().anyMatch(line -> line.points().isEmpty())) {
      throw new IllegalStateException("nothing to plot in: " + title);
    }
    Axis x = Axis.of(lines.stream().flatMap(l -> l.points().stream()).mapToDouble(Point::x));
    Axis y = Axis.of(lines.stream().flatMap(l -> l.points().stream()).mapToDouble(Point::y));
    StringBuilder svg = new StringBuilder();
    add(
        svg,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" width=\"%d\" height=\"%d\""
            + " font-family=\"-apple-system, 'Segoe UI', Helvetica, Arial, sans-serif\""
            + " font-size=\"12\" role=\"img\" aria-label=\"%s\">%n",
        WIDTH,
        HEIGHT,
        WIDTH,
        HEIGHT,
        escaped(title));
    add(svg, "<rect width=\"%d\" height=\"%d\" rx=\"6\" fill=\"#ffffff\"/>%n", WIDTH, HEIGHT);
    add(
        svg,
        "<text x=\"%d\" y=\"28\" font-size=\"15\" font-weight=\"600\" fill=\"#1f2328\">%s</text>%n",
        LEFT,
        escaped(title));
    grid(svg, x, y);
    for (int i = 0; i < lines.size(); i++) {
      draw(svg, lines.get(i), x, y, TOP + 10 + i * LEGEND_STEP);
    }
    return svg.append("</svg>\n").toString();
  }

  private void grid(StringBuilder svg, Axis x, Axis y) {
    int right = WIDTH - RIGHT;
    int bottom = HEIGHT - BOTTOM;
    for (double tick : x.ticks()) {
      double at = left(x, tick);
      add(
          svg,
          "<line x1=\"%.1f\" y1=\"%d\" x2=\"%.1f\" y2=\"%d\" stroke=\"#e4e8ec\"/>%n",
          at,
          TOP,
          at,
          bottom);
      add(
          svg,
          "<text x=\"%.1f\" y=\"%d\" text-anchor=\"middle\" fill=\"#57606a\">%s</text>%n",
          at,
          bottom + 18,
          number(tick));
    }
    for (double tick : y.ticks()) {
      double at = top(y, tick);
      add(
          svg,
          "<line x1=\"%d\" y1=\"%.1f\" x2=\"%d\" y2=\"%.1f\" stroke=\"#e4e8ec\"/>%n",
          LEFT,
          at,
          right,
          at);
      add(
          svg,
          "<text x=\"%d\" y=\"%.1f\" text-anchor=\"end\" fill=\"#57606a\">%s</text>%n",
          LEFT - 8,
          at + 4,
          number(tick));
    }
    add(
        svg,
        "<path d=\"M%d %dV%dH%d\" fill=\"none\" stroke=\"#8c959f\"/>%n",
        LEFT,
        TOP,
        bottom,
        right);
    add(
        svg,
        "<text x=\"%d\" y=\"%d\" text-anchor=\"middle\" fill=\"#1f2328\">%s</text>%n",
        (LEFT + right) / 2,
        HEIGHT - 18,
        escaped(xLabel));
    add(
        svg,
        "<text transform=\"translate(20 %d) rotate(-90)\" text-anchor=\"middle\""
            + " fill=\"#1f2328\">%s</text>%n",
        (TOP + bottom) / 2,
        escaped(yLabel));
  }

  private static void draw(StringBuilder svg, Line line, Axis x, Axis y, int legendAt) {
    String color = COLORS.get(line.color() % COLORS.size());
    String dashes = line.dashed() ? " stroke-dasharray=\"5 4\" stroke-opacity=\"0.7\"" : "";
    StringBuilder path = new StringBuilder();
    for (Point point : line.points()) {
      add(path, "%s%.1f %.1f", path.isEmpty() ? "M" : "L", left(x, point.x()), top(y, point.y()));
    }
    add(
        svg,
        "<path d=\"%s\" fill=\"none\" stroke=\"%s\" stroke-width=\"2\"%s/>%n",
        path,
        color,
        dashes);
    for (Point point : line.points()) {
      add(
          svg,
          "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"%s\" fill=\"%s\"/>%n",
          left(x, point.x()),
          top(y, point.y()),
          line.dashed() ? "2" : "3.2",
          color);
    }
    int legend = WIDTH - RIGHT + 18;
    add(
        svg,
        "<line x1=\"%d\" y1=\"%d\" x2=\"%d\" y2=\"%d\" stroke=\"%s\" stroke-width=\"2\"%s/>%n",
        legend,
        legendAt,
        legend + 28,
        legendAt,
        color,
        dashes);
    add(
        svg,
        "<text x=\"%d\" y=\"%d\" fill=\"#1f2328\">%s</text>%n",
        legend + 36,
        legendAt + 4,
        escaped(line.label()));
  }

  private static double left(Axis axis, double value) {
    return LEFT + axis.share(value) * (WIDTH - RIGHT - LEFT);
  }

  private static double top(Axis axis, double value) {
    return HEIGHT - BOTTOM - axis.share(value) * (HEIGHT - BOTTOM - TOP);
  }

  /** The number as axes show it: 300, 1 k, 30 k, 10 M, 0.5. */
  private static String number(double value) {
    if (value >= 1_000_000) {
      return plain(value / 1_000_000) + " M";
    }
    return value >= 1_000 ? plain(value / 1_000) + " k" : plain(value);
  }

  private static String plain(double value) {
    String text = String.format(Locale.ROOT, "%.3f", value);
    return text.replaceAll("0+$", "").replaceAll("\\.$", "");
  }

  private static void add(StringBuilder text, String format, Object... values) {
    text.append(String.format(Locale.ROOT, format.replace("%n", "\n"), values));
  }

  private static String escaped(String text) {
    return text.replace("&", "&amp;").replace("<", "&lt;").replace("\"", "&quot;");
  }

  /** A logarithmic axis that begins and ends at a tick. */
  private record Axis(double from, double to) {
    private static final double[] STEPS = {1, 2, 5};
    private static final int MANY_DECADES = 3;

    static Axis of(java.util.stream.DoubleStream values) {
      java.util.DoubleSummaryStatistics range = values.summaryStatistics();
      double from = floor(range.getMin());
      double to = floor(range.getMax());
      while (to < range.getMax() * (1 - 1e-9) || to <= from) {
        to = next(to);
      }
      return new Axis(from, to);
    }

    /** The greatest of … 1, 2, 5, 10, 20, 50 … that is not more than the value. */
    private static double floor(double value) {
      double decade = Math.pow(10, Math.floor(Math.log10(value)));
      double floor = decade;
      for (double step : STEPS) {
        if (decade * step <= value * (1 + 1e-9)) {
          floor = decade * step;
        }
      }
      return floor;
    }

    private static double next(double tick) {
      double decade = Math.pow(10, Math.floor(Math.log10(tick * (1 + 1e-9))));
      double step = tick / decade;
      return step < 1.5 ? 2 * decade : step < 3 ? 5 * decade : 10 * decade;
    }

    double share(double value) {
      return Math.log(value / from) / Math.log(to / from);
    }

    List<Double> ticks() {
      boolean many = Math.log10(to / from) > MANY_DECADES;
      List<Double> ticks = new ArrayList<>();
      for (double tick = from; tick <= to * (1 + 1e-9); tick = next(tick)) {
        double log = Math.log10(tick);
        if (!many || Math.abs(log - Math.rint(log)) < 1e-6) {
          ticks.add(tick);
        }
      }
      return ticks;
    }
  }
}
