package dev.statectl.clickhouse;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The names of the tables and of their database.
 *
 * @param schema the database of all tables
 * @param state the state table
 * @param lock the lock table
 * @param claim the table of claims to locks, which is in Keeper
 * @param history the table of what states were
 * @param historyView the view that fills it
 */
record TableNames(
    Identifier schema,
    Identifier state,
    Identifier lock,
    Identifier claim,
    Identifier history,
    Identifier historyView) {
  private static final String LOCK_SUFFIX = "_lock";
  private static final Pattern PLACEHOLDER =
      Pattern.compile(
          "<schema>|<table>|<lock_table>|<claim_table>|<claim_path>|<history_table>|<history_view>");

  /** Gives the names that settings ask for. */
  static TableNames of(ClickHouseSettings settings) {
    return of(settings.schema(), settings.table());
  }

  /**
   * Gives the names.
   *
   * @throws IllegalArgumentException when a name cannot be used, as {@link #check} says
   */
  static TableNames of(String schema, String table) {
    check(schema, table);
    return new TableNames(
        new Identifier(schema),
        new Identifier(table),
        new Identifier(table + LOCK_SUFFIX),
        new Identifier(table + "_claim"),
        new Identifier(table + "_history"),
        new Identifier(table + "_history_view"));
  }

  /**
   * Checks the names.
   *
   * @throws IllegalArgumentException when one cannot be used: one that is blank, has a backtick, a
   *     control character or half of a surrogate pair, or is too long
   */
  static void check(String schema, String table) {
    refuse("schema", Identifier.fault(schema));
    refuse("table", Identifier.fault(table));
    refuse("table", Identifier.tooLong(schema, table + LOCK_SUFFIX));
  }

  private static void refuse(String name, Optional<String> fault) {
    fault.ifPresent(
        text -> {
          throw new IllegalArgumentException(name + " " + text);
        });
  }

  /** What stands for {@code <schema>} in statements. */
  String schemaSql() {
    return schema.quoted();
  }

  /** What stands for {@code <table>} in statements. */
  String stateSql() {
    return schema.quoted() + "." + state.quoted();
  }

  /** What stands for {@code <lock_table>} in statements. */
  String lockSql() {
    return schema.quoted() + "." + lock.quoted();
  }

  /** Puts the names into a statement as it is run. */
  String runIn(String sql) {
    // In one pass: a name may look like a placeholder.
    return PLACEHOLDER
        .matcher(sql.strip())
        .replaceAll(
            match ->
                Matcher.quoteReplacement(
                    switch (match.group()) {
                      case "<schema>" -> schemaSql();
                      case "<table>" -> stateSql();
                      case "<claim_table>" -> claimSql();
                      case "<claim_path>" -> claimPathSql();
                      case "<history_table>" -> historySql();
                      case "<history_view>" -> historyViewSql();
                      default -> lockSql();
                    }));
  }

  /** What stands for {@code <claim_table>} in statements. */
  String claimSql() {
    return schema.quoted() + "." + claim.quoted();
  }

  /**
   * What stands for {@code <claim_path>} in statements: the table's place in Keeper, below the
   * server's own prefix. Names are written so that none means a path, a macro, or another's place.
   */
  String claimPathSql() {
    return "'/statectl/" + pathSegment(schema) + "/" + pathSegment(claim) + "'";
  }

  private static String pathSegment(Identifier name) {
    return URLEncoder.encode(name.text(), StandardCharsets.UTF_8).replace(".", "%2E");
  }

  /** What people read for the claim table. */
  String claimShown() {
    return schema.readable() + "." + claim.readable();
  }

  /** What stands for {@code <history_table>} in statements. */
  String historySql() {
    return schema.quoted() + "." + history.quoted();
  }

  /** What stands for {@code <history_view>} in statements. */
  String historyViewSql() {
    return schema.quoted() + "." + historyView.quoted();
  }

  /** What people read for the state table. */
  String stateShown() {
    return schema.readable() + "." + state.readable();
  }

  /** What people read for the lock table. */
  String lockShown() {
    return schema.readable() + "." + lock.readable();
  }

  /** What people read for the history table. */
  String historyShown() {
    return schema.readable() + "." + history.readable();
  }

  /** Puts the names into a statement that is shown and not run. */
  String shownIn(String sql) {
    return sql.strip()
        .replace("<schema>", schema.readable())
        .replace("<table>", schema.readable() + "." + state.readable())
        .replace("<lock_table>", schema.readable() + "." + lock.readable());
  }
}
