package dev.statectl.cli;

import dev.statectl.json.JsonObject;
import dev.statectl.json.JsonPretty;
import dev.statectl.port.StateFailure;
import dev.statectl.state.StateId;
import dev.statectl.usecase.GetState;
import java.io.IOException;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code statectl get}. */
@Command(
    name = "get",
    header = "Prints the state of an id.",
    description =
        "Prints what the next run starts from: the partial state merged over the completed one. What"
            + " no merge touched comes out as it was stored, byte for byte.",
    footerHeading = "%nExamples:%n",
    footer = {
      "  statectl get dev:tap-a-to-b",
      "  statectl get dev:tap-a-to-b -o pretty",
      "  statectl get dev:tap-a-to-b > state.json"
    })
final class GetCommand implements Callable<Integer> {
  private final BackendRunner backends;
  private final DataOutput out;

  @Parameters(paramLabel = "ID", description = "The state's id.")
  private String id = "";

  @Option(
      names = {"-o", "--format"},
      paramLabel = "json|pretty",
      defaultValue = "json",
      description =
          "json (default): as it is stored; pretty: indented, with names, strings and numbers spelt as"
              + " they are stored.")
  private Format format = Format.json;

  @Option(
      names = "--default-empty",
      description = "If there is no state with this id, print {} and end with 0.")
  private boolean defaultEmpty;

  GetCommand(BackendRunner backends, DataOutput out) {
    this.backends = backends;
    this.out = out;
  }

  // Named as they are typed.
  private enum Format {
    json,
    pretty
  }

  @Override
  public Integer call() throws Exception {
    return backends.run(
        component -> {
          print(find(component.getState()));
          return ExitCode.OK.code();
        });
  }

  private JsonObject find(GetState getState) {
    try {
      return getState.get(StateId.ofStored(id)).merged();
    } catch (StateFailure.NotFound e) {
      if (defaultEmpty) {
        return JsonObject.EMPTY;
      }
      throw e;
    }
  }

  private void print(JsonObject document) throws IOException {
    switch (format) {
      case json -> out.append(document.text());
      case pretty -> JsonPretty.write(document, out);
    }
    out.append('\n');
  }
}
