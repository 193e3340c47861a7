package dev.statectl.cli;

import java.util.function.Supplier;
import picocli.CommandLine.Option;

/**
 * Consent to what a command is about to change: given by an option, or by a person who is asked.
 * Every command that changes something has it, in this order: make the plan, {@link #allows} it,
 * take the locks, do it.
 */
final class Confirmation {
  private final Prompt prompt;
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

  Confirmation(Prompt prompt, Diagnostics diagnostics) {
    this.prompt = prompt;
    this.diagnostics = diagnostics;
  }

  /** Tells whether anybody wants to know the plan. */
  boolean needsPlan() {
    return dryRun || !given;
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
   * @throws Stopped when a signal came while somebody was asked
   */
  boolean allows(Supplier<ChangePlan> plan) {
    if (!needsPlan()) {
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
    if (!prompt.isPossible()) {
      throw new CommandFailure(
          ExitCode.USAGE,
          "this would " + plan.sentence() + "; give --force to do it; nothing was changed",
          "give --force to do it, or --dry-run to see what it would do");
    }
    String sentence = plan.sentence();
    String question = Character.toUpperCase(sentence.charAt(0)) + sentence.substring(1);
    if (!prompt.agrees(question + "? [y/N] ", false)) {
      throw new CommandFailure(ExitCode.FAILURE, "nothing was changed");
    }
  }
}
