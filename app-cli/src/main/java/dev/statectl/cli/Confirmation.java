package dev.statectl.cli;

import java.util.Locale;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/**
 * Consent to what a command is about to change: given by an option, or by a person who is asked.
 * Every command that changes something has it, in this order: make the plan, {@link #allows} it,
 * take the locks, do it.
 */
final class Confirmation {
  private final Terminal terminal;
  private final Diagnostics diagnostics;

  @Option(
      names = {"-y", "--yes", "--force"},
      description =
          "Do not ask before something is overwritten or deleted. Needed where there is no terminal"
              + " to ask on.")
  private boolean given;

  @Option(
      names = "--dry-run",
      description = "Only say what would be done. Nothing is changed, and nobody is asked.")
  private boolean dryRun;

  Confirmation(Terminal terminal, Diagnostics diagnostics) {
    this.terminal = terminal;
    this.diagnostics = diagnostics;
  }

  /** Tells whether only the plan is to be said. */
  boolean isDryRun() {
    return dryRun;
  }

  /**
   * Tells whether a command may do what it plans. Asks, unless nothing is lost or consent was
   * given; in a dry run it says the plan, and the command ends with {@link ExitCode#OK}.
   *
   * @param plan makes the plan; not called when nobody needs to know it
   * @return false in a dry run
   * @throws CommandFailure when consent is refused, or nobody can be asked
   */
  boolean allows(Supplier<ChangePlan> plan) {
    if (given && !dryRun) {
      return true;
    }
    ChangePlan planned = plan.get();
    if (dryRun) {
      planned.lines().forEach(diagnostics::say);
      diagnostics.say("would " + planned.sentence());
      diagnostics.say("dry run: nothing was changed");
      return false;
    }
    if (planned.needsConsent()) {
      planned.lines().forEach(diagnostics::say);
      ask(planned);
    }
    return true;
  }

  private void ask(ChangePlan plan) {
    if (!terminal.isInteractive()) {
      throw new CommandFailure(
          ExitCode.USAGE,
          "this would " + plan.sentence() + "; give --force to do it; nothing was changed");
    }
    String sentence = plan.sentence();
    String question = Character.toUpperCase(sentence.charAt(0)) + sentence.substring(1);
    if (!isYes(terminal.ask(PrintableText.escaped(question) + "? [y/N] "))) {
      throw new CommandFailure(ExitCode.FAILURE, "nothing was changed");
    }
  }

  // The end of input is a no.
  private static boolean isYes(@Nullable String answer) {
    if (answer == null) {
      return false;
    }
    return switch (answer.strip().toLowerCase(Locale.ROOT)) {
      case "y", "yes" -> true;
      default -> false;
    };
  }
}
