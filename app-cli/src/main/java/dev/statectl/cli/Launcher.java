package dev.statectl.cli;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.RunLast;

/** Runs one command line in a process: the only place where the commands are put together. */
final class Launcher {
  private Launcher() {}

  /**
   * Runs a command line.
   *
   * @return the exit code, one of {@link ExitCode}
   */
  static int run(String[] args, ProcessContext process) {
    Terminal terminal = process.terminal();
    Diagnostics diagnostics =
        new Diagnostics(process.err(), terminal.showsMessages(), System::nanoTime);
    ScreenOptions screen = new ScreenOptions(terminal, process.environment(), diagnostics);
    ConnectionOptions connection = new ConnectionOptions();
    FailureReporter reporter =
        new FailureReporter(
            diagnostics,
            new LockAdvice(connection),
            process.environment(),
            OutputFormat.isJsonAskedFor(args));
    DataOutput out = new DataOutput(process.out());
    StringWriter help = new StringWriter();
    CommandLine commandLine = commandLine(process, connection, screen, diagnostics, out);
    commandLine.setOut(new PrintWriter(help));
    commandLine.setParameterExceptionHandler((e, rejected) -> reporter.report(e));
    commandLine.setExecutionExceptionHandler((e, line, result) -> reporter.report(e));
    try {
      int code = commandLine.execute(args);
      out.append(help.getBuffer());
      out.flush();
      return code;
    } catch (Error | RuntimeException e) {
      return reporter.report(e);
    }
  }

  private static CommandLine commandLine(
      ProcessContext process,
      ConnectionOptions connection,
      ScreenOptions screen,
      Diagnostics diagnostics,
      DataOutput out) {
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
            new ExportCommand(
                backends,
                process.workingDirectory(),
                out,
                new Confirmation(prompt, diagnostics),
                diagnostics),
            new ImportCommand(
                backends, process, new Confirmation(prompt, diagnostics), diagnostics),
            lockCommands(process, connection, backends, prompt, screen, diagnostics, out),
            new CommandLine(new ConfigCommand(screen, process.err()))
                .addSubcommand(new ConfigShowCommand(settings, diagnostics, out)),
            new DdlCommand(settings, diagnostics, out))
        .forEach(root::addSubcommand);
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
    command
        .getCommandSpec()
        .mixinStandardHelpOptions(true)
        .versionProvider(new VersionProvider())
        .usageMessage()
        .width(100)
        .exitCodeListHeading("%nExit codes:%n")
        .exitCodeList(ExitCode.table());
    HelpHeadings.emphasize(command.getCommandSpec().usageMessage());
  }
}
