package dev.statectl.cli;

import dev.statectl.state.StateId;
import dev.statectl.stream.Doubt;
import dev.statectl.usecase.GuardRails;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import picocli.CommandLine.Option;

/**
 * Consent to what a command is about to change: given by an option, or by a person who is asked.
 * Every command that changes something has it, in this order: make the plan, {@link #allows} it,
 * take the locks, do it, where there are guard rails with {@link #over} them.
 */
final class Confirmation {
  /** What to do about a doubt. */
  static final String FORCE = "give --force to do it all the same";

  private final Prompt prompt;
  private final Diagnostics diagnostics;

  @Option(
      names = {"-y", "--yes"},
      description =
          "Do not ask before something is overwritten or deleted. Needed where there is no terminal"
              + " to ask on.")
  private boolean agreed;

  @Option(
      names = "--force",
      description =
          "As --yes, and also do what is refused as doubtful by set, merge, import and edit.")
  private boolean forced;

  @Option(
      names = "--dry-run",
      description = "Only say what would be done. Nothing is changed, and nobody is asked.")
  private boolean dryRun;

  // What a person was shown and said yes to.
  private Map<StateId, List<Doubt>> accepted = Map.of();

  Confirmation(Prompt prompt, Diagnostics diagnostics) {
    this.prompt = prompt;
    this.diagnostics = diagnostics;
  }

  /** Tells whether anybody wants to know the plan. */
  boolean needsPlan() {
    return dryRun || !given();
  }

  /** Tells whether anybody wants to know what speaks against the plan before it is carried out. */
  boolean needsDoubts() {
    return dryRun || !forced;
  }

  /** Tells whether a person would be asked about a plan. */
  boolean mayAsk() {
    return !dryRun && !given() && prompt.isPossible();
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
    return !needsPlan() || allows(plan.get());
  }

  /**
   * Tells the same of a plan whose doubts count also when consent was given: where there are any
   * that stop a change, nothing of it is begun.
   *
   * @param plan the plan
   * @return false in a dry run
   * @throws CommandFailure when consent is refused, or nobody can be asked, or only {@code --force}
   *     helps
   * @throws Stopped when a signal came while somebody was asked
   */
  boolean allows(ChangePlan plan) {
    if (dryRun) {
      plan.lines().forEach(diagnostics::say);
      sayDoubts(plan);
      diagnostics.say("would " + plan.sentence());
      diagnostics.say("dry run: nothing was changed" + (wouldStop(plan) ? "; " + FORCE : ""));
      return false;
    }
    if (forced) {
      return true;
    }
    Doubt.Severity severity = plan.severity().orElse(Doubt.Severity.WARNED);
    if (severity == Doubt.Severity.REFUSED
        || severity == Doubt.Severity.ASKED && (agreed || !prompt.isPossible())) {
      throw doubtful(plan);
    }
    if (severity == Doubt.Severity.ASKED || plan.needsConsent() && !agreed) {
      ask(plan);
    }
    return true;
  }

  /**
   * Gives guard rails that know what was consented to. Doubts with which a change is made and which
   * nobody was shown are said as warnings.
   *
   * @param guardRails those of the settings
   */
  GuardRails over(GuardRails guardRails) {
    GuardRails telling =
        guardRails.accepting(accepted).telling((id, doubt) -> diagnostics.say(warning(id, doubt)));
    return forced ? telling.overruled() : telling;
  }

  // A plan that looks as if it would be carried out, and is refused then, helps nobody.
  private boolean wouldStop(ChangePlan plan) {
    return !forced && plan.severity().orElse(Doubt.Severity.WARNED) != Doubt.Severity.WARNED;
  }

  private boolean given() {
    return agreed || forced;
  }

  private void ask(ChangePlan plan) {
    plan.lines().forEach(diagnostics::say);
    sayDoubts(plan);
    if (!prompt.isPossible()) {
      throw new CommandFailure(
          ExitCode.USAGE,
          "this would " + plan.sentence() + "; give --yes to do it; nothing was changed",
          "give --yes to do it, or --dry-run to see what it would do");
    }
    String sentence = plan.sentence();
    String question = Character.toUpperCase(sentence.charAt(0)) + sentence.substring(1);
    if (!prompt.agrees(question + "? [y/N] ", false)) {
      throw new CommandFailure(ExitCode.FAILURE, "nothing was changed");
    }
    accepted = plan.doubts();
  }

  // Those of one state stand in the message itself.
  private CommandFailure doubtful(ChangePlan plan) {
    plan.lines().forEach(diagnostics::say);
    String what;
    if (plan.doubts().size() == 1) {
      what =
          plan.doubts().values().iterator().next().stream()
              .map(Doubt::message)
              .collect(Collectors.joining("; "));
    } else {
      sayDoubts(plan);
      what = plan.doubts().size() + " of these changes are doubtful";
    }
    return new CommandFailure(
        ExitCode.USAGE,
        "this would " + plan.sentence() + "; " + what + "; " + FORCE + "; nothing was changed",
        FORCE + ", or --dry-run to see what it would do");
  }

  private void sayDoubts(ChangePlan plan) {
    plan.doubts()
        .forEach((id, doubts) -> doubts.forEach(doubt -> diagnostics.say(warning(id, doubt))));
  }

  private static String warning(StateId id, Doubt doubt) {
    return "warning: '" + id + "': " + doubt.message();
  }
}
