package dev.statectl.cli;

import dev.statectl.cli.settings.SettingsException;
import dev.statectl.cli.settings.SettingsProblem;
import dev.statectl.port.StateFailure;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.UnmatchedArgumentException;

/** Says on standard error what went wrong, and decides the exit code. Nobody else does either. */
final class FailureReporter {
  private static final String DEBUG_VARIABLE = "STATECTL_DEBUG";

  private final Diagnostics diagnostics;
  private final LockAdvice locks;
  private final boolean debug;

  FailureReporter(Diagnostics diagnostics, LockAdvice locks, Map<String, String> environment) {
    this.diagnostics = diagnostics;
    this.locks = locks;
    this.debug = "1".equals(environment.get(DEBUG_VARIABLE));
  }

  ExitCode report(Throwable failure) {
    if (debug) {
      diagnostics.trace(failure);
    }
    if (failure instanceof ParameterException e) {
      return reportUsage(e);
    }
    if (failure instanceof SettingsException e) {
      e.problems().stream().map(SettingsProblem::toString).forEach(diagnostics::say);
      return ExitCode.USAGE;
    }
    if (failure instanceof StateFailure e) {
      diagnostics.say(messageOf(e));
      if (e instanceof StateFailure.LockHeld held) {
        advise(held);
      }
      return exitCodeOf(e.kind());
    }
    if (failure instanceof CommandFailure e) {
      diagnostics.say(messageOf(e));
      return e.exitCode();
    }
    if (failure instanceof OutputFailure e) {
      return reportOutput(e);
    }
    if (failure instanceof OutOfMemoryError) {
      diagnostics.say("out of memory; give Java more, for example STATECTL_JAVA_OPTS=-Xmx2g");
      return ExitCode.FAILURE;
    }
    // Not the failure's own message: nobody knows what it quotes.
    diagnostics.say(
        "unexpected failure: "
            + failure.getClass().getName()
            + "; please report it with what "
            + DEBUG_VARIABLE
            + "=1 shows");
    return ExitCode.FAILURE;
  }

  private void advise(StateFailure.LockHeld held) {
    diagnostics.say("to look at it: " + locks.show(held.id()));
    held.candidate()
        .ifPresent(
            candidate ->
                diagnostics.say("to break it: " + locks.breakIt(held.id(), candidate.lockId())));
  }

  /** The exit code of a command that a failure of a store ended. */
  static ExitCode exitCodeOf(StateFailure.Kind kind) {
    return switch (kind) {
      case UNAVAILABLE, OUTCOME_UNKNOWN -> ExitCode.UNREACHABLE;
      case DENIED -> ExitCode.DENIED;
      case WRONG_SCHEMA, UNREADABLE_STATE, TOO_LARGE -> ExitCode.FAILURE;
      case NOT_FOUND -> ExitCode.NOT_FOUND;
      case LOCK_HELD, LOCK_LOST -> ExitCode.LOCKED;
    };
  }

  private ExitCode reportOutput(OutputFailure failure) {
    if (failure.readerGone()) {
      return ExitCode.OK;
    }
    diagnostics.say(messageOf(failure));
    return ExitCode.FAILURE;
  }

  private ExitCode reportUsage(ParameterException failure) {
    String command = failure.getCommandLine().getCommandSpec().qualifiedName();
    diagnostics.say(usageFault(failure));
    diagnostics.say("see '" + command + " --help'");
    return ExitCode.USAGE;
  }

  private static String usageFault(ParameterException failure) {
    if (failure instanceof UnmatchedArgumentException e) {
      return unmatched(e);
    }
    // What stands behind a switch may be the state: the parser's message would show it.
    if (failure.getArgSpec() instanceof OptionSpec option && option.typeInfo().isBoolean()) {
      return "option '" + option.longestName() + "' takes no value";
    }
    return uncapitalized(messageOf(failure));
  }

  // Shows option names and what looks like a command's name. Any other argument may be a secret or
  // a state.
  private static String unmatched(UnmatchedArgumentException failure) {
    String argument = failure.getUnmatched().get(0);
    int nameEnd = argument.indexOf('=');
    String name = nameEnd < 0 ? argument : argument.substring(0, nameEnd);
    if (failure.isUnknownOption() && name.matches("--?[A-Za-z][A-Za-z-]{0,30}")) {
      return "unknown option '" + name + "'" + suggestion(failure.getSuggestions());
    }
    boolean commandExpected = !failure.getCommandLine().getSubcommands().isEmpty();
    if (commandExpected && name.matches("[A-Za-z][A-Za-z-]{0,15}")) {
      return "unknown command '" + name + "'" + suggestion(failure.getSuggestions());
    }
    return commandExpected
        ? "a command was expected, such as 'list'"
        : "too many arguments: " + failure.getUnmatched().size() + " more than expected";
  }

  private static String suggestion(List<String> suggestions) {
    return suggestions.isEmpty() ? "" : "; did you mean '" + suggestions.get(0) + "'?";
  }

  private static String uncapitalized(String message) {
    return Character.toLowerCase(message.charAt(0)) + message.substring(1);
  }

  private static String messageOf(Throwable failure) {
    return String.valueOf(failure.getMessage());
  }
}
