package dev.statectl.benchmark;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** What a run found: rows of one table, and plots. */
final class Report {
  private static final String HEADER =
      """
      | operation | statectl | driver | raw HTTP | ratio | requests | sent | received | target | | besides |
      |---|--:|--:|--:|--:|--:|--:|--:|--:|---|---|
      """;

  private final Map<String, Object> environment;
  private final PrintStream progress;
  private final Map<String, String> titles = new LinkedHashMap<>();
  private final List<Row> rows = new ArrayList<>();
  private final Map<String, LinePlot> plots = new LinkedHashMap<>();
  private String group = "";

  /**
   * Makes an empty one.
   *
   * @param environment where and when it was measured
   * @param progress is told each row as it comes
   */
  Report(Map<String, Object> environment, PrintStream progress) {
    this.environment = new LinkedHashMap<>(environment);
    this.progress = progress;
  }

  /** What is added from now on is of this group. */
  void begin(Group begun) {
    group = begun.name();
    titles.put(group, begun.title());
    progress.println("# " + begun.title());
  }

  /** Tells how long a group took. */
  void end(Group ended, long seconds) {
    progress.println("# " + ended.title() + ": " + seconds + " s");
  }

  void add(Row.Draft draft) {
    Row row = draft.in(group);
    rows.add(row);
    progress.println(line(row));
  }

  void add(String file, LinePlot plot) {
    plots.put(file, plot);
  }

  void environment(String name, Object value) {
    environment.put(name, value);
  }

  List<Row> rows() {
    return List.copyOf(rows);
  }

  Map<String, LinePlot> plots() {
    return plots;
  }

  /** The table as Markdown, with what it was measured on above it. */
  String markdown() {
    StringBuilder text = new StringBuilder();
    text.append(
            environment.entrySet().stream()
                .map(fact -> fact.getKey() + " " + fact.getValue())
                .collect(Collectors.joining("; ")))
        .append(
            ".\nTimes in ms: median / 99th percentile. Ratio: of the medians of statectl and raw"
                + " HTTP, unless said otherwise.\n\n")
        .append(HEADER);
    titles.forEach(
        (name, title) -> {
          text.append("| **").append(title).append("** |").append(" |".repeat(10)).append('\n');
          rows.stream()
              .filter(row -> row.group().equals(name))
              .forEach(row -> text.append(line(row)).append('\n'));
        });
    long judged = rows.stream().filter(row -> row.met() != null).count();
    long met = rows.stream().filter(row -> Boolean.TRUE.equals(row.met())).count();
    return text.append("\n")
        .append(met)
        .append(" of ")
        .append(judged)
        .append(" targets met.\n")
        .toString();
  }

  /** Writes the table, the raw results and the plots below a directory such as {@code docs}. */
  void write(Path docs) throws IOException {
    Path directory = Files.createDirectories(docs.resolve("performance"));
    Files.writeString(directory.resolve("table.md"), markdown());
    Map<String, Object> results = new LinkedHashMap<>();
    results.put("environment", environment);
    results.put("rows", rows);
    Map<String, Object> lines = new LinkedHashMap<>();
    plots.forEach((file, plot) -> lines.put(file, plot.lines()));
    results.put("plots", lines);
    new ObjectMapper()
        .enable(SerializationFeature.INDENT_OUTPUT)
        .writeValue(directory.resolve("results.json").toFile(), results);
    Path pictures = Files.createDirectories(docs.resolve("plots"));
    for (Map.Entry<String, LinePlot> plot : plots.entrySet()) {
      Files.writeString(pictures.resolve(plot.getKey() + ".svg"), plot.getValue().svg());
    }
  }

  private static String line(Row row) {
    String ours = row.ours() == null ? "" : row.ours().shown();
    String value = row.value() == null ? "" : row.value();
    List<String> besides = new ArrayList<>();
    row.facts().forEach((name, counted) -> besides.add(name + " " + number(counted)));
    if (!row.note().isEmpty()) {
      besides.add(row.note());
    }
    return "| "
        + String.join(
            " | ",
            row.operation(),
            ours.isEmpty() ? value : value.isEmpty() ? ours : value + ", " + ours,
            shown(row.driver()),
            shown(row.raw()),
            row.ratio() == null ? "" : String.format(Locale.ROOT, "%.2f", row.ratio()),
            row.requests() == null ? "" : number(row.requests()),
            row.bytesSent() == null ? "" : bytes(row.bytesSent()),
            row.bytesReceived() == null ? "" : bytes(row.bytesReceived()),
            row.target() == null ? "" : row.target(),
            row.met() == null ? "" : row.met() ? "met" : "**MISSED**",
            String.join("; ", besides))
        + " |";
  }

  private static String shown(@Nullable Timing timing) {
    return timing == null ? "–" : timing.shown();
  }

  private static String number(double value) {
    return value == Math.rint(value)
        ? String.format(Locale.ROOT, "%,.0f", value)
        : String.format(Locale.ROOT, value < 10 ? "%,.2f" : "%,.1f", value);
  }

  private static String bytes(double value) {
    if (value < 1_000) {
      return String.format(Locale.ROOT, "%.0f B", value);
    }
    return value < 1e6
        ? String.format(Locale.ROOT, "%,.1f KB", value / 1e3)
        : String.format(Locale.ROOT, "%,.1f MB", value / 1e6);
  }
}
