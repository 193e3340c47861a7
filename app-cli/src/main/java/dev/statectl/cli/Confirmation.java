package dev.statectl.cli;

import java.util.Locale;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Consent to overwriting or deleting: given by an option, or by a person who is asked. */
final class Confirmation {
  private final Terminal terminal;

  @Option(
      names = "--force",
      description =
          "Do not ask before something is overwritten or deleted. Needed where there is no terminal"
              + " to ask on.")
  private boolean force;

  Confirmation(Terminal terminal) {
    this.terminal = terminal;
  }

  /** Tells whether consent was given on the command line. */
  boolean isGiven() {
    return force;
  }

  /**
   * Asks for consent unless it was given.
   *
   * @param verb what will be done, such as {@code overwrite}
   * @param object what to: which state, where
   * @throws CommandFailure when it is refused, or nobody can be asked
   */
  void require(String verb, String object) {
    if (force) {
      return;
    }
    if (!terminal.isInteractive()) {
      throw new CommandFailure(
          ExitCode.USAGE,
          "this would " + verb + " " + object + "; give --force to do it; nothing was changed");
    }
    String question = Character.toUpperCase(verb.charAt(0)) + verb.substring(1) + " " + object;
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
