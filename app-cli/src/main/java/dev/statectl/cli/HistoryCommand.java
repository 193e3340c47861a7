package dev.statectl.cli;

import dev.statectl.port.HistoryRecord;
import dev.statectl.state.StateId;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code statectl history}: of an id, or a command below it. */
@Command(
    name = "history",
    customSynopsis = {
      "statectl history [-o=text|table|json|ndjson] [--limit=N] [CONNECTION]... ID",
      "       statectl history (enable [--keep=AGE] | disable | status) [CONNECTION]..."
    },
    header = "Shows what the state of an id was, newest first; records it.",
    description = {
      "Where history is enabled every write is recorded, the Meltano plugin's too: when, by whom, how"
          + " long the state was, its streams, and what changed against the version before.",
      "'diff' shows a change in full, 'restore' and 'undo' bring a version back."
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  statectl history enable --keep 30d",
      "  statectl history dev:tap-a-to-b",
      "  statectl history dev:tap-a-to-b --limit 5 -o ndjson"
    })
final class HistoryCommand implements Callable<Integer> {
  private final BackendRunner backends;
  private final ScreenOptions screen;
  private final DataOutput out;
  private final PrintStream err;

  @Spec private @Nullable CommandSpec spec;

  @Parameters(arity = "0..1", paramLabel = "ID", description = "The state's id.")
  private @Nullable String id;

  @Option(
      names = "--limit",
      paramLabel = "N",
      defaultValue = "20",
      description = "How many versions to show at most, the newest ones: 20 by default.")
  private int limit = 20;

  @Option(
      names = {"-o", "--format"},
      paramLabel = "text|table|json|ndjson",
      defaultValue = "table",
      description =
          "table (default); text: the versions; json: an array of objects; ndjson: an object a line.")
  private OutputFormat format = OutputFormat.table;

  HistoryCommand(BackendRunner backends, ScreenOptions screen, DataOutput out, PrintStream err) {
    this.backends = backends;
    this.screen = screen;
    this.out = out;
    this.err = err;
  }

  @Override
  public Integer call() throws Exception {
    if (spec == null) {
      throw new IllegalStateException("not part of a command line");
    }
    if (id == null) {
      spec.commandLine().usage(err, HelpHeadings.scheme(screen.coloredMessages()));
      return ExitCode.USAGE.code();
    }
    if (limit < 1 || limit == Integer.MAX_VALUE) {
      throw new ParameterException(spec.commandLine(), "--limit must be 1 or more");
    }
    StateId stateId = StateId.ofStored(id);
    return backends.run(
        component -> {
          // One more, to tell what the oldest of them changed.
          List<HistoryRecord> records = new ArrayList<>();
          RecordedHistory.of(component).forEachRecord(stateId, limit + 1, records::add);
          if (records.isEmpty()) {
            throw new CommandFailure(
                ExitCode.NOT_FOUND,
                "the history in "
                    + component.backend().target()
                    + " knows nothing of '"
                    + stateId
                    + "'");
          }
          HistoryListing listing = new HistoryListing(records, limit, component.backend().now());
          switch (format) {
            case text -> listing.printVersions(out);
            case table -> listing.printTable(out, screen.coloredOutput());
            case json, ndjson -> listing.printJson(out, format);
          }
          return ExitCode.OK.code();
        });
  }
}
