package dev.statectl.cli;

import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A command cannot do what it was asked, for a reason that the command itself found. */
final class CommandFailure extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final ExitCode exitCode;
  private final @Nullable String hint;

  CommandFailure(ExitCode exitCode, String message) {
    this(exitCode, message, null);
  }

  /**
   * With the next step, for programs that show it apart.
   *
   * @param message the whole message for people, which names that step as well
   * @param hint the next step, or null
   */
  CommandFailure(ExitCode exitCode, String message, @Nullable String hint) {
    super(message);
    this.exitCode = exitCode;
    this.hint = hint;
  }

  /** The same failure with one more thing to know. */
  CommandFailure and(String more) {
    return new CommandFailure(exitCode, getMessage() + "; " + more, hint);
  }

  ExitCode exitCode() {
    return exitCode;
  }

  Optional<String> hint() {
    return Optional.ofNullable(hint);
  }
}
