package dev.statectl.cli;

import dev.statectl.state.State;
import dev.statectl.state.StateId;
import dev.statectl.stream.StreamState;
import dev.statectl.stream.Streams;
import dev.statectl.usecase.ChangeState;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code statectl reset}. */
@Command(
    name = "reset",
    header = "Removes streams from the state of an id.",
    description = {
      "The next run reads these streams from the beginning, and goes on with all others: their text"
          + " stays as it is, byte for byte. A stream is removed from both halves of the state.",
      "What is removed is printed, a JSON object a line, so that 'put' can bring it back."
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  statectl reset dev:tap-a-to-b --stream issues --dry-run",
      "  statectl reset dev:tap-a-to-b --stream issues -y > removed.ndjson"
    })
final class ResetCommand implements Callable<Integer> {
  private final BackendRunner backends;
  private final StateSurgery surgery;

  @Mixin private final Confirmation confirmation;

  @Mixin private final WaitOption wait = new WaitOption();

  @Parameters(paramLabel = "ID", description = "The state's id.")
  private String id = "";

  @Option(
      names = "--stream",
      paramLabel = "STREAM",
      required = true,
      description = "A stream to remove, as 'streams' names it; may be given more than once.")
  private List<String> streams = List.of();

  ResetCommand(BackendRunner backends, Confirmation confirmation, StateSurgery surgery) {
    this.backends = backends;
    this.confirmation = confirmation;
    this.surgery = surgery;
  }

  @Override
  public Integer call() throws Exception {
    StateId stateId = StateId.ofStored(id);
    return backends.runLocking(
        "reset",
        wait,
        (component, stop) -> {
          String target = component.backend().target();
          State seen = component.getState().get(stateId);
          Map<String, StreamState> removed = selected(seen, target);
          String what = StateDescription.counted(removed.size(), "stream");
          String where = "the state of '" + stateId + "' in " + target;
          if (!confirmation.allows(
              () -> ChangePlan.of("remove", what + " from " + where).withLines(lines(removed)))) {
            surgery.printStreams(removed.values());
            return ExitCode.OK.code();
          }
          ChangeState.Changed changed =
              component
                  .changeState()
                  .change(
                      stateId,
                      state ->
                          Streams.without(state, List.copyOf(selected(state, target).keySet())));
          surgery.printStreams(selected(changed.before(), target).values());
          surgery.tell("removed " + what + " from " + where, changed);
          return ExitCode.OK.code();
        });
  }

  private Map<String, StreamState> selected(State state, String target) {
    Map<String, StreamState> all = new LinkedHashMap<>();
    Streams.of(state).forEach(stream -> all.put(stream.name(), stream));
    Map<String, StreamState> selected = new LinkedHashMap<>();
    for (String name : streams) {
      StreamState stream = all.get(name);
      if (stream == null) {
        throw surgery.noStream(name, state.id(), target, all.keySet());
      }
      selected.put(name, stream);
    }
    return selected;
  }

  private static List<String> lines(Map<String, StreamState> streams) {
    return streams.values().stream()
        .map(
            stream ->
                "  '"
                    + stream.name()
                    + "' ("
                    + StateDescription.bytes(stream.utf8Length())
                    + ", "
                    + StateDescription.counted(stream.bookmarks().size(), "bookmark")
                    + ")")
        .toList();
  }
}
