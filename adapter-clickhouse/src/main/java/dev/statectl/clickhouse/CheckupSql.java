package dev.statectl.clickhouse;

/**
 * The statements of an examination, one constant a statement. They read what the server says of
 * itself, and have no SETTINGS, since a user with {@code readonly = 1} is refused for any. Of the
 * tables read here every user may read all but {@code system.mutations}, and sees only rows of
 * tables of his own.
 *
 * @see <a
 *     href="https://github.com/ClickHouse/ClickHouse/blob/master/src/Access/ContextAccess.cpp">what
 *     every user may read</a>
 */
final class CheckupSql {
  static final String SERVER =
      """
      SELECT
          version() AS version,
          toInt64(getSetting('readonly')) AS readonly,
          toInt64(getSetting('async_insert')) AS asynchronous,
          toInt64(getSetting('wait_for_async_insert')) AS waits
      """;

  static final String PING =
      """
      SELECT 1 AS one
      """;

  /** The texts are the server's own, in one spelling whatever was typed. */
  static final String TABLES =
      """
      SELECT
          name,
          engine,
          engine_full,
          sorting_key,
          partition_key,
          toInt64(ifNull(active_parts, 0)) AS active,
          toInt64(ifNull(total_bytes, 0)) AS bytes
      FROM system.tables
      WHERE database = :schema AND name IN (:table, :lock_table, :history_table)
      """;

  static final String COLUMNS =
      """
      SELECT table AS owner, name, type, default_expression
      FROM system.columns
      WHERE database = :schema AND table IN (:table, :lock_table, :history_table)
      ORDER BY table, position
      """;

  /** Whether a table of the same name and columns is in the database of the connection. */
  static final String OTHER_STATES =
      """
      SELECT count() AS columns
      FROM system.columns
      WHERE database = :database AND table = :table
          AND name IN ('state_id', 'partial_state', 'completed_state', 'updated_at')
      """;

  /** Why one fails is not asked for, since it may quote values. */
  static final String MUTATIONS =
      """
      SELECT
          table AS owner,
          toInt64(count()) AS pending,
          toInt64(countIf(latest_fail_reason != '')) AS failing,
          anyIf(mutation_id, latest_fail_reason != '') AS failed,
          toInt64(toUnixTimestamp(now())) - toInt64(toUnixTimestamp(min(create_time))) AS age
      FROM system.mutations
      WHERE database = :schema AND table IN (:table, :lock_table, :history_table) AND is_done = 0
      GROUP BY table
      ORDER BY table
      """;

  /**
   * Asks for a right of one's own, also one that came with a role. {@code <privilege>} and {@code
   * <place>} are constants and names of ours.
   *
   * @see <a href="https://clickhouse.com/docs/sql-reference/statements/check-grant">CHECK GRANT</a>
   */
  static final String RIGHT =
      """
      CHECK GRANT <privilege> ON <place>
      """;

  static final String RESTORE_LOCK_TTL =
      """
      ALTER TABLE <lock_table>
          MODIFY TTL locked_at + INTERVAL 300 SECOND
      """;

  static final String MERGE_STATES =
      """
      OPTIMIZE TABLE <table> FINAL
      """;

  static final String MERGE_LOCKS =
      """
      OPTIMIZE TABLE <lock_table> FINAL
      """;

  static final String MERGE_HISTORY =
      """
      OPTIMIZE TABLE <history_table> FINAL
      """;

  private CheckupSql() {}
}
