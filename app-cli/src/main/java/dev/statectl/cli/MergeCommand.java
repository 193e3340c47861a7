package dev.statectl.cli;

import dev.statectl.json.JsonObject;
import dev.statectl.state.State;
import dev.statectl.state.StateId;
import dev.statectl.usecase.GuardRails;
import dev.statectl.usecase.MergeState;
import dev.statectl.usecase.MergeState.Merged;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code statectl merge}. */
@Command(
    name = "merge",
    customSynopsis = {
      "statectl merge [--no-validate] [--dry-run] [--force] [--wait=DURATION]",
      "                      [--uri=URI] [--environment=NAME] ID STATE",
      "       statectl merge [--no-validate] [--dry-run] [--force] [--wait=DURATION]",
      "                      [--uri=URI] [--environment=NAME] ID --input-file=FILE",
      "       statectl merge [--dry-run] [--force] [--wait=DURATION] [--uri=URI]",
      "                      [--environment=NAME] ID --from-state-id=ID..."
    },
    header = "Merges documents into the state of an id.",
    description = {
      "The document is laid over the partial state, as Meltano does with what an incomplete run"
          + " leaves; the completed state stays. Objects are merged member by member; lists, texts,"
          + " numbers and null replace what was there. What the document does not name keeps its"
          + " bytes. Where the id has no state, it gets a partial one.",
      "--dry-run prints what 'get' would print after the merge. Nobody is asked, unless the merge is"
          + " doubtful.",
      GuardedCommand.EXPLAINED
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  statectl merge dev:tap-a-to-b '{\"singer_state\": {\"bookmarks\": {\"x\": {\"id\": 7}}}}'",
      "  statectl merge dev:tap-a-to-b --dry-run --from-state-id prod:tap-a-to-b"
    })
final class MergeCommand implements Callable<Integer> {
  private final BackendRunner backends;
  private final DocumentReader documents;
  private final DataOutput out;
  private final Diagnostics diagnostics;

  @Spec private @Nullable CommandSpec spec;

  @Mixin private final Confirmation confirmation;

  @Mixin private final WaitOption wait = new WaitOption();

  @Parameters(index = "0", paramLabel = "ID", description = "The state's id.")
  private String id = "";

  @Parameters(
      index = "1",
      arity = "0..1",
      paramLabel = "STATE",
      description = "The document, a JSON object.")
  private @Nullable String state;

  @Option(
      names = "--input-file",
      paramLabel = "FILE",
      description = "Read the document from a file in UTF-8, or from standard input if FILE is -.")
  private @Nullable String inputFile;

  @Option(
      names = "--from-state-id",
      paramLabel = "ID",
      description =
          "Merge the state of another id, as 'get' prints it. May be given several times; the last"
              + " one counts most.")
  private List<String> fromStateIds = new ArrayList<>();

  @Option(
      names = "--no-validate",
      description = "Merge a document that is no state, too: one without the object singer_state.")
  private boolean noValidate;

  MergeCommand(
      BackendRunner backends,
      DocumentReader documents,
      DataOutput out,
      Confirmation confirmation,
      Diagnostics diagnostics) {
    this.backends = backends;
    this.documents = documents;
    this.out = out;
    this.confirmation = confirmation;
    this.diagnostics = diagnostics;
  }

  /** What is merged, known before a store is opened. */
  private interface Source {
    Merged preview(MergeState mergeState);

    Merged merge(MergeState mergeState, GuardRails guardRails);
  }

  @Override
  public Integer call() throws Exception {
    StateId stateId = checked(() -> StateId.of(id));
    Source source = source(stateId);
    return backends.runLocking(
        "merge", wait, (component, stop) -> merge(stateId, source, component));
  }

  private int merge(StateId stateId, Source source, BackendComponent component) {
    String into = "the state of '" + stateId + "' in " + component.backend().target();
    MergeState mergeState = component.mergeState();
    GuardRails guardRails = component.guardRails();
    if (confirmation.isDryRun()) {
      Merged merged = source.preview(mergeState);
      confirmation.allows(plan(into, merged, guardRails));
      out.line(merged.after().merged().text());
      return ExitCode.OK.code();
    }
    if (confirmation.mayAsk()) {
      confirmation.allows(plan(into, source.preview(mergeState), guardRails));
    }
    Merged merged = source.merge(mergeState, confirmation.over(guardRails));
    diagnostics.inform("merged " + described(into, merged));
    return ExitCode.OK.code();
  }

  private static ChangePlan plan(String into, Merged merged, GuardRails guardRails) {
    return ChangePlan.of("merge", described(into, merged))
        .harmless()
        .withDoubts(merged.after().id(), guardRails.doubts(merged.before(), merged.after()));
  }

  private static String described(String into, Merged merged) {
    return "into "
        + into
        + " ("
        + merged.before().map(State::utf8Length).map(StateDescription::bytes).orElse("nothing")
        + " before, "
        + StateDescription.bytes(merged.after().utf8Length())
        + " after)";
  }

  private Source source(StateId stateId) {
    List<String> given = new ArrayList<>();
    if (state != null) {
      given.add("STATE");
    }
    if (inputFile != null) {
      given.add("--input-file");
    }
    if (!fromStateIds.isEmpty()) {
      given.add("--from-state-id");
    }
    if (given.size() > 1) {
      throw UsageFault.of(
          spec,
          "give one of STATE, --input-file and --from-state-id, not "
              + String.join(" and ", given));
    }
    if (state != null) {
      return of(stateId, documents.ofArgument(state, !noValidate));
    }
    if (inputFile != null) {
      return of(stateId, documents.ofFile(inputFile, !noValidate));
    }
    if (!fromStateIds.isEmpty()) {
      return of(stateId, fromStateIds.stream().map(StateId::ofStored).toList());
    }
    throw UsageFault.of(
        spec,
        "what to merge is missing: give STATE, --input-file=FILE, --input-file=- or"
            + " --from-state-id=ID");
  }

  private static Source of(StateId stateId, JsonObject document) {
    return new Source() {
      @Override
      public Merged preview(MergeState mergeState) {
        return mergeState.preview(stateId, document);
      }

      @Override
      public Merged merge(MergeState mergeState, GuardRails guardRails) {
        return mergeState.merge(stateId, document, guardRails);
      }
    };
  }

  private Source of(StateId stateId, List<StateId> sources) {
    if (noValidate) {
      throw UsageFault.of(spec, "--no-validate is for STATE and --input-file only");
    }
    return new Source() {
      @Override
      public Merged preview(MergeState mergeState) {
        return checked(() -> mergeState.preview(stateId, sources));
      }

      @Override
      public Merged merge(MergeState mergeState, GuardRails guardRails) {
        return checked(() -> mergeState.merge(stateId, sources, guardRails));
      }
    };
  }

  private <T> T checked(Supplier<T> call) {
    try {
      return call.get();
    } catch (IllegalArgumentException e) {
      throw UsageFault.of(spec, String.valueOf(e.getMessage()));
    }
  }
}
