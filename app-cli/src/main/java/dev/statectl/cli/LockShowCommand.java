package dev.statectl.cli;

import dev.statectl.state.StateId;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code statectl lock show}. */
@Command(
    name = "show",
    header = "Shows who holds the lock of an id.",
    description =
        "The holder comes first; those who wait for it come behind. Ends with 3 when nobody holds"
            + " it.",
    footerHeading = "%nExamples:%n",
    footer = {
      "  statectl lock show dev:tap-a-to-b",
      "  statectl lock show @run:dev:tap-a-to-b    # the lock that 'lock run' holds"
    })
final class LockShowCommand implements Callable<Integer> {
  private final BackendRunner backends;
  private final ScreenOptions screen;
  private final DataOutput out;

  @Parameters(paramLabel = "ID", description = "The lock's id: a state's, or @run: and a state's.")
  private String id = "";

  @Option(
      names = {"-o", "--format"},
      paramLabel = "text|table|json|ndjson",
      defaultValue = "text",
      description =
          "text (default), table: a table; json: an array of objects; ndjson: an object a line.")
  private OutputFormat format = OutputFormat.text;

  LockShowCommand(BackendRunner backends, ScreenOptions screen, DataOutput out) {
    this.backends = backends;
    this.screen = screen;
    this.out = out;
  }

  @Override
  public Integer call() throws Exception {
    StateId stateId = StateId.ofStored(id);
    return backends.run(
        component -> {
          List<LockDescription> holders = LockHolders.of(stateId, component);
          if (holders.isEmpty()) {
            throw LockHolders.nobody(stateId, component);
          }
          new LockPrinter(out, screen.coloredOutput()).print(holders, format);
          return ExitCode.OK.code();
        });
  }
}
