package dev.statectl.clickhouse;

import java.util.List;
import java.util.stream.Collectors;

/**
 * The statements that replicate one table which each server has for itself. The copy is made beside
 * it, and takes its name when it is whole; then the old one has the copy's name, until it is set
 * aside.
 *
 * <p>What a whole cluster holds is read in a subquery, so that what it is compared with is read
 * here and not on each server.
 */
final class ReplicatingStatements {
  // Clocks of servers differ, and a statement that began before may end after.
  private static final int MARGIN_SECONDS = 60;

  private final TableDesign design;
  private final TableNames names;
  private final Placement placement;
  private final String cluster;
  private final List<String> columns;
  private final String engineFull;
  private final long startMillis;

  /**
   * Prepares the statements.
   *
   * @param placement where the copy is made
   * @param cluster the cluster whose servers each have the table
   * @param columns the columns that the table has, of those that it should have
   * @param engineFull the table's engine, as the server spells it
   * @param startMillis the server's time, before anything is copied
   */
  ReplicatingStatements(
      TableDesign design,
      TableNames names,
      Placement placement,
      String cluster,
      List<String> columns,
      String engineFull,
      long startMillis) {
    this.design = design;
    this.names = names;
    this.placement = placement;
    this.cluster = cluster;
    // Its default gives the plugin's rows the value that keeps them apart.
    this.columns = columns.stream().filter(column -> !column.equals("candidate")).toList();
    this.engineFull = engineFull;
    this.startMillis = startMillis;
  }

  /** The name of the copy, and after the exchange of what the table was. */
  static Identifier copyOf(TableDesign design, TableNames names) {
    return new Identifier(design.name(names).text() + "_migration");
  }

  /**
   * The name of what the table was when all is done. Another one, since whatever is called like a
   * copy is taken for unfinished.
   */
  static Identifier keptOf(TableDesign design, TableNames names) {
    return new Identifier(design.name(names).text() + "_before_migration");
  }

  /** Makes the table on servers that lack it, so that all can be read and exchanged. */
  String createOld() {
    return sql(new Placement(placement.cluster(), false), table());
  }

  String dropCopy() {
    return "DROP TABLE IF EXISTS " + copy() + placement.onCluster() + " SYNC";
  }

  /**
   * Counts the servers where what is called like the copy is the old table. What every server did
   * before has by then been done there, since statements for all servers keep their order.
   */
  String countExchanged() {
    return "SELECT count() AS missing FROM clusterAllReplicas("
        + literal(cluster)
        + ", system.tables) WHERE database = "
        + literal(names.schema().text())
        + " AND name = "
        + literal(copyOf(design, names).text())
        + " AND NOT startsWith(engine, 'Replicated') AND NOT startsWith(engine, 'Shared')"
        + " SETTINGS skip_unavailable_shards = 0";
  }

  String createCopy() {
    return sql(placement, copy());
  }

  private String sql(Placement where, String name) {
    String create = TableRebuild.keepingAsLong(where.in(design.createAs("<name>")), engineFull);
    return TableRebuild.oneLine(create)
        .replaceFirst("CREATE TABLE ", "CREATE TABLE IF NOT EXISTS ")
        .replace("<name>", name);
  }

  /**
   * Copies what all servers have. Of two rows of one key and version, which two servers may have
   * written for different contents, the same one is kept whenever it is copied: the last one.
   */
  String copyAll() {
    String list = String.join(", ", columns);
    String rest =
        switch (design) {
          case STATES -> " ORDER BY state_id, updated_at, " + contents();
          case LOCKS -> "";
          case HISTORY ->
              " WHERE (%1$s) NOT IN (SELECT %1$s FROM %2$s)".formatted(telling(), copy());
        };
    return "INSERT INTO %s (%s) SETTINGS async_insert = 0 SELECT %s%s FROM (SELECT %s FROM %s)%s"
        .formatted(
            copy(),
            list,
            design == TableDesign.HISTORY ? "DISTINCT " : "",
            list,
            list,
            all(table()),
            rest);
  }

  /** Counts what the copy lacks of what all servers have. */
  String countMissing() {
    return countMissing(table(), copy());
  }

  /** The same after the exchange. */
  String countMissingAfterwards() {
    return countMissing(copy(), table());
  }

  private String countMissing(String source, String target) {
    if (design == TableDesign.STATES) {
      String newest =
          "SELECT state_id, max((updated_at, "
              + contents()
              + ")) AS newest FROM %s GROUP BY state_id";
      return "SELECT count() AS missing FROM (%s) AS old LEFT JOIN (%s) AS new USING (state_id)"
              .formatted(
                  newest.formatted(
                      "(SELECT state_id, updated_at, completed_state, partial_state FROM "
                          + all(source)
                          + " WHERE updated_at <= "
                          + start()
                          + ")"),
                  newest.formatted(target))
          + " WHERE tupleElement(new.newest, 1) < tupleElement(old.newest, 1)"
          + " OR tupleElement(new.newest, 1) = tupleElement(old.newest, 1)"
          + " AND tupleElement(new.newest, 2) != tupleElement(old.newest, 2)";
    }
    String telling = telling();
    return ("SELECT count() AS missing FROM (SELECT DISTINCT %1$s FROM %2$s WHERE recorded_at <= %3$s)"
            + " WHERE (%1$s) NOT IN (SELECT %1$s FROM %4$s)")
        .formatted(telling, all(source), start(), target);
  }

  /** Waits until every server has what is in the copy. */
  String syncCopy() {
    return "SYSTEM SYNC REPLICA ON CLUSTER " + literal(cluster) + " " + copy();
  }

  /** What is exchanged with what. */
  String exchanged() {
    return table() + " AND " + copy();
  }

  /**
   * Copies what was written into the old table between the copy and the exchange. A state that is
   * not in the new one may have been removed there: it is copied only if it was written since. Of
   * history such a row is recorded twice, since it passes through the view once more, but never not
   * at all.
   */
  String copyRest() {
    String list = String.join(", ", columns);
    if (design == TableDesign.STATES) {
      String old = columns.stream().map(c -> "old." + c).collect(Collectors.joining(", "));
      return ("INSERT INTO %1$s (%2$s) SETTINGS async_insert = 0 SELECT %3$s FROM (SELECT %2$s FROM"
              + " %4$s) AS old LEFT JOIN (SELECT state_id, max(updated_at) AS newest, 1 AS there FROM"
              + " %1$s GROUP BY state_id) AS new USING (state_id) WHERE old.updated_at >"
              + " if(new.there = 1, new.newest, %5$s)")
          .formatted(table(), list, old, all(copy()), sinceStart());
    }
    String telling = telling();
    String written = design == TableDesign.HISTORY ? "recorded_at" : "locked_at";
    return ("INSERT INTO %1$s (%2$s) SETTINGS async_insert = 0 SELECT DISTINCT %2$s FROM (SELECT %2$s"
            + " FROM %3$s) WHERE %4$s > %5$s AND (%6$s) NOT IN (SELECT %6$s FROM %1$s)")
        .formatted(table(), list, all(copy()), written, sinceStart(), telling);
  }

  /** What is renamed to what. */
  String setAside() {
    return copy() + " TO " + kept();
  }

  /** What each server has, and what of it no other has, or has newer. */
  String contentsOfEach() {
    return "SELECT server, count() AS states, toUInt64(countIf(servers = 1)) AS alone,"
        + " toUInt64(countIf(version < newest)) AS older FROM (SELECT server, version, count() OVER"
        + " (PARTITION BY state_id) AS servers, max(version) OVER (PARTITION BY state_id) AS newest"
        + " FROM (SELECT concat(hostName(), ' (', toString(_shard_num), ')') AS server, state_id,"
        + " max(updated_at) AS version FROM "
        + all(table())
        + " GROUP BY server, state_id)) GROUP BY server ORDER BY server";
  }

  String dropOld() {
    return "DROP TABLE " + kept() + placement.onCluster();
  }

  private String telling() {
    return design.telling().stream().filter(columns::contains).collect(Collectors.joining(", "));
  }

  private static String contents() {
    return "sipHash64(ifNull(completed_state, ''), ifNull(partial_state, ''))";
  }

  private String start() {
    return "fromUnixTimestamp64Milli(" + startMillis + ")";
  }

  private String sinceStart() {
    return "fromUnixTimestamp64Milli(" + (startMillis - 1000L * MARGIN_SECONDS) + ")";
  }

  private String table() {
    return names.schema().quoted() + "." + design.name(names).quoted();
  }

  private String copy() {
    return names.schema().quoted() + "." + copyOf(design, names).quoted();
  }

  private String kept() {
    return names.schema().quoted() + "." + keptOf(design, names).quoted();
  }

  private String all(String table) {
    return "clusterAllReplicas(" + literal(cluster) + ", " + table + ")";
  }

  // https://clickhouse.com/docs/sql-reference/syntax#string
  private static String literal(String text) {
    return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'";
  }
}
