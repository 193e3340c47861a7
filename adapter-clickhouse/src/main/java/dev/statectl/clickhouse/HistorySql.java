package dev.statectl.clickhouse;

/**
 * The statements of the history table and the view that fills it, one constant a statement. {@code
 * <history_table>} and {@code <history_view>} are their quoted names; what begins with a colon is a
 * bound value, save for {@code <keep>}, a count of seconds, since definitions take none. {@link
 * Placement} knows {@code <on_cluster>} and {@code <replicated>}.
 *
 * <p>Reads have no SETTINGS, since a user with {@code readonly = 1} is refused for any.
 */
final class HistorySql {
  /**
   * Rows are small granules, so that one record is read without many others. A deduplication window
   * would drop a record that repeats an earlier one, so there is none.
   */
  static final String CREATE =
      """
      CREATE TABLE IF NOT EXISTS <history_table><on_cluster>
      (
          state_id String,
          updated_at DateTime64(3),
          recorded_at DateTime64(6),
          deleted UInt8,
          author String,
          account String,
          reverted_to DateTime64(3),
          completed_bytes UInt64,
          partial_bytes UInt64,
          fingerprint UInt64,
          completed_state Nullable(String),
          partial_state Nullable(String)
      )
      ENGINE = <replicated>MergeTree
      ORDER BY (state_id, updated_at, recorded_at)
      TTL toDateTime(recorded_at) + toIntervalSecond(<keep>)
      SETTINGS
          index_granularity = 256,
          non_replicated_deduplication_window = 0,
          replicated_deduplication_window = 0
      """;

  /**
   * Records every insert into the state table, whoever makes it. On several replicas the one that
   * takes the insert records it: rows that come from another do not pass through views. It runs as
   * the user who makes the view, so that others need no right on the history table to go on writing
   * states. What our writes say of themselves comes in their {@code log_comment}; others' comments
   * are not for us.
   *
   * @see <a
   *     href="https://clickhouse.com/docs/sql-reference/statements/create/view#sql_security">SQL
   *     security</a>
   */
  static final String CREATE_VIEW =
      """
      CREATE MATERIALIZED VIEW IF NOT EXISTS <history_view><on_cluster> TO <history_table>
      DEFINER = CURRENT_USER SQL SECURITY DEFINER
      AS SELECT
          state_id,
          updated_at,
          now64(6) AS recorded_at,
          toUInt8(0) AS deleted,
          JSONExtractString(getSetting('log_comment'), 'statectl', 'author') AS author,
          currentUser() AS account,
          fromUnixTimestamp64Milli(
              JSONExtractInt(getSetting('log_comment'), 'statectl', 'reverts')) AS reverted_to,
          toUInt64(length(ifNull(completed_state, ''))) AS completed_bytes,
          toUInt64(length(ifNull(partial_state, ''))) AS partial_bytes,
          sipHash64(ifNull(completed_state, ''), ifNull(partial_state, '')) AS fingerprint,
          completed_state,
          partial_state
      FROM <table>
      """;

  static final String DROP_VIEW =
      """
      DROP VIEW IF EXISTS <history_view><on_cluster>
      """;

  static final String MODIFY_TTL =
      """
      ALTER TABLE <history_table>
          MODIFY TTL toDateTime(recorded_at) + toIntervalSecond(<keep>)
      """;

  /** Whoever may see the state table sees which views depend on it, and may see no more. */
  static final String VIEW_READS_STATES =
      """
      SELECT count() AS views
      FROM system.tables
      WHERE database = :schema AND name = :table
          AND has(arrayZip(dependencies_database, dependencies_table), (:schema, :history_view))
      """;

  /** The rule by which the server removes old rows, as it writes it out itself. */
  static final String ENGINE =
      """
      SELECT engine_full
      FROM system.tables
      WHERE database = :schema AND name = :history_table
      """;

  static final String COLUMNS =
      """
      SELECT name, type
      FROM system.columns
      WHERE database = :schema AND table = :history_table
      ORDER BY position
      """;

  /** Reads nothing, but fails as any read would. */
  static final String PROBE =
      """
      SELECT 1 AS one
      FROM <history_table>
      LIMIT 0
      """;

  /**
   * Records what is stored and not recorded yet, as what was stored before recording began. Comes
   * after the view: what is written meanwhile may be recorded twice, but never not at all.
   */
  static final String FILL =
      """
      INSERT INTO <history_table> (state_id, updated_at, recorded_at, deleted, author, account,
          reverted_to, completed_bytes, partial_bytes, fingerprint, completed_state, partial_state)
      SETTINGS async_insert = 0
      SELECT
          state_id,
          updated_at,
          now64(6),
          0,
          '',
          '',
          fromUnixTimestamp64Milli(0),
          length(ifNull(completed_state, '')),
          length(ifNull(partial_state, '')),
          sipHash64(ifNull(completed_state, ''), ifNull(partial_state, '')),
          completed_state,
          partial_state
      FROM <table> FINAL
      WHERE (state_id, updated_at) NOT IN
      (
          SELECT state_id, updated_at
          FROM <history_table>
          WHERE deleted = 0
      )
      """;

  static final String FILL_ONE =
      """
      INSERT INTO <history_table> (state_id, updated_at, recorded_at, deleted, author, account,
          reverted_to, completed_bytes, partial_bytes, fingerprint, completed_state, partial_state)
      SETTINGS async_insert = 0
      SELECT
          state_id,
          updated_at,
          now64(6),
          0,
          '',
          '',
          fromUnixTimestamp64Milli(0),
          length(ifNull(completed_state, '')),
          length(ifNull(partial_state, '')),
          sipHash64(ifNull(completed_state, ''), ifNull(partial_state, '')),
          completed_state,
          partial_state
      FROM <table> FINAL
      PREWHERE state_id = :state_id
      WHERE updated_at NOT IN
      (
          SELECT updated_at
          FROM <history_table>
          WHERE state_id = :state_id AND deleted = 0
      )
      """;

  /**
   * Records the removal of every state that the history knows and that is no longer stored: so it
   * may come again, and records nothing that is not so. The version is after all of the id and not
   * before the server's clock, as StateVersion chooses it.
   */
  static final String RECORD_REMOVALS =
      """
      INSERT INTO <history_table> (state_id, updated_at, recorded_at, deleted, author, account)
      SETTINGS async_insert = 0
      SELECT
          state_id,
          fromUnixTimestamp64Milli(
              greatest(toUnixTimestamp64Milli(now64(3)), toUnixTimestamp64Milli(newest) + 1)),
          now64(6),
          1,
          :author,
          currentUser()
      FROM
      (
          SELECT
              state_id,
              max(updated_at) AS newest,
              argMax(deleted, (updated_at, recorded_at)) AS gone
          FROM <history_table>
          GROUP BY state_id
      )
      WHERE gone = 0 AND state_id NOT IN
      (
          SELECT state_id
          FROM <table>
      )
      """;

  static final String RECORD_REMOVAL =
      """
      INSERT INTO <history_table> (state_id, updated_at, recorded_at, deleted, author, account)
      SETTINGS async_insert = 0
      SELECT
          state_id,
          fromUnixTimestamp64Milli(
              greatest(toUnixTimestamp64Milli(now64(3)), toUnixTimestamp64Milli(newest) + 1)),
          now64(6),
          1,
          :author,
          currentUser()
      FROM
      (
          SELECT
              state_id,
              max(updated_at) AS newest,
              argMax(deleted, (updated_at, recorded_at)) AS gone
          FROM <history_table>
          WHERE state_id = :state_id
          GROUP BY state_id
      )
      WHERE gone = 0 AND state_id NOT IN
      (
          SELECT state_id
          FROM <table>
          WHERE state_id = :state_id
      )
      """;

  static final String NEWEST_IS_REMOVAL =
      """
      SELECT argMax(deleted, (updated_at, recorded_at)) AS gone
      FROM <history_table>
      WHERE state_id = :state_id
      """;

  /** By the key, from its end: the server stops at the limit, and reads no state. */
  static final String ENTRIES =
      """
      SELECT
          state_id,
          toUnixTimestamp64Milli(updated_at) AS version,
          toUnixTimestamp64Micro(recorded_at) AS recorded,
          deleted,
          author,
          account,
          toUnixTimestamp64Milli(reverted_to) AS reverted,
          completed_bytes,
          partial_bytes,
          toString(fingerprint) AS content
      FROM <history_table>
      WHERE state_id = :state_id
      ORDER BY updated_at DESC, recorded_at DESC
      LIMIT :limit
      """;

  /** What is not text is told by the server: the driver would hand it over changed. */
  private static final String WHOLE_RECORDS =
      """
      SELECT
          state_id,
          toUnixTimestamp64Milli(updated_at) AS version,
          toUnixTimestamp64Micro(recorded_at) AS recorded,
          deleted,
          author,
          account,
          toUnixTimestamp64Milli(reverted_to) AS reverted,
          completed_bytes,
          partial_bytes,
          toString(fingerprint) AS content,
          isValidUTF8(state_id) AS state_id_is_text,
          completed_state,
          ifNull(isValidUTF8(completed_state), 1) AS completed_state_is_text,
          partial_state,
          ifNull(isValidUTF8(partial_state), 1) AS partial_state_is_text
      FROM <history_table>
      """;

  static final String RECORDS =
      WHOLE_RECORDS
          + """
      WHERE state_id = :state_id
      ORDER BY updated_at DESC, recorded_at DESC
      LIMIT :limit
      """;

  static final String FIND =
      WHOLE_RECORDS
          + """
      WHERE state_id = :state_id AND updated_at = fromUnixTimestamp64Milli(:version)
      ORDER BY updated_at DESC, recorded_at DESC
      LIMIT 1
      """;

  /**
   * The record behind the one that the statement above finds. Where that finds none, the maximum is
   * the least time there is, so that only older versions are left.
   */
  static final String FIND_BEFORE =
      WHOLE_RECORDS
          + """
      WHERE state_id = :state_id AND updated_at <= fromUnixTimestamp64Milli(:version)
          AND (updated_at, recorded_at) <
          (
              SELECT (fromUnixTimestamp64Milli(:version), max(recorded_at))
              FROM <history_table>
              WHERE state_id = :state_id AND updated_at = fromUnixTimestamp64Milli(:version)
          )
      ORDER BY updated_at DESC, recorded_at DESC
      LIMIT 1
      """;

  private HistorySql() {}
}
