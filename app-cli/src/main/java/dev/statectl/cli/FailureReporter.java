package dev.statectl.cli;

import dev.statectl.cli.settings.SettingsException;
import dev.statectl.cli.settings.SettingsProblem;
import dev.statectl.port.StateFailure;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.MissingParameterException;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.UnmatchedArgumentException;

/** Says on standard error what went wrong, and decides the exit code. Nobody else does either. */
final class FailureReporter {
  private static final String DEBUG_VARIABLE = "STATECTL_DEBUG";

  // As of a program that SIGPIPE ended, which Java never is.
  private static final int READER_GONE = 128 + 13;

  private final Diagnostics diagnostics;
  private final LockAdvice locks;
  private final boolean debug;
  private final boolean json;

  /** Says failures to people. */
  FailureReporter(Diagnostics diagnostics, LockAdvice locks, Map<String, String> environment) {
    this(diagnostics, locks, environment, false);
  }

  /**
   * Says failures.
   *
   * @param json whether to a program, as a JSON object
   */
  FailureReporter(
      Diagnostics diagnostics, LockAdvice locks, Map<String, String> environment, boolean json) {
    this.diagnostics = diagnostics;
    this.locks = locks;
    this.json = json;
    this.debug = "1".equals(environment.get(DEBUG_VARIABLE));
  }

  /**
   * Says what went wrong.
   *
   * @return the exit code, mostly one of {@link ExitCode}
   */
  int report(Throwable failure) {
    if (debug) {
      diagnostics.trace(failure);
    }
    FailureReport report = describe(failure);
    if (json) {
      report.json().ifPresent(diagnostics::line);
    } else {
      report.lines().forEach(diagnostics::say);
    }
    return report.code();
  }

  private FailureReport describe(Throwable failure) {
    if (failure instanceof ParameterException e) {
      String command = e.getCommandLine().getCommandSpec().qualifiedName();
      return FailureReport.of(ExitCode.USAGE, usageFault(e))
          .withAdvice(List.of("see '" + command + " --help'"));
    }
    if (failure instanceof SettingsException e) {
      return new FailureReport(
          ExitCode.USAGE.code(),
          e.problems().stream().map(SettingsProblem::toString).toList(),
          List.of(),
          null);
    }
    if (failure instanceof StateFailure e) {
      return describe(e);
    }
    if (failure instanceof CommandFailure e) {
      return FailureReport.of(e.exitCode(), messageOf(e)).withHint(e.hint().orElse(null));
    }
    if (failure instanceof Stopped e) {
      return new FailureReport(e.signal().exitCode(), List.of(messageOf(e)), List.of(), null);
    }
    if (failure instanceof OutputFailure e) {
      return e.readerGone()
          ? new FailureReport(READER_GONE, List.of(), List.of(), null)
          : FailureReport.of(ExitCode.FAILURE, messageOf(e));
    }
    if (failure instanceof OutOfMemoryError) {
      return FailureReport.of(
              ExitCode.FAILURE,
              "out of memory; what was changed by then stays; give Java more, for example"
                  + " STATECTL_JAVA_OPTS=-Xmx2g")
          .withHint("give Java more, for example STATECTL_JAVA_OPTS=-Xmx2g");
    }
    // Not the failure's own message: nobody knows what it quotes.
    return FailureReport.of(
            ExitCode.FAILURE,
            "unexpected failure: "
                + failure.getClass().getName()
                + "; please report it with what "
                + DEBUG_VARIABLE
                + "=1 shows")
        .withHint("please report it with what " + DEBUG_VARIABLE + "=1 shows");
  }

  private FailureReport describe(StateFailure failure) {
    FailureReport report = FailureReport.of(ExitCode.of(failure.kind()), messageOf(failure));
    if (failure instanceof StateFailure.LockHeld held) {
      List<String> advice = new ArrayList<>();
      advice.add("to look at it: " + locks.show(held.id()));
      held.candidate()
          .ifPresent(
              candidate ->
                  advice.add("to break it: " + locks.breakIt(held.id(), candidate.lockId())));
      return report.withAdvice(advice);
    }
    if (failure.kind() == StateFailure.Kind.DOUBTFUL) {
      return FailureReport.of(
              ExitCode.of(failure.kind()), messageOf(failure) + "; " + Confirmation.FORCE)
          .withHint(Confirmation.FORCE);
    }
    return report.withHint(failure.advice().orElseGet(() -> advice(failure.kind())));
  }

  private static @Nullable String advice(StateFailure.Kind kind) {
    return switch (kind) {
      case NOT_FOUND -> "statectl list shows the ids";
      case OUTCOME_UNKNOWN -> "look at what is stored before you repeat it";
      case UNREADABLE_STATE -> "set the state anew or clear it";
      case CONFLICT, LOCK_LOST -> "see who has changed the state meanwhile, then repeat it";
      case NO_HISTORY -> "enable it with statectl history enable";
      case UNAVAILABLE, DENIED, WRONG_SCHEMA, TOO_LARGE, DOUBTFUL, LOCK_HELD -> null;
    };
  }

  private static String usageFault(ParameterException failure) {
    if (failure instanceof UnmatchedArgumentException e) {
      return unmatched(e);
    }
    if (failure instanceof MissingParameterException e) {
      Optional<String> option =
          e.getCommandLine().getUnmatchedArguments().stream()
              .filter(argument -> argument.startsWith("-"))
              .findFirst();
      if (option.isPresent()) {
        // Rather what was taken for an option than what is missing for that.
        return unknownOption(option.get(), e.getCommandLine().getCommandSpec());
      }
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
    CommandSpec command = failure.getCommandLine().getCommandSpec();
    String argument = failure.getUnmatched().get(0);
    if (failure.isUnknownOption()) {
      return unknownOption(argument, command);
    }
    boolean commandExpected = !command.subcommands().isEmpty();
    if (commandExpected && argument.matches("[A-Za-z][A-Za-z-]{0,15}")) {
      return "unknown command '"
          + argument
          + "'"
          + suggestion(argument, command.subcommands().keySet());
    }
    return commandExpected
        ? "a command was expected, such as 'list'"
        : "too many arguments: " + failure.getUnmatched().size() + " more than expected";
  }

  private static String unknownOption(String argument, CommandSpec command) {
    int nameEnd = argument.indexOf('=');
    String name = nameEnd < 0 ? argument : argument.substring(0, nameEnd);
    if (!name.matches("--?[A-Za-z][A-Za-z-]{0,30}")) {
      return "unknown option" + dashed(command);
    }
    String suggestion = optionSuggestion(name, command);
    return "unknown option '" + name + "'" + (suggestion.isEmpty() ? dashed(command) : suggestion);
  }

  // An id may begin as an option does.
  private static String dashed(CommandSpec command) {
    return command.positionalParameters().isEmpty()
        ? ""
        : "; what begins with '-' and is no option goes behind '--', at the end";
  }

  // Rather an option of the command's own than one that all commands have.
  private static String optionSuggestion(String typed, CommandSpec command) {
    Map<String, OptionSpec> all = command.optionsMap();
    Set<String> own =
        all.keySet().stream()
            .filter(name -> !ConnectionOptions.isOne(all.get(name)))
            .collect(Collectors.toSet());
    return suggestion(typed, Spelling.nearest(typed, own).isPresent() ? own : all.keySet());
  }

  private static String suggestion(String typed, Set<String> names) {
    return Spelling.nearest(typed, names).map(name -> "; did you mean '" + name + "'?").orElse("");
  }

  private static String uncapitalized(String message) {
    return Character.toLowerCase(message.charAt(0)) + message.substring(1);
  }

  private static String messageOf(Throwable failure) {
    return String.valueOf(failure.getMessage());
  }
}
