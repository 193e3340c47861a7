package dev.statectl.benchmark.json;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.openjdk.jmh.profile.GCProfiler;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.results.format.ResultFormatType;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.ChainedOptionsBuilder;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.runner.options.VerboseMode;

/** Runs {@link JsonBenchmark} and gives its table. */
final class JsonBenchmarkRun {
  private static final String ALLOCATED = "gc.alloc.rate.norm";

  private JsonBenchmarkRun() {}

  /** Arguments: the directory for documents, then {@code --quick} or nothing. */
  public static void main(String[] arguments) throws IOException, RunnerException {
    boolean quick = arguments.length > 1 && arguments[1].equals("--quick");
    ChainedOptionsBuilder options = new OptionsBuilder();
    if (quick) {
      options.warmupTime(TimeValue.milliseconds(200)).measurementTime(TimeValue.milliseconds(200));
    }
    System.out.print(run(Path.of(arguments[0]), options));
  }

  /**
   * Measures, and writes {@code performance/json.json} (JMH's results) and {@code json.md} (the
   * table) below a directory.
   *
   * @return the table as Markdown
   */
  static String run(Path docs, ChainedOptionsBuilder options) throws IOException, RunnerException {
    Path directory = Files.createDirectories(docs.resolve("performance"));
    Collection<RunResult> results =
        new Runner(
                options
                    .include(JsonBenchmark.class.getName())
                    .addProfiler(GCProfiler.class)
                    .shouldFailOnError(true)
                    .verbosity(VerboseMode.SILENT)
                    .resultFormat(ResultFormatType.JSON)
                    .result(directory.resolve("json.json").toString())
                    .build())
            .run();
    // It names the place of the JVM, which is the machine's and of no use to others.
    Path raw = directory.resolve("json.json");
    Files.writeString(raw, Files.readString(raw).replaceAll("(?m)^\\s*\"jvm\" : \".*\",\\R", ""));
    String table = table(results);
    Files.writeString(directory.resolve("json.md"), table);
    return table;
  }

  /** What is measured of one piece of work. */
  private record Measured(double nanoseconds, double allocated) {}

  private static String table(Collection<RunResult> results) {
    Map<List<String>, Map<String, Measured>> rows = new LinkedHashMap<>();
    for (String operation : List.of("read", "merge")) {
      for (RunResult result : results) {
        if (result.getParams().getBenchmark().endsWith("." + operation)) {
          rows.computeIfAbsent(
                  List.of(operation, result.getParams().getParam("document")),
                  row -> new LinkedHashMap<>())
              .put(
                  result.getParams().getParam("by"),
                  new Measured(
                      result.getPrimaryResult().getScore(),
                      result.getSecondaryResults().get(ALLOCATED).getScore()));
        }
      }
    }
    List<String> lines = new ArrayList<>();
    lines.add(
        "| operation | document | statectl, MB/s | Jackson, MB/s | as fast | allocated by statectl"
            + " | by Jackson | as much |");
    lines.add("|---|---|--:|--:|--:|--:|--:|--:|");
    rows.forEach((row, measured) -> lines.add(line(row.get(0), row.get(1), measured)));
    return String.join("\n", lines) + "\n";
  }

  private static String line(String operation, String document, Map<String, Measured> measured) {
    StateDocuments.Pair pair = StateDocuments.named(document);
    long bytes = operation.equals("read") ? pair.stored().length() : pair.bytes();
    Measured ours = measured.get(JsonWork.STATECTL.name());
    Measured theirs = measured.get(JsonWork.JACKSON.name());
    return String.format(
        Locale.ROOT,
        "| %s | %s | %.0f | %.0f | %.1f × | %s | %s | %s |",
        operation.equals("read") ? "read" : "read two, merge, write",
        document,
        bytes * 1e3 / ours.nanoseconds(),
        bytes * 1e3 / theirs.nanoseconds(),
        theirs.nanoseconds() / ours.nanoseconds(),
        amount(ours.allocated()),
        amount(theirs.allocated()),
        share(ours.allocated() / theirs.allocated()));
  }

  private static String share(double ratio) {
    return ratio < 0.01 ? "< 0.01 ×" : String.format(Locale.ROOT, "%.2f ×", ratio);
  }

  private static String amount(double bytes) {
    if (bytes < 1e3) {
      return String.format(Locale.ROOT, "%.0f B", bytes);
    }
    return bytes < 1e6
        ? String.format(Locale.ROOT, "%.1f KB", bytes / 1e3)
        : String.format(Locale.ROOT, "%.1f MB", bytes / 1e6);
  }
}
