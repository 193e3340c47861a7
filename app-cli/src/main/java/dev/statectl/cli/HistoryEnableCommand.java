package dev.statectl.cli;

import dev.statectl.port.StateHistory;
import java.time.Duration;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code statectl history enable}. */
@Command(
    name = "enable",
    header = "Records every state that is written from now on.",
    description = {
      "Creates beside the state table a table TABLE_history and a view that fills it. Nothing changes"
          + " for whoever reads or stores states; what is stored already is recorded first.",
      "Whoever removes states, by clear or move, then needs the rights SELECT and INSERT on"
          + " TABLE_history, as 'statectl ddl' prints them.",
      "May be repeated: changes how long records are kept, and mends a history of which the table or"
          + " the view was dropped."
    },
    footerHeading = "%nExamples:%n",
    footer = {"  statectl history enable", "  statectl history enable --keep 30d"})
final class HistoryEnableCommand implements Callable<Integer> {
  private final BackendRunner backends;
  private final Diagnostics diagnostics;

  @Mixin private final Confirmation confirmation;

  @Option(
      names = "--keep",
      paramLabel = "AGE",
      defaultValue = "90d",
      converter = AgeConverter.class,
      description = "How long a record is kept: 24h, 30d; 90d by default.")
  private Duration keep = StateHistory.DEFAULT_KEEP;

  HistoryEnableCommand(BackendRunner backends, Confirmation confirmation, Diagnostics diagnostics) {
    this.backends = backends;
    this.confirmation = confirmation;
    this.diagnostics = diagnostics;
  }

  @Override
  public Integer call() throws Exception {
    if (keep.isZero()) {
      throw new CommandFailure(ExitCode.USAGE, "--keep must be a second or more");
    }
    return backends.run(
        component -> {
          StateHistory history = RecordedHistory.of(component);
          String target = component.backend().target();
          String age = DurationText.of(keep);
          if (!confirmation.allows(
              () ->
                  ChangePlan.of("record", "the history of " + target + " for " + age).harmless())) {
            return ExitCode.OK.code();
          }
          history.enable(keep);
          diagnostics.inform("history of " + target + " is recorded, and kept for " + age);
          return ExitCode.OK.code();
        });
  }
}
