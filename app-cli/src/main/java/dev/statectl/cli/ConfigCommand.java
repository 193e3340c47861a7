package dev.statectl.cli;

import java.io.PrintStream;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code statectl config}: the commands below it, and its usage when none is given. */
@Command(
    name = "config",
    header = "Shows the settings.",
    footerHeading = "%nExamples:%n",
    footer = {"  statectl config show"})
final class ConfigCommand implements Callable<Integer> {
  private final ScreenOptions screen;
  private final PrintStream err;

  @Spec private @Nullable CommandSpec spec;

  ConfigCommand(ScreenOptions screen, PrintStream err) {
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
