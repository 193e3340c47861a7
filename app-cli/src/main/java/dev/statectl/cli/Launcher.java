package dev.statectl.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.OptionalInt;
import java.util.function.Predicate;
import java.util.function.Supplier;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.IExecutionStrategy;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.RunLast;
import picocli.CommandLine.UnmatchedArgumentException;

/** Runs one command line in a process: the only place where the commands are put together. */
final class Launcher {
  private static final Predicate<String> ALL = name -> true;

  private Launcher() {}

  /**
   * Runs a command line.
   *
   * @return the exit code, one of {@link ExitCode}
   */
  static int run(String[] given, ProcessContext process) {
    boolean isHelp = given.length > 0 && given[0].equals("help");
    String[] args = isHelp ? helpAsOption(given) : given;
    DataOutput out = new DataOutput(process.out());
    // Models are made by reflection, which takes longer than most else at the start. So first only
    // those of the commands that the words may name.
    OptionalInt code =
        run(args, isHelp, process, out, new HashSet<>(Arrays.asList(args))::contains);
    return code.isPresent() ? code.getAsInt() : run(args, isHelp, process, out, ALL).orElseThrow();
  }

  /** {@code help set} is {@code set --help}: so there is one way to make a help. */
  private static String[] helpAsOption(String[] args) {
    String[] asOption = Arrays.copyOfRange(args, 1, args.length + 1);
    asOption[args.length - 1] = "--help";
    return asOption;
  }

  // The option for help makes the parser take everything beside it.
  private static void requireCommands(ParseResult parsed) {
    ParseResult last = parsed;
    while (last.hasSubcommand()) {
      last = last.subcommand();
    }
    if (!last.unmatched().isEmpty()) {
      throw new UnmatchedArgumentException(
          last.commandSpec().commandLine(), List.copyOf(last.unmatched()));
    }
  }

  /** The command line with all its commands, as it is parsed. */
  static CommandLine model(ProcessContext process) {
    Diagnostics diagnostics = diagnostics(process);
    ScreenOptions screen =
        new ScreenOptions(process.terminal(), process.environment(), diagnostics);
    return commandLine(
        process, new ConnectionOptions(), screen, diagnostics, new DataOutput(process.out()), ALL);
  }

  private static Diagnostics diagnostics(ProcessContext process) {
    return new Diagnostics(process.err(), process.terminal().showsMessages(), System::nanoTime);
  }

  /** Gives nothing, and has done nothing, when the answer might depend on commands left out. */
  private static OptionalInt run(
      String[] args,
      boolean isHelp,
      ProcessContext process,
      DataOutput out,
      Predicate<String> named) {
    Diagnostics diagnostics = diagnostics(process);
    ScreenOptions screen =
        new ScreenOptions(process.terminal(), process.environment(), diagnostics);
    ConnectionOptions connection = new ConnectionOptions();
    FailureReporter reporter =
        new FailureReporter(
            diagnostics,
            new LockAdvice(connection),
            process.environment(),
            OutputFormat.isJsonAskedFor(args));
    StringWriter help = new StringWriter();
    boolean[] isAnswered = {named == ALL};
    try {
      int code;
      if (isForVersion(args)) {
        isAnswered[0] = true;
        code = printVersion(out);
      } else {
        CommandLine line = commandLine(process, connection, screen, diagnostics, out, named);
        line.setOut(new PrintWriter(help));
        IExecutionStrategy execution = line.getExecutionStrategy();
        line.setExecutionStrategy(
            parsed -> {
              isAnswered[0] |= parsed.hasSubcommand() && !parsed.isUsageHelpRequested();
              if (isAnswered[0] && isHelp) {
                requireCommands(parsed);
              }
              return isAnswered[0] ? execution.execute(parsed) : ExitCode.USAGE.code();
            });
        line.setParameterExceptionHandler(
            (e, rejected) -> {
              // What is wrong behind a command's name has nothing to do with other commands.
              isAnswered[0] |= e.getCommandLine() != line;
              return isAnswered[0] ? reporter.report(e) : ExitCode.USAGE.code();
            });
        line.setExecutionExceptionHandler((e, command, parsed) -> reporter.report(e));
        code = line.execute(args);
      }
      if (!isAnswered[0]) {
        return OptionalInt.empty();
      }
      out.append(help.getBuffer());
      out.flush();
      return OptionalInt.of(code);
    } catch (Error | RuntimeException | IOException e) {
      return OptionalInt.of(reporter.report(e));
    }
  }

  /** What scripts ask for most is answered without a model. Elsewhere the option works as well. */
  private static boolean isForVersion(String[] args) {
    return args.length == 1 && (args[0].equals("--version") || args[0].equals("-V"));
  }

  private static int printVersion(DataOutput out) throws IOException {
    for (String line : new VersionProvider().getVersion()) {
      out.line(line);
    }
    return ExitCode.OK.code();
  }

  /** Commands below one of their own, whose models are made when the name may be meant. */
  private record Group(String name, Supplier<CommandLine> commands) {}

  private static void add(CommandLine parent, Predicate<String> named, Object command) {
    if (command instanceof Group group) {
      if (named.test(group.name())) {
        parent.addSubcommand(group.commands().get());
      }
    } else if (named == ALL
        || command instanceof CommandLine
        || named.test(command.getClass().getAnnotation(Command.class).name())) {
      parent.addSubcommand(command);
    }
  }

  private static CommandLine commandLine(
      ProcessContext process,
      ConnectionOptions connection,
      ScreenOptions screen,
      Diagnostics diagnostics,
      DataOutput out,
      Predicate<String> named) {
    CommandSettings settings = new CommandSettings(connection, process);
    BackendRunner backends = new BackendRunner(settings, process, diagnostics);
    Prompt prompt = new Prompt(process.terminal(), process.signals(), diagnostics);
    CommandLine root = new CommandLine(new StatectlCommand(screen, process.err()));
    connection.addTo(root.getCommandSpec());
    List.of(
            new ListCommand(backends, screen, out, diagnostics),
            new GetCommand(backends, out),
            new SetCommand(
                backends,
                new DocumentReader(process.in(), process.workingDirectory()),
                new Confirmation(prompt, diagnostics),
                diagnostics),
            new EditCommand(
                backends,
                process,
                new DocumentReader(process.in(), process.workingDirectory()),
                new Confirmation(prompt, diagnostics),
                prompt,
                out,
                diagnostics),
            new MergeCommand(
                backends,
                new DocumentReader(process.in(), process.workingDirectory()),
                out,
                new Confirmation(prompt, diagnostics),
                diagnostics),
            new CopyCommand(backends, new Confirmation(prompt, diagnostics), diagnostics),
            new MoveCommand(backends, new Confirmation(prompt, diagnostics), diagnostics),
            new ClearCommand(backends, new Confirmation(prompt, diagnostics), diagnostics),
            new CheckCommand(backends, screen, out, diagnostics),
            new DoctorCommand(
                backends,
                connection,
                screen,
                new Confirmation(prompt, diagnostics),
                out,
                diagnostics),
            new StreamsCommand(backends, screen, out),
            new ResetCommand(
                backends,
                new Confirmation(prompt, diagnostics),
                new StateSurgery(out, diagnostics)),
            new UnsetCommand(
                backends,
                new Confirmation(prompt, diagnostics),
                new StateSurgery(out, diagnostics)),
            new PutCommand(
                backends,
                new Confirmation(prompt, diagnostics),
                new StateSurgery(out, diagnostics)),
            new Group(
                "history",
                () -> historyCommands(process, backends, prompt, screen, diagnostics, out)),
            new DiffCommand(backends, out, diagnostics),
            new UndoCommand(backends, new Confirmation(prompt, diagnostics), diagnostics),
            new RestoreCommand(backends, new Confirmation(prompt, diagnostics), diagnostics),
            new ExportCommand(
                backends,
                process.workingDirectory(),
                out,
                new Confirmation(prompt, diagnostics),
                diagnostics),
            new ImportCommand(
                backends, process, new Confirmation(prompt, diagnostics), diagnostics),
            new Group(
                "lock",
                () ->
                    lockCommands(process, connection, backends, prompt, screen, diagnostics, out)),
            new Group(
                "config",
                () ->
                    new CommandLine(new ConfigCommand(screen, process.err()))
                        .addSubcommand(new ConfigShowCommand(settings, diagnostics, out))),
            new MigrateCommand(backends, new Confirmation(prompt, diagnostics), diagnostics),
            new DdlCommand(settings, diagnostics, out),
            new CompletionCommand(() -> model(process), out))
        .forEach(command -> add(root, named, command));
    configure(root);
    root.setHelpFactory(CommandHelp::new);
    // Ids and states are taken as they are typed: an '@' in front of one names no file.
    root.setExpandAtFiles(false);
    root.setColorScheme(HelpHeadings.scheme(false));
    // Whether there are colours is known after parsing.
    root.setExecutionStrategy(
        parsed -> {
          root.setColorScheme(HelpHeadings.scheme(screen.coloredOutput()));
          return new RunLast().execute(parsed);
        });
    return root;
  }

  private static CommandLine historyCommands(
      ProcessContext process,
      BackendRunner backends,
      Prompt prompt,
      ScreenOptions screen,
      Diagnostics diagnostics,
      DataOutput out) {
    CommandLine history = new CommandLine(new HistoryCommand(backends, screen, out, process.err()));
    List.of(
            new HistoryEnableCommand(backends, new Confirmation(prompt, diagnostics), diagnostics),
            new HistoryDisableCommand(backends, new Confirmation(prompt, diagnostics), diagnostics),
            new HistoryStatusCommand(backends, out))
        .forEach(history::addSubcommand);
    return history;
  }

  private static CommandLine lockCommands(
      ProcessContext process,
      ConnectionOptions connection,
      BackendRunner backends,
      Prompt prompt,
      ScreenOptions screen,
      Diagnostics diagnostics,
      DataOutput out) {
    CommandLine lock = new CommandLine(new LockCommand(screen, process.err()));
    List.of(
            new LockListCommand(backends, screen, out),
            new LockShowCommand(backends, screen, out),
            new LockBreakCommand(backends, new Confirmation(prompt, diagnostics), diagnostics),
            new LockRunCommand(backends, process, new LockAdvice(connection), diagnostics))
        .forEach(lock::addSubcommand);
    return lock;
  }

  private static void configure(CommandLine command) {
    command.getSubcommands().values().forEach(Launcher::configure);
    // A command may have a version of its own: that of a state.
    boolean ownVersion = command.getCommandSpec().optionsMap().containsKey("--version");
    command
        .getCommandSpec()
        .mixinStandardHelpOptions(!ownVersion)
        .versionProvider(new VersionProvider())
        .usageMessage()
        .width(100)
        .exitCodeListHeading("%nExit codes:%n")
        .exitCodeList(ExitCode.table());
    HelpHeadings.emphasize(command.getCommandSpec().usageMessage());
  }
}
