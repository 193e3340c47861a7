package dev.statectl.cli;

import java.io.PrintStream;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code statectl lock}: the commands below it, and its usage when none is given. */
@Command(
    name = "lock",
    header = "Shows, breaks and holds locks.",
    description = {
      "Whoever writes the state of an id holds the id's lock meanwhile: statectl, a service that"
          + " uses its library, a Meltano run. A lock that is not renewed counts no more after"
          + " lock_stale seconds (300).",
      "'lock run' holds a lock of its own, named @run:ID, around a command."
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  statectl lock list",
      "  statectl lock show dev:tap-a-to-b",
      "  statectl lock run dev:tap-a-to-b -- meltano run tap-a target-b"
    })
final class LockCommand implements Callable<Integer> {
  private final ScreenOptions screen;
  private final PrintStream err;

  @Spec private @Nullable CommandSpec spec;

  LockCommand(ScreenOptions screen, PrintStream err) {
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
