package dev.statectl.clickhouse;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** What the tables should be like. */
enum TableDesign {
  STATES(
      "ReplacingMergeTree",
      "updated_at",
      "state_id",
      columns(
          "state_id", "String",
          "partial_state", "Nullable(String)",
          "completed_state", "Nullable(String)",
          "updated_at", "DateTime64(3)"),
      List.of("state_id", "updated_at"),
      StateTableSql.CREATE,
      "<table>"),
  /** As it is after the upgrade; the Meltano plugin's own has the first three columns. */
  LOCKS(
      "ReplacingMergeTree",
      "locked_at",
      "state_id, candidate",
      columns(
          "state_id", "String",
          "lock_id", "String",
          "locked_at", "DateTime",
          "candidate", "String",
          "holder", "String",
          "released", "UInt8"),
      List.of("state_id", "lock_id", "locked_at"),
      LockTableSql.CREATE,
      "<lock_table>"),
  HISTORY(
      "MergeTree",
      "",
      "state_id, updated_at, recorded_at",
      new LinkedHashMap<>(ClickHouseStateHistory.COLUMNS),
      List.of("state_id", "updated_at", "recorded_at"),
      HistorySql.CREATE,
      "<history_table>");

  private final String family;
  private final String version;
  private final String key;
  private final Map<String, String> columns;
  private final List<String> telling;
  private final String create;
  private final String placeholder;

  TableDesign(
      String family,
      String version,
      String key,
      Map<String, String> columns,
      List<String> telling,
      String create,
      String placeholder) {
    this.family = family;
    this.version = version;
    this.key = key;
    this.columns = columns;
    this.telling = telling;
    this.create = create;
    this.placeholder = placeholder;
  }

  private static Map<String, String> columns(String... namesAndTypes) {
    Map<String, String> columns = new LinkedHashMap<>();
    for (int i = 0; i < namesAndTypes.length; i += 2) {
      columns.put(namesAndTypes[i], namesAndTypes[i + 1]);
    }
    return columns;
  }

  /** The engine, whether replicated or not. */
  String family() {
    return family;
  }

  /** The column by which the engine tells the newest row; empty when it keeps all. */
  String version() {
    return version;
  }

  /** The key, as the server spells it. */
  String key() {
    return key;
  }

  /** The columns with their types. */
  Map<String, String> columns() {
    return columns;
  }

  /** The columns that tell one row that was written from every other. */
  List<String> telling() {
    return telling;
  }

  /** The statement that makes a table like it under another name. */
  String createAs(String name) {
    return create.replace("IF NOT EXISTS ", "").replace(placeholder, name);
  }

  /** What people read for the table. */
  String shown(TableNames names) {
    return switch (this) {
      case STATES -> names.stateShown();
      case LOCKS -> names.lockShown();
      case HISTORY -> names.historyShown();
    };
  }

  /** What the table is called. */
  Identifier name(TableNames names) {
    return switch (this) {
      case STATES -> names.state();
      case LOCKS -> names.lock();
      case HISTORY -> names.history();
    };
  }
}
