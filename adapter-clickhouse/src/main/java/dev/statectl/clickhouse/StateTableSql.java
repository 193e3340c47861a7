package dev.statectl.clickhouse;

/**
 * The statements of the state table, one constant a statement. {@code <table>} is its quoted name;
 * what begins with a colon is a bound value. {@link Placement} knows {@code <on_cluster>} and
 * {@code <replicated>}.
 *
 * <p>Reads have no SETTINGS, since a user with {@code readonly = 1} is refused for any. Writes name
 * theirs, so that the server's profiles do not decide whether an acknowledged write is kept.
 */
final class StateTableSql {
  static final String EXISTS =
      """
      EXISTS TABLE <table>
      """;

  /** The Meltano plugin's table, column by column. */
  static final String CREATE =
      """
      CREATE TABLE IF NOT EXISTS <table><on_cluster>
      (
          state_id String,
          partial_state Nullable(String),
          completed_state Nullable(String),
          updated_at DateTime64(3) DEFAULT now64(3)
      )
      ENGINE = <replicated>ReplacingMergeTree(updated_at)
      ORDER BY state_id
      """;

  /**
   * What is not text is told by the server: the driver would hand it over changed. PREWHERE, so
   * that of the thousands of states in a granule only this one is read: with FINAL the server does
   * not move a condition there by itself. It may stand there, since all rows of an id fulfil it or
   * none.
   */
  static final String FIND =
      """
      SELECT
          state_id,
          isValidUTF8(state_id) AS state_id_is_text,
          completed_state,
          ifNull(isValidUTF8(completed_state), 1) AS completed_state_is_text,
          partial_state,
          ifNull(isValidUTF8(partial_state), 1) AS partial_state_is_text,
          toUnixTimestamp64Milli(updated_at) AS version
      FROM <table> FINAL
      PREWHERE state_id = :state_id
      """;

  /** Of few enough ids for a statement. */
  static final String FIND_ALL =
      """
      SELECT
          state_id,
          isValidUTF8(state_id) AS state_id_is_text,
          completed_state,
          ifNull(isValidUTF8(completed_state), 1) AS completed_state_is_text,
          partial_state,
          ifNull(isValidUTF8(partial_state), 1) AS partial_state_is_text,
          toUnixTimestamp64Milli(updated_at) AS version
      FROM <table> FINAL
      WHERE state_id IN (<state_ids>)
      """;

  static final String STATES =
      """
      SELECT
          state_id,
          isValidUTF8(state_id) AS state_id_is_text,
          completed_state,
          ifNull(isValidUTF8(completed_state), 1) AS completed_state_is_text,
          partial_state,
          ifNull(isValidUTF8(partial_state), 1) AS partial_state_is_text,
          toUnixTimestamp64Milli(updated_at) AS version
      FROM <table> FINAL
      ORDER BY state_id
      """;

  static final String STATES_BY_PREFIX =
      """
      SELECT
          state_id,
          isValidUTF8(state_id) AS state_id_is_text,
          completed_state,
          ifNull(isValidUTF8(completed_state), 1) AS completed_state_is_text,
          partial_state,
          ifNull(isValidUTF8(partial_state), 1) AS partial_state_is_text,
          toUnixTimestamp64Milli(updated_at) AS version
      FROM <table> FINAL
      PREWHERE startsWith(state_id, :prefix)
      ORDER BY state_id
      """;

  static final String IDS =
      """
      SELECT DISTINCT state_id
      FROM <table>
      ORDER BY state_id
      """;

  /** Uses the primary key, and needs no escaping as LIKE would. */
  static final String IDS_BY_PREFIX =
      """
      SELECT DISTINCT state_id
      FROM <table>
      WHERE startsWith(state_id, :prefix)
      ORDER BY state_id
      """;

  static final String IDS_BY_ID =
      """
      SELECT DISTINCT state_id
      FROM <table>
      WHERE state_id = :state_id
      """;

  static final String IDS_OF_THESE =
      """
      SELECT DISTINCT state_id
      FROM <table>
      WHERE state_id IN (<state_ids>)
      """;

  static final String COUNT_VERSIONS =
      """
      SELECT count() AS versions, toUnixTimestamp64Milli(max(updated_at)) AS newest
      FROM <table>
      WHERE state_id = :state_id
      """;

  static final String COUNT_VERSIONS_UP_TO =
      """
      SELECT count() AS versions
      FROM <table>
      WHERE state_id = :state_id AND updated_at <= fromUnixTimestamp64Milli(:newest)
      """;

  static final String COUNT_STATES =
      """
      SELECT uniqExact(state_id) AS states
      FROM <table>
      """;

  /**
   * The newest version of all that the table still holds of an id, and the server's clock, read
   * together.
   */
  static final String NEWEST_VERSION =
      """
      SELECT
          count() AS versions,
          toUnixTimestamp64Milli(max(updated_at)) AS newest,
          toUnixTimestamp64Milli(now64(3)) AS clock
      FROM <table>
      WHERE state_id = :state_id
      """;

  static final String NEWEST_VERSIONS =
      """
      SELECT
          state_id,
          toUnixTimestamp64Milli(max(updated_at)) AS newest
      FROM <table>
      WHERE state_id IN (<state_ids>)
      GROUP BY state_id
      """;

  static final String CLOCK =
      """
      SELECT toUnixTimestamp64Milli(now64(3)) AS clock
      """;

  /**
   * The version is named, so that no two writes are alike: a table with a deduplication window
   * drops an insert that repeats an earlier one. It is given as a count of milliseconds, so that no
   * time zone has a say, through a function, which values may hold only where expressions are
   * allowed.
   */
  static final String INSERT =
      """
      INSERT INTO <table> (state_id, partial_state, completed_state, updated_at)
      SETTINGS async_insert = 0, input_format_values_interpret_expressions = 1
      VALUES (:state_id, :partial_state, :completed_state, fromUnixTimestamp64Milli(:version))
      """;

  /**
   * The rows follow it, behind the line feed. The settings are the defaults, which a profile may
   * change: a time that counts seconds is read as one, {@code \\N} is null, and no line is left
   * out.
   *
   * @see <a
   *     href="https://clickhouse.com/docs/operations/settings/formats#date_time_input_format">date_time_input_format</a>
   */
  static final String INSERT_ROWS =
      """
      INSERT INTO <table> (state_id, partial_state, completed_state, updated_at)
      SETTINGS
          async_insert = 0,
          date_time_input_format = 'basic',
          format_tsv_null_representation = '\\\\N',
          input_format_tsv_skip_first_lines = 0
      FORMAT TabSeparated
      """;

  /** By the key alone: a row that is removed by more would show an older one of its id again. */
  static final String DELETE =
      """
      DELETE FROM <table>
      WHERE state_id = :state_id
      SETTINGS lightweight_deletes_sync = 2
      """;

  /**
   * Inserts only if the holder's row of a lock is there and not stale: it selects from that row.
   * Here the state counts for {@code max_query_size}, as it does not between VALUES.
   */
  static final String INSERT_IF_HELD =
      """
      INSERT INTO <table> (state_id, partial_state, completed_state, updated_at)
      SETTINGS async_insert = 0
      SELECT :state_id, :partial_state, :completed_state, fromUnixTimestamp64Milli(:version)
      FROM
      (
          SELECT lock_id
          FROM <lock_table>
          WHERE state_id = :lock AND lock_id = :lock_id
          GROUP BY lock_id
          HAVING max(released) = 0 AND max(locked_at) >= now() - toIntervalSecond(:stale)
      )
      """;

  /** The same with a lock table that has the plugin's columns only. */
  static final String INSERT_IF_HELD_PLUGIN =
      """
      INSERT INTO <table> (state_id, partial_state, completed_state, updated_at)
      SETTINGS async_insert = 0
      SELECT :state_id, :partial_state, :completed_state, fromUnixTimestamp64Milli(:version)
      FROM
      (
          SELECT lock_id
          FROM <lock_table>
          WHERE state_id = :lock AND lock_id = :lock_id
          GROUP BY lock_id
          HAVING max(locked_at) >= now() - toIntervalSecond(:stale)
      )
      """;

  private static final String AND_NEWER =
      """
      WHERE (SELECT max(updated_at) FROM <table> WHERE state_id = :state_id)
          < fromUnixTimestamp64Milli(:version)
      """;

  /** The same, and only if the version is newer than all that the table still holds of the id. */
  static final String INSERT_IF_HELD_AND_NEWER = INSERT_IF_HELD + AND_NEWER;

  static final String INSERT_IF_HELD_AND_NEWER_PLUGIN = INSERT_IF_HELD_PLUGIN + AND_NEWER;

  /** Whether a row that was written is stored; by its content too, as versions can be equal. */
  static final String COUNT_WRITTEN =
      """
      SELECT count() AS versions
      FROM <table>
      WHERE state_id = :state_id
          AND updated_at = fromUnixTimestamp64Milli(:version)
          AND hex(SHA256(ifNull(partial_state, ''))) = :partial_digest
          AND hex(SHA256(ifNull(completed_state, ''))) = :completed_digest
      """;

  /** The rows of some ids from a version on, by digests, since states may be large. */
  static final String DIGESTS =
      """
      SELECT
          state_id,
          toUnixTimestamp64Milli(updated_at) AS version,
          hex(SHA256(ifNull(partial_state, ''))) AS partial_digest,
          hex(SHA256(ifNull(completed_state, ''))) AS completed_digest
      FROM <table>
      WHERE state_id IN (<state_ids>) AND updated_at >= fromUnixTimestamp64Milli(:oldest)
      """;

  /**
   * Deletes only if the holder's row of a lock is there and not stale. The server puts the answer
   * into the statement before any part or replica runs it: else each would ask at a time of its
   * own, and one that no longer finds the row would keep an old version.
   *
   * @see <a
   *     href="https://clickhouse.com/docs/operations/settings/settings#mutations_execute_subqueries_on_initiator">
   *     mutations_execute_subqueries_on_initiator</a>
   */
  static final String DELETE_IF_HELD =
      """
      DELETE FROM <table>
      WHERE state_id = :state_id AND
      (
          SELECT count() > 0
          FROM
          (
              SELECT lock_id
              FROM <lock_table>
              WHERE state_id = :lock AND lock_id = :lock_id
              GROUP BY lock_id
              HAVING max(released) = 0 AND max(locked_at) >= now() - toIntervalSecond(:stale)
          )
      )
      SETTINGS
          lightweight_deletes_sync = 2,
          mutations_execute_subqueries_on_initiator = 1,
          mutations_execute_nondeterministic_on_initiator = 1
      """;

  /** The same with a lock table that has the plugin's columns only. */
  static final String DELETE_IF_HELD_PLUGIN =
      """
      DELETE FROM <table>
      WHERE state_id = :state_id AND
      (
          SELECT count() > 0
          FROM
          (
              SELECT lock_id
              FROM <lock_table>
              WHERE state_id = :lock AND lock_id = :lock_id
              GROUP BY lock_id
              HAVING max(locked_at) >= now() - toIntervalSecond(:stale)
          )
      )
      SETTINGS
          lightweight_deletes_sync = 2,
          mutations_execute_subqueries_on_initiator = 1,
          mutations_execute_nondeterministic_on_initiator = 1
      """;

  static final String TRUNCATE =
      """
      TRUNCATE TABLE <table>
      """;

  private StateTableSql() {}
}
