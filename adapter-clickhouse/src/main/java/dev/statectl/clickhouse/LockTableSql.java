package dev.statectl.clickhouse;

/** The statements of the lock table. {@code <lock_table>} is its quoted name. */
final class LockTableSql {
  static final String EXISTS =
      """
      EXISTS TABLE <lock_table>
      """;

  /**
   * The columns before {@code candidate} are the Meltano plugin's. That one is in the key because a
   * merge keeps one row of a key: by {@code state_id} alone it would remove the row of whoever
   * holds the lock as soon as somebody else asks for it.
   */
  static final String CREATE =
      """
      CREATE TABLE IF NOT EXISTS <lock_table>
      (
          state_id String,
          lock_id String,
          locked_at DateTime DEFAULT now(),
          candidate String,
          holder String,
          released UInt8
      )
      ENGINE = ReplacingMergeTree(locked_at)
      ORDER BY (state_id, candidate)
      TTL locked_at + INTERVAL 300 SECOND
      """;

  private LockTableSql() {}
}
