package dev.statectl.cli;

import dev.statectl.json.JsonObject;
import dev.statectl.port.StateFailure;
import dev.statectl.state.State;
import dev.statectl.state.StateId;
import dev.statectl.usecase.GuardRails;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code statectl set}. */
@Command(
    name = "set",
    customSynopsis = {
      "statectl set [--no-validate] [--dry-run] [-y|--force] [--wait=DURATION]",
      "                    [--uri=URI] [--environment=NAME] ID STATE",
      "       statectl set [--no-validate] [--dry-run] [-y|--force] [--wait=DURATION]",
      "                    [--uri=URI] [--environment=NAME] ID --input-file=FILE"
    },
    header = "Stores a document as the state of an id.",
    description = {
      "The document becomes the completed state, and the partial state is emptied. A new id is"
          + " stored at once; before a stored state is overwritten you are asked.",
      GuardedCommand.EXPLAINED
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  statectl set dev:tap-a-to-b '{\"singer_state\": {\"bookmarks\": {}}}'",
      "  statectl set dev:tap-a-to-b --input-file state.json --dry-run",
      "  statectl get dev:tap-a-to-b | statectl set -y prod:tap-a-to-b --input-file -"
    })
final class SetCommand implements Callable<Integer> {
  private final BackendRunner backends;
  private final DocumentReader documents;
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
      names = "--no-validate",
      description = "Store a document that is no state, too: one without the object singer_state.")
  private boolean noValidate;

  SetCommand(
      BackendRunner backends,
      DocumentReader documents,
      Confirmation confirmation,
      Diagnostics diagnostics) {
    this.backends = backends;
    this.documents = documents;
    this.confirmation = confirmation;
    this.diagnostics = diagnostics;
  }

  @Override
  public Integer call() throws Exception {
    StateId stateId = writableId();
    JsonObject document = readDocument();
    return backends.runLocking(
        "set",
        wait,
        (component, stop) -> {
          String target = component.backend().target();
          if (!confirmation.allows(() -> plan(stateId, document, component, target))) {
            return ExitCode.OK.code();
          }
          component.setState().set(stateId, document, confirmation.over(component.guardRails()));
          diagnostics.inform(
              "set '"
                  + stateId
                  + "' in "
                  + target
                  + " ("
                  + StateDescription.bytes(document.utf8Length())
                  + ")");
          return ExitCode.OK.code();
        });
  }

  private static ChangePlan plan(
      StateId stateId, JsonObject document, BackendComponent component, String target) {
    State after = State.of(stateId, document, JsonObject.EMPTY);
    GuardRails guardRails = component.guardRails();
    try {
      State before = component.getState().get(stateId);
      return ChangePlan.of("overwrite", StateDescription.of(before, target))
          .withDoubts(stateId, guardRails.doubts(Optional.of(before), after));
    } catch (StateFailure.UnreadableState e) {
      return ChangePlan.of("overwrite", StateDescription.ofUnreadable(stateId, target))
          .withDoubts(stateId, guardRails.doubts(Optional.empty(), after));
    } catch (StateFailure.NotFound e) {
      return ChangePlan.of(
              "store",
              "a new state '"
                  + stateId
                  + "' in "
                  + target
                  + " ("
                  + StateDescription.bytes(document.utf8Length())
                  + ")")
          .harmless()
          .withDoubts(stateId, guardRails.doubts(Optional.empty(), after));
    }
  }

  private StateId writableId() {
    try {
      return StateId.of(id);
    } catch (IllegalArgumentException e) {
      throw UsageFault.of(spec, e.getMessage());
    }
  }

  private JsonObject readDocument() {
    if (state != null && inputFile != null) {
      throw UsageFault.of(spec, "give either STATE or --input-file, not both");
    }
    if (state != null) {
      return documents.ofArgument(state, !noValidate);
    }
    if (inputFile != null) {
      return documents.ofFile(inputFile, !noValidate);
    }
    throw UsageFault.of(
        spec, "the document is missing: give STATE, --input-file=FILE, or --input-file=-");
  }
}
