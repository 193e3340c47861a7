package dev.statectl.cli;

import java.io.PrintStream;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code statectl} itself: the options of all commands, and the usage when no command is given. */
@Command(
    name = "statectl",
    header = "Reads and writes the state of Meltano pipelines in ClickHouse.",
    description = "'statectl help COMMAND' shows the help of a command.",
    footerHeading = "%nExamples:%n",
    footer = {
      "  statectl list -o table",
      "  statectl get dev:tap-a-to-b -o pretty",
      "  statectl clear --pattern 'staging:*' --dry-run",
      "",
      "Environment:",
      "  MELTANO_STATE_BACKEND_URI, MELTANO_STATE_BACKEND_CLICKHOUSE_<NAME>: settings, as in Meltano",
      "  STATECTL_DEBUG=1: show where a failure came from",
      "  STATECTL_JAVA_OPTS: further options for Java, such as -Xmx2g",
      "  VISUAL, EDITOR: the editor of 'edit'; NO_COLOR: no bold headings"
    })
final class StatectlCommand implements Callable<Integer> {
  private final PrintStream err;

  @Spec private @Nullable CommandSpec spec;

  @Mixin private final ScreenOptions screen;

  StatectlCommand(ScreenOptions screen, PrintStream err) {
    this.screen = screen;
    this.err = err;
  }

  @Override
  public Integer call() {
    if (spec == null) {
      throw new IllegalStateException("not part of a command line");
    }
    spec.commandLine().usage(err, HelpHeadings.scheme(screen.coloredMessages()));
    return ExitCode.USAGE.code();
  }
}
