package dev.statectl.clickhouse;

import dev.statectl.port.Finding;
import dev.statectl.port.Mend;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/** Judges a table against its design: engine, key, columns, TTL, settings and parts. */
final class TableFindings {
  static final String LOCK_KEY = "lock-table-key";
  static final String LOCK_DEFAULT = "lock-table-default";
  static final String LOCK_TTL = "lock-table-ttl";
  static final String PARTS = "parts";

  private static final Duration LOCK_KEEP = Duration.ofSeconds(300);
  private static final Pattern LOCK_TTL_RULE =
      Pattern.compile("locked_at \\+ toInterval(?:Second|Minute|Hour|Day|Week)\\(\\d+\\)");
  // The server slows inserts down from 1,000 parts on, and refuses them from 3,000.
  // https://clickhouse.com/docs/operations/settings/merge-tree-settings#parts_to_delay_insert
  private static final long MANY_PARTS = 300;
  private static final long TOO_MANY_PARTS = 1000;
  // A merge of less is done within a request.
  private static final long SMALL_BYTES = 256L << 20;

  private final TableDesign design;
  private final TableNames names;
  private final Placement placement;
  private final TableFacts table;
  private final String shown;
  private final List<Finding> findings = new ArrayList<>();

  private TableFindings(
      TableDesign design, TableNames names, Placement placement, TableFacts table) {
    this.design = design;
    this.names = names;
    this.placement = placement;
    this.table = table;
    this.shown = design.shown(names);
  }

  /**
   * Judges a table; one finding says that all is well.
   *
   * @param placement where it would be made anew if it is replicated
   */
  static List<Finding> of(
      TableDesign design, TableNames names, Placement placement, TableFacts table) {
    TableFindings judgment = new TableFindings(design, names, placement, table);
    judgment.judge();
    return judgment.findings;
  }

  private void judge() {
    boolean rightEngine = judgeEngine();
    boolean missesNone = judgeColumns();
    if (rightEngine && missesNone) {
      judgeKey();
      judgePartitions();
    }
    switch (design) {
      case STATES -> {
        judgeStateTtl();
        judgeDefault();
        judgeDeduplication();
      }
      case LOCKS -> judgeLockTtl();
      case HISTORY -> judgeHistoryTtl();
    }
    judgeParts();
    if (findings.isEmpty()) {
      findings.add(Finding.ok("table", shown, described()));
    }
  }

  private String described() {
    return table.engine()
        + (design.version().isEmpty() ? "" : "(" + design.version() + ")")
        + " ORDER BY "
        + (table.sortingKey().contains(",") ? "(" + table.sortingKey() + ")" : table.sortingKey())
        + table.ttl().map(rule -> " TTL " + rule).orElse("")
        + ", "
        + table.activeParts()
        + (table.activeParts() == 1 ? " part" : " parts");
  }

  private boolean judgeEngine() {
    boolean sameFamily = table.family().equals(design.family());
    if (sameFamily
        && table
            .engineArguments()
            .equals(design.version().isEmpty() ? List.of() : List.of(design.version()))) {
      return true;
    }
    String found =
        table.engine()
            + (table.engineArguments().isEmpty()
                ? ""
                : "(" + String.join(", ", table.engineArguments()) + ")");
    String wanted =
        design.family() + (design.version().isEmpty() ? "" : "(" + design.version() + ")");
    findings.add(
        Finding.error(
                "table-engine",
                shown,
                "the engine is " + found + ", not " + wanted,
                switch (design) {
                  case STATES ->
                      "which of several rows of an id is its state is decided by the engine: another"
                          + " one shows old states again, or several at once";
                  case LOCKS ->
                      "rows that were replaced or released are told by the engine: with another one"
                          + " locks are seen that nobody holds";
                  case HISTORY -> "another engine may drop or join records";
                })
            .withMend(rebuild()));
    return false;
  }

  private boolean judgeColumns() {
    boolean missesNone = true;
    for (Map.Entry<String, String> wanted : design.columns().entrySet()) {
      Optional<TableFacts.Column> column = table.column(wanted.getKey());
      if (column.isEmpty() && design == TableDesign.LOCKS && isOurs(wanted.getKey())) {
        continue;
      }
      if (column.isEmpty()) {
        missesNone = false;
        findings.add(
            Finding.error(
                    "table-columns",
                    shown,
                    "the column " + wanted.getKey() + " " + wanted.getValue() + " is missing",
                    "every statement that names it fails")
                .withMend(
                    Mend.sql(
                        "ALTER TABLE %s ADD COLUMN IF NOT EXISTS %s %s"
                            .formatted(shown, wanted.getKey(), wanted.getValue()))));
      } else if (!column.get().type().equals(wanted.getValue())) {
        findings.add(
            Finding.warning(
                    "table-columns",
                    shown,
                    "the column "
                        + wanted.getKey()
                        + " is "
                        + column.get().type()
                        + ", not "
                        + wanted.getValue(),
                    "values may be cut, refused or read as something else")
                .withMend(
                    table.sortingKey().contains(wanted.getKey())
                        ? rebuild()
                        : Mend.sql(
                            "ALTER TABLE %s MODIFY COLUMN %s %s"
                                .formatted(shown, wanted.getKey(), wanted.getValue()))));
      }
    }
    return missesNone;
  }

  /** Whether it is a column that the Meltano plugin's own lock table lacks. */
  private static boolean isOurs(String column) {
    return List.of("candidate", "holder", "released").contains(column);
  }

  private void judgeKey() {
    if (design == TableDesign.LOCKS) {
      judgeLockKey();
    } else if (!table.sortingKey().equals(design.key())) {
      findings.add(
          Finding.error(
                  "table-key",
                  shown,
                  "the key is (" + table.sortingKey() + "), not (" + design.key() + ")",
                  design == TableDesign.STATES
                      ? "the newest row of each key is kept, so with another key an id has several"
                          + " states at once, or ids replace each other's"
                      : "the newest records are found by the key; with another one that is slow")
              .withMend(rebuild()));
    }
  }

  private void judgeLockKey() {
    boolean complete =
        design.columns().keySet().stream().allMatch(c -> table.column(c).isPresent());
    if (complete && table.sortingKey().equals(design.key())) {
      if (!"lock_id".equals(table.column("candidate").orElseThrow().defaultExpression())) {
        findings.add(
            Finding.warning(
                    LOCK_DEFAULT,
                    shown,
                    "the column candidate has no default",
                    "the Meltano plugin does not name it, so a merge may remove the row of a plugin"
                        + " that holds a lock when another one asks for it")
                .withMend(safe(LockTableSql.UPGRADE_DEFAULT)));
      }
    } else if (table.sortingKey().equals("state_id") || table.sortingKey().equals(design.key())) {
      findings.add(
          Finding.warning(
                  LOCK_KEY,
                  shown,
                  table.sortingKey().equals("state_id")
                      ? "the key is state_id alone, as the Meltano plugin makes it"
                      : "it has not all columns of ours",
                  "a merge keeps one row of a key: it can remove the row of whoever holds a lock as"
                      + " soon as somebody else asks for it. statectl upgrades the table when it"
                      + " takes its first lock, if it may, and takes a second for each lock"
                      + " otherwise; the plugin goes on working either way")
              .withMend(safe(LockTableSql.UPGRADE, LockTableSql.UPGRADE_DEFAULT)));
    } else {
      findings.add(
          Finding.error(
                  "table-key",
                  shown,
                  "the key is (" + table.sortingKey() + "), not (" + design.key() + ")",
                  "rows of one key replace each other: two may hold one lock, or a lock that was"
                      + " released shows again")
              .withMend(rebuild()));
    }
  }

  /**
   * Whether something is wrong by which a merge removes rows for good that a mend would still find:
   * another engine or key, or a TTL.
   */
  private boolean mergesMayLoseRows() {
    return findings.stream().anyMatch(finding -> finding.level() == Finding.Level.ERROR);
  }

  /** Whether a merge can remove the row of somebody who holds a lock. */
  private boolean mergesHarmLocks() {
    return design == TableDesign.LOCKS && !table.sortingKey().equals(design.key());
  }

  private void judgePartitions() {
    if (table.partitionKey().isEmpty() || design == TableDesign.HISTORY) {
      return;
    }
    findings.add(
        Finding.warning(
                "table-partitions",
                shown,
                "it is partitioned by " + table.partitionKey(),
                "rows in different partitions are never merged, so replaced rows stay for ever, and"
                    + " where a profile sets do_not_merge_across_partitions_select_final they are"
                    + " shown again")
            .withMend(rebuild()));
  }

  private void judgeStateTtl() {
    table
        .ttl()
        .ifPresent(
            rule ->
                findings.add(
                    Finding.error(
                            "state-table-ttl",
                            shown,
                            "rows go away by TTL " + rule,
                            "a state that was not stored for so long is lost, and its pipeline"
                                + " starts from the beginning")
                        .withMend(Mend.sql("ALTER TABLE " + shown + " REMOVE TTL"))));
  }

  private void judgeDefault() {
    table
        .column("updated_at")
        .filter(column -> column.defaultExpression().isEmpty())
        .ifPresent(
            column ->
                findings.add(
                    Finding.warning(
                            "table-default",
                            shown,
                            "the column updated_at has no default",
                            "a row of a program that does not name it is of 1970, and hidden behind"
                                + " every other")
                        .withMend(
                            Mend.sql(
                                "ALTER TABLE "
                                    + shown
                                    + " MODIFY COLUMN updated_at DateTime64(3) DEFAULT"
                                    + " now64(3)"))));
  }

  private void judgeDeduplication() {
    String setting =
        table.isReplicated()
            ? "replicated_deduplication_window"
            : "non_replicated_deduplication_window";
    String window = table.settings().getOrDefault(setting, table.isReplicated() ? "10000" : "0");
    if (window.equals("0")) {
      return;
    }
    String what = setting + " is " + window;
    String why =
        "of equal inserts the server drops the later ones, by what was sent, without the time: if"
            + " the Meltano plugin stores A, then B, then A again, B stays. What statectl stores is"
            + " not dropped";
    Mend mend = Mend.sql("ALTER TABLE " + shown + " MODIFY SETTING " + setting + " = 0");
    findings.add(Finding.warning("deduplication", shown, what, why).withMend(mend));
  }

  private void judgeLockTtl() {
    String back = "rows of locks that nobody releases stay for ever, and slow every lock down";
    Optional<String> rule = table.ttl();
    if (rule.isEmpty()) {
      findings.add(
          Finding.warning(LOCK_TTL, shown, "there is no TTL", back)
              .withMend(safe(CheckupSql.RESTORE_LOCK_TTL)));
      return;
    }
    Optional<Duration> keep =
        LOCK_TTL_RULE.matcher(rule.get()).matches()
            ? ClickHouseStateHistory.keepOf(table.engineFull())
            : Optional.empty();
    if (keep.isEmpty() || keep.get().compareTo(LOCK_KEEP) < 0) {
      findings.add(
          Finding.error(
                  LOCK_TTL,
                  shown,
                  "rows go away by TTL " + rule.get() + ", not after 300 seconds",
                  "a merge can remove the row of whoever holds a lock; somebody else gets it, too")
              .withMend(safe(CheckupSql.RESTORE_LOCK_TTL)));
    } else if (keep.get().compareTo(LOCK_KEEP) > 0) {
      findings.add(
          Finding.info(
                  LOCK_TTL,
                  shown,
                  "rows go away after "
                      + keep.get().toSeconds()
                      + " seconds, later than the usual 300",
                  "no lock is in danger, but rows that nobody releases are read for so long")
              .withMend(
                  Mend.sql(names.shownIn(TableRebuild.oneLine(CheckupSql.RESTORE_LOCK_TTL)))));
    }
  }

  private void judgeHistoryTtl() {
    if (table.ttl().isEmpty()) {
      findings.add(
          Finding.info(
                  "history-ttl",
                  shown,
                  "records are kept for ever",
                  "the table grows with every state that is stored")
              .withMend(Mend.command("statectl history enable --keep 90d")));
    }
  }

  private void judgeParts() {
    long parts = table.activeParts();
    if (parts < MANY_PARTS) {
      return;
    }
    String what = parts + " parts wait to be merged";
    String why =
        "every read goes through all of them, and from 1,000 parts on the server slows every insert"
            + " down, from 3,000 on it refuses them; merges are stopped, or too slow for so many"
            + " writes";
    String statement = "OPTIMIZE TABLE " + shown + " FINAL";
    Mend mend =
        mergesHarmLocks()
            ? new Mend(
                Mend.Means.SQL,
                List.of(
                    names.shownIn(TableRebuild.oneLine(LockTableSql.UPGRADE)),
                    "SYSTEM START MERGES " + shown,
                    statement),
                false)
            : mergesMayLoseRows()
                ? Mend.advice(
                    "mend the errors of this table first, since a merge may remove rows for good"
                        + " that are still there; then run: "
                        + statement)
                : table.bytes() <= SMALL_BYTES
                    ? Mend.sql(statement).asSafe()
                    : Mend.sql("SYSTEM START MERGES " + shown, statement);
    findings.add(
        (parts < TOO_MANY_PARTS
                ? Finding.warning(PARTS, shown, what, why)
                : Finding.error(PARTS, shown, what, why))
            .withMend(mend));
  }

  /** Statements that the adapter runs itself. */
  private Mend safe(String... statements) {
    return new Mend(
        Mend.Means.SQL,
        List.of(statements).stream().map(sql -> names.shownIn(TableRebuild.oneLine(sql))).toList(),
        true);
  }

  private Mend rebuild() {
    return TableRebuild.of(
        design,
        names,
        table,
        table.isReplicated() ? new Placement(placement.cluster(), true) : Placement.PLAIN);
  }
}
