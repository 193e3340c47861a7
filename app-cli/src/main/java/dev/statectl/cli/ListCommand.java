package dev.statectl.cli;

import dev.statectl.state.StateIdGlob;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code statectl list}. */
@Command(
    name = "list",
    header = "Lists states: their ids, one a line, or what is known of each.",
    description = {
      "Ids are ordered by code point.",
      "In text and tables, control characters and line separators in an id are written as \\n, \\t,"
          + " \\xNN or \\uNNNN; JSON gives every id exactly.",
      "A table tells when a state was stored and how long ago by the server's clock, its size, the"
          + " number of streams it has bookmarks of, which of its halves there are (complete,"
          + " partial, complete+partial, empty; or unreadable), and who holds its lock; '-' is not"
          + " known, or nobody. JSON has the same facts: id, updated_at, age_seconds, bytes, streams,"
          + " state, fault, locked_by."
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  statectl list",
      "  statectl list --pattern 'dev:*' -o table",
      "  statectl list -o ndjson    # an object a line, for jq"
    })
final class ListCommand implements Callable<Integer> {
  private final BackendRunner backends;
  private final ScreenOptions screen;
  private final DataOutput out;
  private final Diagnostics diagnostics;

  @Option(
      names = "--pattern",
      paramLabel = "GLOB",
      defaultValue = "*",
      description =
          "Only ids that match the whole pattern: * is any run of characters, ? one character, [abc]"
              + " [a-z] [!a] one of a class, [*] a star itself.")
  private String pattern = "*";

  @Option(
      names = {"-o", "--format"},
      paramLabel = "text|table|json|ndjson",
      defaultValue = "text",
      description =
          "text (default): the ids; table: what is known of each; json: the same as an array of"
              + " objects; ndjson: as an object a line.")
  private OutputFormat format = OutputFormat.text;

  ListCommand(
      BackendRunner backends, ScreenOptions screen, DataOutput out, Diagnostics diagnostics) {
    this.backends = backends;
    this.screen = screen;
    this.out = out;
    this.diagnostics = diagnostics;
  }

  @Override
  public Integer call() throws Exception {
    StateIdGlob glob = StateIdGlob.of(pattern);
    return backends.run(
        component -> {
          switch (format) {
            case text ->
                component.listStates().list(glob, id -> out.line(PrintableText.escaped(id.text())));
            case table -> {
              try (ProgressLine progress = diagnostics.progress("reading states:")) {
                new StateListing(component, out).printTable(glob, screen.coloredOutput(), progress);
              }
            }
            case json, ndjson -> new StateListing(component, out).printJson(glob, format);
          }
          return ExitCode.OK.code();
        });
  }
}
