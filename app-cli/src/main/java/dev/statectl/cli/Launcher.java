package dev.statectl.cli;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.Help.Ansi;

/** Runs one command line in a process: the only place where the commands are put together. */
final class Launcher {
  private Launcher() {}

  /**
   * Runs a command line.
   *
   * @return the exit code, one of {@link ExitCode}
   */
  static int run(String[] args, ProcessContext process) {
    Diagnostics diagnostics = new Diagnostics(process.err());
    ConnectionOptions connection = new ConnectionOptions();
    FailureReporter reporter =
        new FailureReporter(diagnostics, new LockAdvice(connection), process.environment());
    DataOutput out = new DataOutput(process.out());
    StringWriter help = new StringWriter();
    CommandLine commandLine = commandLine(process, connection, diagnostics, out);
    commandLine.setOut(new PrintWriter(help));
    commandLine.setParameterExceptionHandler((e, rejected) -> reporter.report(e).code());
    commandLine.setExecutionExceptionHandler((e, line, result) -> reporter.report(e).code());
    try {
      int code = commandLine.execute(args);
      out.append(help.getBuffer());
      out.flush();
      return code;
    } catch (Error | RuntimeException e) {
      return reporter.report(e).code();
    }
  }

  private static CommandLine commandLine(
      ProcessContext process,
      ConnectionOptions connection,
      Diagnostics diagnostics,
      DataOutput out) {
    CommandSettings settings = new CommandSettings(connection, process);
    BackendRunner backends = new BackendRunner(settings, process, diagnostics);
    CommandLine root = new CommandLine(new StatectlCommand(process.err()));
    connection.addTo(root.getCommandSpec());
    List.of(
            new ListCommand(backends, out),
            new GetCommand(backends, out),
            new SetCommand(
                backends,
                new DocumentReader(process.in(), process.workingDirectory()),
                new Confirmation(process.terminal(), diagnostics),
                diagnostics),
            new ClearCommand(
                backends, new Confirmation(process.terminal(), diagnostics), diagnostics),
            lockCommands(process, connection, backends, diagnostics, out),
            new CommandLine(new ConfigCommand(process.err()))
                .addSubcommand(new ConfigShowCommand(settings, diagnostics, out)),
            new DdlCommand(settings, diagnostics, out))
        .forEach(root::addSubcommand);
    configure(root);
    root.setHelpFactory(CommandHelp::new);
    // Ids and states are taken as they are typed: an '@' in front of one names no file.
    root.setExpandAtFiles(false);
    root.setColorScheme(CommandLine.Help.defaultColorScheme(Ansi.OFF));
    return root;
  }

  private static CommandLine lockCommands(
      ProcessContext process,
      ConnectionOptions connection,
      BackendRunner backends,
      Diagnostics diagnostics,
      DataOutput out) {
    CommandLine lock = new CommandLine(new LockCommand(process.err()));
    List.of(
            new LockListCommand(backends, out),
            new LockShowCommand(backends, out),
            new LockBreakCommand(
                backends, new Confirmation(process.terminal(), diagnostics), diagnostics),
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
  }
}
