package dev.statectl.cli;

import dev.statectl.cli.settings.SettingsReport;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code statectl config show}. */
@Command(
    name = "show",
    header = "Shows every setting: its value, where it comes from, what it overrode.",
    description = {
      "Connects to nothing. Passwords, and user and password in a URI, are shown as ***.",
      "What is wrong is said on stderr, with exit code 2; the rest is shown all the same."
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  statectl config show",
      "  statectl config show --uri clickhouse://etl@localhost/mart --table state_dev",
      "  statectl config show -o json"
    })
final class ConfigShowCommand implements Callable<Integer> {
  private final CommandSettings settings;
  private final Diagnostics diagnostics;
  private final DataOutput out;

  @Option(
      names = {"-o", "--format"},
      paramLabel = "text|json",
      defaultValue = "text",
      description = "text (default): a table; json: one JSON object.")
  private Format format = Format.text;

  ConfigShowCommand(CommandSettings settings, Diagnostics diagnostics, DataOutput out) {
    this.settings = settings;
    this.diagnostics = diagnostics;
    this.out = out;
  }

  // Named as they are typed.
  private enum Format {
    text,
    json
  }

  @Override
  public Integer call() throws Exception {
    SettingsReport report = settings.inspect();
    SettingsPrinter printer = new SettingsPrinter(out);
    switch (format) {
      case text -> printer.printTable(report);
      case json -> printer.printJson(report);
    }
    out.flush();
    report.notices().forEach(diagnostics::say);
    if (settings.asksForPassword()) {
      diagnostics.say("--ask-password: other commands use the password that they ask for");
    }
    report.resolved();
    return ExitCode.OK.code();
  }
}
