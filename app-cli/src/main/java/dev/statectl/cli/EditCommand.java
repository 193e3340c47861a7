package dev.statectl.cli;

import dev.statectl.json.JsonObject;
import dev.statectl.json.JsonPretty;
import dev.statectl.port.StateFailure;
import dev.statectl.state.State;
import dev.statectl.state.StateId;
import dev.statectl.usecase.GuardRails;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code statectl edit}. */
@Command(
    name = "edit",
    header = "Opens the state of an id in an editor.",
    description = {
      "The editor is $VISUAL, else $EDITOR, else vi. It is given what 'statectl get' prints, laid"
          + " out: the partial state merged over the completed one. What you save becomes the"
          + " completed state, as you spelt it, and the partial state is emptied, as by 'set'. A"
          + " new id begins with {\"singer_state\": {}}.",
      "A text that is no state is shown with its fault, and the editor opens again if you like."
          + " Without a change nothing is stored; white space between values is none.",
      "No lock is held while you edit. If the state was changed meanwhile, nothing is stored, and the"
          + " command ends with 5. Whenever your text is not stored, it is kept in a file that is"
          + " named.",
      GuardedCommand.EXPLAINED
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  statectl edit dev:tap-a-to-b",
      "  statectl edit --dry-run dev:tap-a-to-b",
      "  EDITOR='sed -i s/2026-11-03/2026-01-01/' statectl edit --force dev:tap-a-to-b"
    })
final class EditCommand implements Callable<Integer> {
  private static final JsonObject NEW = JsonObject.parse("{\"singer_state\": {}}");

  private final BackendRunner backends;
  private final ProcessContext process;
  private final DocumentReader documents;
  private final Prompt prompt;
  private final DataOutput out;
  private final Diagnostics diagnostics;

  @Spec private @Nullable CommandSpec spec;

  @Mixin private final Confirmation confirmation;

  @Mixin private final WaitOption wait = new WaitOption();

  @Parameters(paramLabel = "ID", description = "The state's id.")
  private String id = "";

  @Option(
      names = "--no-validate",
      description = "Store a document that is no state, too: one without the object singer_state.")
  private boolean noValidate;

  EditCommand(
      BackendRunner backends,
      ProcessContext process,
      DocumentReader documents,
      Confirmation confirmation,
      Prompt prompt,
      DataOutput out,
      Diagnostics diagnostics) {
    this.backends = backends;
    this.process = process;
    this.documents = documents;
    this.confirmation = confirmation;
    this.prompt = prompt;
    this.out = out;
    this.diagnostics = diagnostics;
  }

  @Override
  public Integer call() throws Exception {
    StateId stateId;
    try {
      stateId = StateId.of(id);
    } catch (IllegalArgumentException e) {
      throw UsageFault.of(spec, e.getMessage());
    }
    // The backend is closed while the editor is open, so that others may use an embedded store.
    Optional<State> seen = find(stateId);
    JsonObject before = seen.map(State::merged).orElse(NEW);
    String laidOut = laidOut(before);
    EditedFile file = EditedFile.create(temporary(), laidOut + "\n");
    try (file) {
      return editKeeping(stateId, seen, before, file);
    }
  }

  // Whatever goes wrong, what the person wrote is not lost.
  private int editKeeping(StateId stateId, Optional<State> seen, JsonObject before, EditedFile file)
      throws Exception {
    try {
      return edit(stateId, seen, before, file);
    } catch (CommandFailure e) {
      throw file.isChanged() ? e.and("your text is kept in " + file.keep()) : e;
    } catch (RuntimeException e) {
      if (file.isChanged()) {
        diagnostics.say("your text is kept in " + file.keep());
      }
      throw e;
    }
  }

  private int edit(StateId stateId, Optional<State> seen, JsonObject before, EditedFile file)
      throws Exception {
    JsonObject after = edited(before, file);
    if (laidOut(after).equals(laidOut(before))) {
      diagnostics.inform("no change");
      return ExitCode.OK.code();
    }
    return store(stateId, seen, after);
  }

  private Optional<State> find(StateId stateId) throws Exception {
    Holder found = new Holder();
    backends.run(
        component -> {
          try {
            found.state = component.getState().get(stateId);
          } catch (StateFailure.NotFound e) {
            found.state = null;
          }
          return ExitCode.OK.code();
        });
    return Optional.ofNullable(found.state);
  }

  // Until the text is a state, or the person has enough of it.
  private JsonObject edited(JsonObject before, EditedFile file)
      throws IOException, InterruptedException {
    Editor editor = new Editor(process);
    while (true) {
      editor.open(file.path());
      if (file.isGone()) {
        throw new CommandFailure(
            ExitCode.FAILURE,
            "the editor left no file behind: it was removed; nothing was changed");
      }
      if (!file.isChanged()) {
        return before;
      }
      try {
        return documents.ofEdited(file.path(), !noValidate);
      } catch (CommandFailure e) {
        if (!prompt.isPossible()) {
          throw e;
        }
        diagnostics.say(String.valueOf(e.getMessage()));
        if (!prompt.agrees("Edit again? [Y/n] ", true)) {
          throw new CommandFailure(ExitCode.FAILURE, "nothing was changed");
        }
      }
    }
  }

  private int store(StateId stateId, Optional<State> seen, JsonObject document) throws Exception {
    return backends.runLocking(
        "edit",
        wait,
        (component, stop) -> {
          String target = component.backend().target();
          if (confirmation.isDryRun()) {
            out.append(document.text()).append('\n');
          }
          GuardRails guardRails = component.guardRails();
          if (!confirmation.allows(() -> plan(stateId, seen, document, target, guardRails))) {
            return ExitCode.OK.code();
          }
          if (component
              .replaceState()
              .replace(stateId, seen, document, confirmation.over(guardRails))
              .isEmpty()) {
            throw new CommandFailure(
                ExitCode.CONFLICT,
                "the state of '"
                    + stateId
                    + "' in "
                    + target
                    + " was changed by somebody else while you edited it; nothing was stored",
                "edit it again, and take over what is right of your text");
          }
          diagnostics.inform(
              "stored '"
                  + stateId
                  + "' in "
                  + target
                  + " ("
                  + StateDescription.bytes(document.utf8Length())
                  + ")");
          return ExitCode.OK.code();
        });
  }

  // Nobody is asked but about doubts: who saved a file in an editor has said what they want.
  private static ChangePlan plan(
      StateId stateId,
      Optional<State> seen,
      JsonObject document,
      String target,
      GuardRails guardRails) {
    State after = State.of(stateId, document, JsonObject.EMPTY);
    String size = StateDescription.bytes(document.utf8Length());
    return seen.map(
            state ->
                ChangePlan.of(
                    "replace",
                    "the state of '"
                        + stateId
                        + "' in "
                        + target
                        + " ("
                        + StateDescription.bytes(state.utf8Length())
                        + ") by "
                        + size))
        .orElseGet(
            () ->
                ChangePlan.of(
                    "store", "a new state '" + stateId + "' in " + target + " (" + size + ")"))
        .harmless()
        .withDoubts(stateId, guardRails.doubts(seen, after));
  }

  private static String laidOut(JsonObject document) throws IOException {
    StringBuilder text = new StringBuilder();
    JsonPretty.write(document, text);
    return text.toString();
  }

  private Path temporary() {
    String directory = process.environment().getOrDefault("TMPDIR", "");
    return process
        .workingDirectory()
        .resolve(directory.isEmpty() ? System.getProperty("java.io.tmpdir") : directory);
  }

  private static final class Holder {
    private @Nullable State state;
  }
}
