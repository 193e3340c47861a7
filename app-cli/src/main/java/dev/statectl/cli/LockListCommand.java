package dev.statectl.cli;

import dev.statectl.lock.LockTerms;
import dev.statectl.state.StateIdGlob;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code statectl lock list}. */
@Command(
    name = "list",
    header = "Lists the locks: who holds what, since when, for how long.",
    description = {
      "Besides holders there may be others who wait for the same lock, each with a row of its own."
          + " Times are those of the server's clock; only since when one of ours holds a lock was"
          + " told by the holder's. A lock that is 'expired' keeps nobody out.",
      "WHOSE is ours for statectl and its library, plugin's for the Meltano plugin, which does not"
          + " say who it is. Locks of the embedded store are seen by no other process."
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  statectl lock list --pattern 'dev:*'",
      "  statectl lock list --pattern '@run:*' -o json"
    })
final class LockListCommand implements Callable<Integer> {
  private final BackendRunner backends;
  private final ScreenOptions screen;
  private final DataOutput out;

  @Option(
      names = "--pattern",
      paramLabel = "GLOB",
      defaultValue = "*",
      description = "Only locks of ids that match the whole pattern, as of 'statectl list'.")
  private String pattern = "*";

  @Option(
      names = {"-o", "--format"},
      paramLabel = "text|table|json|ndjson",
      defaultValue = "text",
      description =
          "text (default), table: a table; json: an array of objects; ndjson: an object a line.")
  private OutputFormat format = OutputFormat.text;

  LockListCommand(BackendRunner backends, ScreenOptions screen, DataOutput out) {
    this.backends = backends;
    this.screen = screen;
    this.out = out;
  }

  @Override
  public Integer call() throws Exception {
    return backends.run(
        component -> {
          LockTerms terms = component.locking().terms();
          List<LockDescription> locks = new ArrayList<>();
          component
              .locks()
              .forEach(StateIdGlob.of(pattern), row -> locks.add(new LockDescription(row, terms)));
          new LockPrinter(out, screen.coloredOutput()).print(locks, format);
          return ExitCode.OK.code();
        });
  }
}
