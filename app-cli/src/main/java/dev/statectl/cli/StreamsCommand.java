package dev.statectl.cli;

import dev.statectl.state.State;
import dev.statectl.state.StateId;
import dev.statectl.stream.Streams;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code statectl streams}. */
@Command(
    name = "streams",
    header = "Shows what the state of an id says of each stream.",
    description = {
      "Streams are the members of singer_state.bookmarks, as the next run finds them: the partial"
          + " state merged over the completed one.",
      "A table tells of each stream its bookmarks, the number of its partitions, its size, how long"
          + " ago by the server's clock the latest time in it was, and the half that it is in; '-' is"
          + " none. JSON has all bookmarks, with their values as they are stored."
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  statectl streams dev:tap-a-to-b",
      "  statectl streams dev:tap-a-to-b -o ndjson    # a stream a line, for jq"
    })
final class StreamsCommand implements Callable<Integer> {
  private final BackendRunner backends;
  private final ScreenOptions screen;
  private final DataOutput out;

  @Parameters(paramLabel = "ID", description = "The state's id.")
  private String id = "";

  @Option(
      names = {"-o", "--format"},
      paramLabel = "text|table|json|ndjson",
      defaultValue = "table",
      description =
          "table (default); text: the names of the streams; json: an array of objects; ndjson: an"
              + " object a line.")
  private OutputFormat format = OutputFormat.table;

  StreamsCommand(BackendRunner backends, ScreenOptions screen, DataOutput out) {
    this.backends = backends;
    this.screen = screen;
    this.out = out;
  }

  @Override
  public Integer call() throws Exception {
    return backends.run(
        component -> {
          State state = component.getState().get(StateId.ofStored(id));
          StreamListing listing =
              new StreamListing(Streams.of(state), component.backend().now(), out);
          switch (format) {
            case text -> listing.printNames();
            case table -> listing.printTable(screen.coloredOutput());
            case json, ndjson -> listing.printJson(format);
          }
          return ExitCode.OK.code();
        });
  }
}
