package dev.statectl.cli;

import dev.statectl.state.StateIdGlob;
import java.time.Duration;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code statectl check}. */
@Command(
    name = "check",
    header = "Checks that states move: none is older than an age.",
    description = {
      "Prints the states that were not stored within the age, by the server's clock, and those that"
          + " cannot be read; ends with 0 when there are none, with 1 when there are, or when no state"
          + " matches at all. On an embedded store all states are as old as its file.",
      "For cron and monitoring: --summary prints one line in the form of Nagios plugins instead,"
          + " --prometheus prints metrics in Prometheus' text format and ends with 0."
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  statectl check --pattern 'dev:*' --max-age 24h",
      "  statectl check --max-age 7d --summary",
      "  statectl check --prometheus > states.prom"
    })
final class CheckCommand implements Callable<Integer> {
  private final BackendRunner backends;
  private final ScreenOptions screen;
  private final DataOutput out;
  private final Diagnostics diagnostics;

  @Spec private @Nullable CommandSpec spec;

  @Option(
      names = "--pattern",
      paramLabel = "GLOB",
      defaultValue = "*",
      description = "Only ids that match the whole pattern, as of 'list'.")
  private String pattern = "*";

  @Option(
      names = "--max-age",
      paramLabel = "AGE",
      defaultValue = "24h",
      converter = AgeConverter.class,
      description = "How old a state may be: 90s, 30m, 24h (default), 7d.")
  private Duration maxAge = Duration.ofDays(1);

  @Option(
      names = {"-o", "--format"},
      paramLabel = "text|table|json|ndjson",
      defaultValue = "table",
      description =
          "table (default); text: the ids; json: an array of objects; ndjson: an object a line.")
  private OutputFormat format = OutputFormat.table;

  @Option(names = "--summary", description = "Print one line instead, as Nagios plugins do.")
  private boolean summary;

  @Option(names = "--prometheus", description = "Print metrics instead, and end with 0.")
  private boolean prometheus;

  CheckCommand(
      BackendRunner backends, ScreenOptions screen, DataOutput out, Diagnostics diagnostics) {
    this.backends = backends;
    this.screen = screen;
    this.out = out;
    this.diagnostics = diagnostics;
  }

  @Override
  public Integer call() throws Exception {
    if (summary && prometheus) {
      throw UsageFault.of(spec, "give one of --summary and --prometheus, not both");
    }
    StateIdGlob glob = StateIdGlob.of(pattern);
    return backends.run(
        component -> {
          if (prometheus) {
            new StateMetrics(component).print(glob, out);
            return ExitCode.OK.code();
          }
          Freshness freshness = Freshness.of(component, glob, maxAge);
          if (summary) {
            out.line(freshness.summary());
          } else {
            freshness.print(out, format, screen.coloredOutput());
            diagnostics.inform(freshness.result(component.backend().target()));
          }
          return (freshness.isGood() ? ExitCode.OK : ExitCode.FAILURE).code();
        });
  }
}
