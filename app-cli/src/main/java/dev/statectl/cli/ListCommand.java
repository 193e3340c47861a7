package dev.statectl.cli;

import com.fasterxml.jackson.core.io.JsonStringEncoder;
import dev.statectl.state.StateId;
import dev.statectl.state.StateIdGlob;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code statectl list}. */
@Command(
    name = "list",
    header = "Lists the ids of states, one a line.",
    description = {
      "Ids are ordered by code point.",
      "In an id, control characters and line separators are written as \\n, \\t, \\xNN or"
          + " \\uNNNN; --format json gives every id exactly."
    })
final class ListCommand implements Callable<Integer> {
  private final BackendRunner backends;
  private final DataOutput out;

  @Option(
      names = "--pattern",
      paramLabel = "GLOB",
      defaultValue = "*",
      description =
          "Only ids that match the whole pattern: * is any run of characters, ? one character, [abc]"
              + " [a-z] [!a] one of a class, [*] a star itself.")
  private String pattern = "*";

  @Option(
      names = "--format",
      paramLabel = "text|json",
      defaultValue = "text",
      description = "text (default): the ids; json: each id as a JSON string on a line.")
  private Format format = Format.text;

  ListCommand(BackendRunner backends, DataOutput out) {
    this.backends = backends;
    this.out = out;
  }

  // Named as they are typed.
  private enum Format {
    text,
    json
  }

  @Override
  public Integer call() throws Exception {
    return backends.run(
        component -> {
          component.listStates().list(StateIdGlob.of(pattern), id -> out.line(formatted(id)));
          return ExitCode.OK.code();
        });
  }

  private String formatted(StateId id) {
    return switch (format) {
      case text -> PrintableText.escaped(id.text());
      case json ->
          '"' + String.valueOf(JsonStringEncoder.getInstance().quoteAsString(id.text())) + '"';
    };
  }
}
