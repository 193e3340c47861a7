package dev.statectl.cli;

import dev.statectl.cli.settings.EffectiveSetting;
import dev.statectl.cli.settings.Setting;
import dev.statectl.cli.settings.SettingsException;
import dev.statectl.cli.settings.SettingsProblem;
import dev.statectl.cli.settings.SettingsReport;
import dev.statectl.clickhouse.ClickHouseDdl;
import dev.statectl.port.StateHistory;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code statectl ddl}. */
@Command(
    name = "ddl",
    header = "Prints the DDL of the two tables and the rights of their user.",
    description = {
      "For an administrator of ClickHouse, where the user of the tables may not create any. Connects"
          + " to nothing. The statements are those that statectl itself runs; they leave alone what"
          + " exists, and may be run again. They can be piped into clickhouse-client.",
      "With --cluster they are for all its servers, and for replicated tables; with --replicated on"
          + " and no cluster for a database with the engine Replicated."
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  statectl ddl --for etl",
      "  statectl ddl --for reporting --read-only",
      "  statectl ddl --for etl --history --keep 30d",
      "  statectl ddl --for oncall --administer",
      "  statectl ddl --for etl --schema meltano --table state_prod",
      "  statectl ddl --for etl --cluster prod"
    })
final class DdlCommand implements Callable<Integer> {
  private final CommandSettings settings;
  private final Diagnostics diagnostics;
  private final DataOutput out;

  @Option(
      names = "--for",
      paramLabel = "USER",
      description = "The user who gets the rights. Default: the user of the settings.")
  private @Nullable String grantee;

  @Option(
      names = "--read-only",
      description = "Only the rights to read: for list, get, export, lock list and lock show.")
  private boolean readOnly;

  @Option(
      names = "--administer",
      description =
          "All rights: also to make the database and the tables, for 'history enable' and"
              + " 'disable', and for 'doctor --fix'.")
  private boolean administer;

  @Option(
      names = "--history",
      description =
          "Also the table and the view that record the history of states, as 'history enable' makes"
              + " them.")
  private boolean history;

  @Option(
      names = "--keep",
      paramLabel = "AGE",
      converter = AgeConverter.class,
      description = "With --history: how long a record is kept: 24h, 30d; 90d by default.")
  private @Nullable Duration keep;

  DdlCommand(CommandSettings settings, Diagnostics diagnostics, DataOutput out) {
    this.settings = settings;
    this.diagnostics = diagnostics;
    this.out = out;
  }

  @Override
  public Integer call() {
    if (keep != null && (!history || keep.isZero())) {
      throw new CommandFailure(
          ExitCode.USAGE,
          history ? "--keep must be a second or more" : "--keep goes with --history");
    }
    if (readOnly && administer) {
      throw new CommandFailure(
          ExitCode.USAGE, "give either --read-only or --administer, not both", "give one of them");
    }
    SettingsReport report = settings.inspect();
    List<SettingsProblem> wrong =
        report.problems().stream().filter(problem -> !problem.missing()).toList();
    if (!wrong.isEmpty()) {
      throw new SettingsException(wrong);
    }
    report.notices().forEach(diagnostics::say);
    try {
      print(
          ClickHouseDdl.of(
              value(report, Setting.SCHEMA), value(report, Setting.TABLE), report.replication()),
          report);
    } catch (IllegalArgumentException e) {
      throw new CommandFailure(ExitCode.USAGE, String.valueOf(e.getMessage()));
    }
    return ExitCode.OK.code();
  }

  private void print(ClickHouseDdl ddl, SettingsReport report) {
    String user = grantee == null ? report.of(Setting.USER).shown() : grantee;
    if (user == null) {
      throw new CommandFailure(
          ExitCode.USAGE,
          "for whom are the rights? no user is set; give --for USER",
          "give --for USER");
    }
    section("The database and the two tables, unless they exist.", ddl.tables());
    section(
        "What a lock table lacks that the Meltano plugin made; nothing, if it is made above.",
        ddl.lockTableUpgrade());
    if (history) {
      section(
          "The history of states: the table, the view that fills it, and what is stored already.",
          ddl.history(keep == null ? StateHistory.DEFAULT_KEEP : keep));
    }
    if (!ddl.claims().isEmpty()) {
      section(
          "Claims to locks, in ClickHouse Keeper. Only where the servers' configuration has"
              + " keeper_map_path_prefix; leave it out where not.",
          ddl.claims());
    }
    if (administer) {
      section("All rights.", ddl.administratorGrants(user));
    } else if (readOnly) {
      section("The rights to read.", ddl.readerGrants(user));
    } else {
      section("The rights to read and write.", ddl.writerGrants(user));
    }
  }

  private void section(String title, List<String> statements) {
    out.line("-- " + title);
    statements.forEach(statement -> out.line(statement + ";"));
  }

  private static String value(SettingsReport report, Setting setting) {
    EffectiveSetting effective = report.of(setting);
    if (effective.shown() == null) {
      throw new IllegalStateException("without a value: " + setting);
    }
    return effective.shown();
  }
}
