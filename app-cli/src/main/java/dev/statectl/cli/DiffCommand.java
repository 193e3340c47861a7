package dev.statectl.cli;

import dev.statectl.json.JsonObject;
import dev.statectl.port.HistoryEntry;
import dev.statectl.port.HistoryRecord;
import dev.statectl.port.StateFailure;
import dev.statectl.port.StateHistory;
import dev.statectl.port.StoredState;
import dev.statectl.state.State;
import dev.statectl.state.StateId;
import dev.statectl.state.StateVersion;
import dev.statectl.stream.StateDiff;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code statectl diff}. */
@Command(
    name = "diff",
    header = "Shows what changed between two versions of a state, per stream and bookmark.",
    description = {
      "Compares A with B; without B the version A with the one before it; without A the newest"
          + " version. Streams that were lost and bookmarks that went back are marked.",
      "Needs history: see 'history enable'."
    },
    footerHeading = "%nExamples:%n",
    footer = {"  statectl diff dev:tap-a-to-b", "  statectl diff dev:tap-a-to-b -o json"})
final class DiffCommand implements Callable<Integer> {
  private final BackendRunner backends;
  private final DataOutput out;
  private final Diagnostics diagnostics;

  @Parameters(index = "0", paramLabel = "ID", description = "The state's id.")
  private String id = "";

  @Parameters(
      index = "1",
      arity = "0..1",
      paramLabel = "A",
      converter = VersionConverter.class,
      description = "A version, as 'history' shows it.")
  private @Nullable StateVersion a;

  @Parameters(
      index = "2",
      arity = "0..1",
      paramLabel = "B",
      converter = VersionConverter.class,
      description = "A version to compare with.")
  private @Nullable StateVersion b;

  @Option(
      names = {"-o", "--format"},
      paramLabel = "text|json|ndjson",
      defaultValue = "text",
      description =
          "text (default); json: an array of objects, one for each stream; ndjson: an object a line.")
  private OutputFormat format = OutputFormat.text;

  DiffCommand(BackendRunner backends, DataOutput out, Diagnostics diagnostics) {
    this.backends = backends;
    this.out = out;
    this.diagnostics = diagnostics;
  }

  @Override
  public Integer call() throws Exception {
    StateId stateId = StateId.ofStored(id);
    return backends.run(
        component -> {
          StateHistory history = RecordedHistory.of(component);
          Versions versions = versions(history, stateId);
          HistoryRecord earlier = versions.earlier();
          HistoryRecord later = versions.later();
          StateDiff diff = StateDiff.between(state(earlier), state(later));
          diagnostics.inform("'" + stateId + "': " + named(earlier) + " -> " + named(later));
          DiffPrinter printer = new DiffPrinter(diff, isRemoval(earlier) || isRemoval(later), out);
          switch (format) {
            case text, table -> printer.printText();
            case json, ndjson -> printer.printJson(format);
          }
          return ExitCode.OK.code();
        });
  }

  /** What is compared. */
  private record Versions(HistoryRecord earlier, HistoryRecord later) {}

  private Versions versions(StateHistory history, StateId stateId) {
    if (a == null) {
      return newestTwo(history, stateId);
    }
    HistoryRecord given = record(history, stateId, a);
    return b == null
        ? new Versions(
            history.findBefore(stateId, a).orElseThrow(() -> nothingBefore(given)), given)
        : new Versions(given, record(history, stateId, b));
  }

  // These stand first: however long a history is, no more of it is read.
  private static Versions newestTwo(StateHistory history, StateId stateId) {
    List<HistoryRecord> newest = new ArrayList<>();
    history.forEachRecord(stateId, 2, newest::add);
    if (newest.isEmpty()) {
      throw new CommandFailure(
          ExitCode.NOT_FOUND, "the history knows nothing of '" + stateId + "'");
    }
    if (newest.size() == 1) {
      throw nothingBefore(newest.get(0));
    }
    return new Versions(newest.get(1), newest.get(0));
  }

  private static CommandFailure nothingBefore(HistoryRecord record) {
    return new CommandFailure(
        ExitCode.NOT_FOUND,
        "the history of '"
            + record.entry().id()
            + "' knows no version before "
            + record.entry().version());
  }

  private static HistoryRecord record(StateHistory history, StateId stateId, StateVersion version) {
    return history
        .find(stateId, version)
        .orElseThrow(() -> new StateFailure.NotFound(stateId, version));
  }

  // A removal is compared as an empty state.
  private static State state(HistoryRecord record) {
    Optional<StoredState> stored = record.state();
    if (stored.isEmpty()) {
      return State.of(record.entry().id(), JsonObject.EMPTY, JsonObject.EMPTY);
    }
    if (stored.get() instanceof StoredState.Readable readable) {
      return readable.state();
    }
    throw new CommandFailure(
        ExitCode.FAILURE,
        "version "
            + record.entry().version()
            + " of '"
            + record.entry().id()
            + "' is no state that can be read");
  }

  private static String named(HistoryRecord record) {
    return record.entry().version() + (isRemoval(record) ? " (removed)" : "");
  }

  private static boolean isRemoval(HistoryRecord record) {
    return record.entry().kind() == HistoryEntry.Kind.DELETED;
  }
}
