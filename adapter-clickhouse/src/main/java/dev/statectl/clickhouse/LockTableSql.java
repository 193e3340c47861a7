package dev.statectl.clickhouse;

/**
 * The statements of the lock table, one constant a statement. {@code <lock_table>} is its quoted
 * name; what begins with a colon is a bound value. {@link Placement} knows {@code <on_cluster>} and
 * {@code <replicated>}.
 *
 * <p>Never FINAL, which is for readers of one row a key: the newest row of each lock id is found by
 * grouping, whatever merges have done so far. A lock id of which one row says {@code released} is
 * gone. All times are the server's, counted in seconds since 1970, so that no time zone has a say.
 * Inserts name {@code locked_at}, so that none is taken for a repetition of an earlier one and
 * dropped by a table with a deduplication window.
 *
 * <p>Those that end in {@code PLUGIN} are for a table with no other columns than the Meltano
 * plugin's.
 */
final class LockTableSql {
  static final String EXISTS =
      """
      EXISTS TABLE <lock_table>
      """;

  /**
   * The columns before {@code candidate} are the Meltano plugin's. That one is in the key because a
   * merge keeps one row of a key: by {@code state_id} alone it would remove the row of whoever
   * holds the lock as soon as somebody else asks for it. Its default is for the plugin, which does
   * not name it.
   */
  static final String CREATE =
      """
      CREATE TABLE IF NOT EXISTS <lock_table><on_cluster>
      (
          state_id String,
          lock_id String,
          locked_at DateTime DEFAULT now(),
          candidate String DEFAULT lock_id,
          holder String,
          released UInt8
      )
      ENGINE = <replicated>ReplacingMergeTree(locked_at)
      ORDER BY (state_id, candidate)
      TTL locked_at + INTERVAL 300 SECOND
      """;

  /**
   * Gives the plugin's table our columns and key while it is used. Quickly done, as only metadata
   * change, and twice as well as once.
   *
   * @see <a href="https://clickhouse.com/docs/sql-reference/statements/alter/order-by">MODIFY ORDER
   *     BY</a>
   */
  static final String UPGRADE =
      """
      ALTER TABLE <lock_table>
          ADD COLUMN IF NOT EXISTS candidate String,
          ADD COLUMN IF NOT EXISTS holder String,
          ADD COLUMN IF NOT EXISTS released UInt8,
          MODIFY ORDER BY (state_id, candidate)
      """;

  /** Comes second: a column that is added with a default cannot go into the key. */
  static final String UPGRADE_DEFAULT =
      """
      ALTER TABLE <lock_table>
          MODIFY COLUMN candidate String DEFAULT lock_id
      """;

  /** Whoever may read a table may see its columns here. */
  static final String COLUMNS =
      """
      SELECT
          count() AS columns,
          countIf(name = 'candidate' AND is_in_sorting_key
              OR name IN ('holder', 'released')) AS ours,
          countIf(name = 'candidate' AND default_expression = 'lock_id') AS defaults
      FROM system.columns
      WHERE database = :schema AND table = :lock_table
      """;

  static final String ANNOUNCE =
      """
      INSERT INTO <lock_table> (state_id, lock_id, locked_at, candidate, holder, released)
      SETTINGS async_insert = 0, input_format_values_interpret_expressions = 1
      VALUES (:state_id, :lock_id, now(), :lock_id, :holder, 0)
      """;

  static final String ANNOUNCE_PLUGIN =
      """
      INSERT INTO <lock_table> (state_id, lock_id, locked_at)
      SETTINGS async_insert = 0, input_format_values_interpret_expressions = 1
      VALUES (:state_id, :lock_id, now())
      """;

  /**
   * Many rows of one candidate, which follow behind the line feed. What is not named has its
   * default, the server's time: among rows it could not be asked for without an expression for
   * each. The lock id is new, so this is no repetition of an earlier insert either.
   */
  static final String ANNOUNCE_ROWS =
      """
      INSERT INTO <lock_table> (state_id, lock_id, candidate, holder, released)
      SETTINGS
          async_insert = 0,
          input_format_defaults_for_omitted_fields = 1,
          input_format_tsv_skip_first_lines = 0
      FORMAT TabSeparated
      """;

  static final String ANNOUNCE_ROWS_PLUGIN =
      """
      INSERT INTO <lock_table> (state_id, lock_id)
      SETTINGS
          async_insert = 0,
          input_format_defaults_for_omitted_fields = 1,
          input_format_tsv_skip_first_lines = 0
      FORMAT TabSeparated
      """;

  static final String LOOK =
      """
      SELECT
          state_id,
          lock_id,
          toUnixTimestamp(max(locked_at)) AS newest,
          argMax(holder, locked_at) AS who,
          toUnixTimestamp(now()) AS clock
      FROM <lock_table>
      WHERE state_id = :state_id
      GROUP BY state_id, lock_id
      HAVING max(released) = 0
      ORDER BY state_id, lock_id
      """;

  static final String LOOK_PLUGIN =
      """
      SELECT
          state_id,
          lock_id,
          toUnixTimestamp(max(locked_at)) AS newest,
          '' AS who,
          toUnixTimestamp(now()) AS clock
      FROM <lock_table>
      WHERE state_id = :state_id
      GROUP BY state_id, lock_id
      ORDER BY state_id, lock_id
      """;

  /**
   * The rows of all locks in which one candidate has a row. Both selects see what was acknowledged
   * before this began.
   */
  static final String LOOK_ALL =
      """
      SELECT
          state_id,
          lock_id,
          toUnixTimestamp(max(locked_at)) AS newest,
          argMax(holder, locked_at) AS who,
          toUnixTimestamp(now()) AS clock
      FROM <lock_table>
      WHERE state_id IN (SELECT state_id FROM <lock_table> WHERE lock_id = :lock_id)
      GROUP BY state_id, lock_id
      HAVING max(released) = 0
      ORDER BY state_id, lock_id
      """;

  static final String LOOK_ALL_PLUGIN =
      """
      SELECT
          state_id,
          lock_id,
          toUnixTimestamp(max(locked_at)) AS newest,
          '' AS who,
          toUnixTimestamp(now()) AS clock
      FROM <lock_table>
      WHERE state_id IN (SELECT state_id FROM <lock_table> WHERE lock_id = :lock_id)
      GROUP BY state_id, lock_id
      ORDER BY state_id, lock_id
      """;

  /** The locks in which one candidate has a row. */
  static final String LOCKS_OF =
      """
      SELECT state_id
      FROM <lock_table>
      WHERE lock_id = :lock_id
      GROUP BY state_id
      HAVING max(released) = 0
      """;

  static final String LOCKS_OF_PLUGIN =
      """
      SELECT state_id
      FROM <lock_table>
      WHERE lock_id = :lock_id
      GROUP BY state_id
      """;

  /** The same where the row is not stale. */
  static final String LOCKS_HELD_BY =
      """
      SELECT state_id
      FROM <lock_table>
      WHERE lock_id = :lock_id
      GROUP BY state_id
      HAVING max(released) = 0 AND max(locked_at) >= now() - toIntervalSecond(:stale)
      """;

  static final String LOCKS_HELD_BY_PLUGIN =
      """
      SELECT state_id
      FROM <lock_table>
      WHERE lock_id = :lock_id
      GROUP BY state_id
      HAVING max(locked_at) >= now() - toIntervalSecond(:stale)
      """;

  static final String LIST =
      """
      SELECT
          state_id,
          lock_id,
          toUnixTimestamp(max(locked_at)) AS newest,
          argMax(holder, locked_at) AS who,
          toUnixTimestamp(now()) AS clock
      FROM <lock_table>
      WHERE startsWith(state_id, :prefix)
      GROUP BY state_id, lock_id
      HAVING max(released) = 0
      ORDER BY state_id, lock_id
      """;

  static final String LIST_PLUGIN =
      """
      SELECT
          state_id,
          lock_id,
          toUnixTimestamp(max(locked_at)) AS newest,
          '' AS who,
          toUnixTimestamp(now()) AS clock
      FROM <lock_table>
      WHERE startsWith(state_id, :prefix)
      GROUP BY state_id, lock_id
      ORDER BY state_id, lock_id
      """;

  /**
   * The holder's row, if it is there and not stale: what every conditional statement selects from.
   * A row that became stale stays so, since {@link #RENEW} selects from it, too; so when it is
   * found here after a statement, that statement found it as well.
   */
  static final String HELD =
      """
      SELECT lock_id
      FROM <lock_table>
      WHERE state_id = :lock AND lock_id = :lock_id
      GROUP BY lock_id
      HAVING max(released) = 0 AND max(locked_at) >= now() - toIntervalSecond(:stale)
      """;

  static final String HELD_PLUGIN =
      """
      SELECT lock_id
      FROM <lock_table>
      WHERE state_id = :lock AND lock_id = :lock_id
      GROUP BY lock_id
      HAVING max(locked_at) >= now() - toIntervalSecond(:stale)
      """;

  static final String RENEW =
      """
      INSERT INTO <lock_table> (state_id, lock_id, locked_at, candidate, holder, released)
      SETTINGS async_insert = 0
      SELECT state_id, lock_id, now(), candidate, argMax(holder, locked_at), 0
      FROM <lock_table>
      WHERE state_id = :lock AND lock_id = :lock_id
      GROUP BY state_id, lock_id, candidate
      HAVING max(released) = 0 AND max(locked_at) >= now() - toIntervalSecond(:stale)
      """;

  static final String RENEW_PLUGIN =
      """
      INSERT INTO <lock_table> (state_id, lock_id, locked_at)
      SETTINGS async_insert = 0
      SELECT state_id, lock_id, now()
      FROM <lock_table>
      WHERE state_id = :lock AND lock_id = :lock_id
      GROUP BY state_id, lock_id
      HAVING max(locked_at) >= now() - toIntervalSecond(:stale)
      """;

  static final String RENEW_ALL =
      """
      INSERT INTO <lock_table> (state_id, lock_id, locked_at, candidate, holder, released)
      SETTINGS async_insert = 0
      SELECT state_id, lock_id, now(), candidate, argMax(holder, locked_at), 0
      FROM <lock_table>
      WHERE state_id IN (<state_ids>) AND lock_id = :lock_id
      GROUP BY state_id, lock_id, candidate
      HAVING max(released) = 0 AND max(locked_at) >= now() - toIntervalSecond(:stale)
      """;

  static final String RENEW_ALL_PLUGIN =
      """
      INSERT INTO <lock_table> (state_id, lock_id, locked_at)
      SETTINGS async_insert = 0
      SELECT state_id, lock_id, now()
      FROM <lock_table>
      WHERE state_id IN (<state_ids>) AND lock_id = :lock_id
      GROUP BY state_id, lock_id
      HAVING max(locked_at) >= now() - toIntervalSecond(:stale)
      """;

  /**
   * An ordinary delete, as the plugin's: faster ways to remove a row make deletes get lost, or
   * fail, where others remove theirs so. By state and lock id alone: were it narrower, it would
   * leave an older row of the candidate.
   */
  static final String WITHDRAW =
      """
      DELETE FROM <lock_table>
      WHERE state_id = :state_id AND lock_id = :lock_id
      SETTINGS lightweight_deletes_sync = 2
      """;

  /** The same in all locks: a lock id is one candidate's, so whatever has it is that one's. */
  static final String WITHDRAW_ALL =
      """
      DELETE FROM <lock_table>
      WHERE lock_id = :lock_id
      SETTINGS lightweight_deletes_sync = 2
      """;

  /** The same in some locks only. */
  static final String WITHDRAW_THESE =
      """
      DELETE FROM <lock_table>
      WHERE state_id IN (<state_ids>) AND lock_id = :lock_id
      SETTINGS lightweight_deletes_sync = 2
      """;

  /**
   * Marks a candidate as gone. The row is dated a minute ahead, also of the newest row that was
   * seen, which is in the future once the server's clock was set back: so a renewal or an
   * announcement that arrives late neither shows beside it nor takes its place in a merge, which
   * keeps the newest row of a key, and of equally new ones the last. Its end comes by the table's
   * TTL.
   */
  static final String RELEASE =
      """
      INSERT INTO <lock_table> (state_id, lock_id, locked_at, candidate, holder, released)
      SETTINGS async_insert = 0, input_format_values_interpret_expressions = 1
      VALUES (:state_id, :lock_id, greatest(now(), toDateTime(:newest)) + toIntervalSecond(60),
          :lock_id, '', 1)
      """;

  /** The same for the rows that are there. */
  static final String RELEASE_THESE =
      """
      INSERT INTO <lock_table> (state_id, lock_id, locked_at, candidate, holder, released)
      SETTINGS async_insert = 0
      SELECT state_id, lock_id, greatest(now(), max(locked_at)) + toIntervalSecond(60), candidate,
          '', 1
      FROM <lock_table>
      WHERE state_id IN (<state_ids>) AND lock_id = :lock_id
      GROUP BY state_id, lock_id, candidate
      HAVING max(released) = 0
      """;

  /** The same for candidates of which no row was seen, since one may still arrive. */
  static final String RELEASE_UNSEEN =
      """
      INSERT INTO <lock_table> (state_id, lock_id, locked_at, candidate, holder, released)
      SETTINGS async_insert = 0
      SELECT arrayJoin([<state_ids>]), :lock_id, now() + toIntervalSecond(60), :lock_id, '', 1
      """;

  /**
   * The clock's time becomes a constant in it before replicas run it, each at a time of its own.
   */
  static final String REMOVE_STALE =
      """
      DELETE FROM <lock_table>
      WHERE state_id = :state_id AND locked_at < now() - toIntervalSecond(:stale)
      SETTINGS
          lightweight_deletes_sync = 2,
          mutations_execute_nondeterministic_on_initiator = 1
      """;

  static final String RELEASE_STALE =
      """
      INSERT INTO <lock_table> (state_id, lock_id, locked_at, candidate, holder, released)
      SETTINGS async_insert = 0
      SELECT state_id, lock_id, now() + toIntervalSecond(60), candidate, '', 1
      FROM <lock_table>
      WHERE state_id = :state_id
      GROUP BY state_id, lock_id, candidate
      HAVING max(released) = 0 AND max(locked_at) < now() - toIntervalSecond(:stale)
      """;

  static final String REMOVE_STALE_ALL =
      """
      DELETE FROM <lock_table>
      WHERE state_id IN (<state_ids>) AND locked_at < now() - toIntervalSecond(:stale)
      SETTINGS
          lightweight_deletes_sync = 2,
          mutations_execute_nondeterministic_on_initiator = 1
      """;

  static final String RELEASE_STALE_ALL =
      """
      INSERT INTO <lock_table> (state_id, lock_id, locked_at, candidate, holder, released)
      SETTINGS async_insert = 0
      SELECT state_id, lock_id, now() + toIntervalSecond(60), candidate, '', 1
      FROM <lock_table>
      WHERE state_id IN (<state_ids>)
      GROUP BY state_id, lock_id, candidate
      HAVING max(released) = 0 AND max(locked_at) < now() - toIntervalSecond(:stale)
      """;

  private LockTableSql() {}
}
