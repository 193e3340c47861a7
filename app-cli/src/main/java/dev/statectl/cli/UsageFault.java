package dev.statectl.cli;

import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;

/** A wrong command line, of which the parser cannot tell. */
final class UsageFault {
  private UsageFault() {}

  /**
   * Makes the failure, which ends a command with {@link ExitCode#USAGE}.
   *
   * @param command the command, as the parser set it
   * @param message what is wrong with its command line
   */
  static ParameterException of(@Nullable CommandSpec command, String message) {
    if (command == null) {
      throw new IllegalStateException("not part of a command line");
    }
    return new ParameterException(command.commandLine(), message);
  }
}
