package dev.statectl.cli;

import dev.statectl.port.HistoryStatus;
import dev.statectl.port.StateHistory;
import java.time.Duration;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
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
          + " the view was dropped. Before records are deleted, because they are to be kept for less"
          + " long, you are asked."
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
      converter = AgeConverter.class,
      description =
          "How long a record is kept: 24h, 30d. Default: as long as so far, 90d where nothing was"
              + " recorded.")
  private @Nullable Duration keep;

  HistoryEnableCommand(BackendRunner backends, Confirmation confirmation, Diagnostics diagnostics) {
    this.backends = backends;
    this.confirmation = confirmation;
    this.diagnostics = diagnostics;
  }

  @Override
  public Integer call() throws Exception {
    if (keep != null && keep.isZero()) {
      throw new CommandFailure(ExitCode.USAGE, "--keep must be a second or more");
    }
    return backends.run(
        component -> {
          StateHistory history = RecordedHistory.of(component);
          String target = component.backend().target();
          HistoryStatus status = history.status();
          Duration kept = keep != null ? keep : status.keep().orElse(StateHistory.DEFAULT_KEEP);
          if (!confirmation.allows(() -> plan(target, status, kept))) {
            return ExitCode.OK.code();
          }
          history.enable(kept);
          diagnostics.inform(
              "history of " + target + " is recorded, and kept for " + DurationText.of(kept));
          return ExitCode.OK.code();
        });
  }

  // The server deletes at once what is older than a shorter time.
  private static ChangePlan plan(String target, HistoryStatus status, Duration keep) {
    String record = "the history of " + target + " for " + DurationText.of(keep);
    boolean hasRecords =
        status.recording() == HistoryStatus.Recording.ON
            || status.recording() == HistoryStatus.Recording.OFF;
    if (!hasRecords || status.keep().filter(before -> before.compareTo(keep) <= 0).isPresent()) {
      return ChangePlan.of("record", record).harmless();
    }
    String before =
        status
            .keep()
            .map(age -> "for " + DurationText.of(age))
            .orElse("for ever, or by a rule of another form");
    return ChangePlan.of(
        "record", record + ", and delete older records, which were kept " + before);
  }
}
