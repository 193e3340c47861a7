package dev.statectl.clickhouse;

/**
 * The statements of the claim table, one constant a statement. {@code <claim_table>} is its quoted
 * name; what begins with a colon is a bound value.
 *
 * <p>The table has one row for each lock that was ever claimed, which is a node of Keeper. In
 * strict mode an insert fails where the node is there, and an update is a comparison with the
 * node's version, so of two at a time one fails. Rows are never deleted, only emptied: a node that
 * is made anew begins with the same version again, so a late statement of a former claimant could
 * pass for one of the next; and a delete of several rows may go on without comparing.
 *
 * <p>The server sends nothing to Keeper a second time: a claim is of no use to whoever waited for
 * it through an outage.
 *
 * @see <a href="https://clickhouse.com/docs/engines/table-engines/special/keeper-map">KeeperMap</a>
 * @see <a
 *     href="https://github.com/ClickHouse/ClickHouse/blob/master/src/Storages/StorageKeeperMap.cpp">
 *     StorageKeeperMap.cpp</a>
 */
final class ClaimTableSql {
  static final String EXISTS =
      """
      EXISTS TABLE <claim_table>
      """;

  /** All who use the same Keeper and the same names share it. */
  static final String CREATE =
      """
      CREATE TABLE IF NOT EXISTS <claim_table><on_cluster>
      (
          state_id String,
          lock_id String,
          holder String,
          locked_at DateTime
      )
      ENGINE = KeeperMap(<claim_path>)
      PRIMARY KEY state_id
      """;

  /** An empty lock id says that nobody has the claim. For users who may change no settings, too. */
  static final String LOOK =
      """
      SELECT
          state_id,
          lock_id,
          toUnixTimestamp(locked_at) AS newest,
          holder AS who,
          toUnixTimestamp(now()) AS clock
      FROM <claim_table>
      WHERE state_id IN (<state_ids>)
      """;

  private static final String AT_ONCE = "keeper_max_retries = 0";

  /** The same by somebody who claims, renews or releases. */
  static final String LOOK_AT_ONCE = LOOK + "SETTINGS " + AT_ONCE + "\n";

  static final String INSERT =
      """
      INSERT INTO <claim_table> (state_id, lock_id, holder, locked_at)
      SETTINGS
          async_insert = 0,
          keeper_map_strict_mode = 1,
          insert_keeper_max_retries = 0,
          keeper_max_retries = 0
      SELECT arrayJoin([<state_ids>]), :lock_id, :holder, now()
      """;

  static final String TAKE =
      """
      ALTER TABLE <claim_table>
      UPDATE lock_id = :lock_id, holder = :holder, locked_at = now()
      WHERE state_id IN (<state_ids>)
          AND (lock_id = '' OR locked_at < now() - toIntervalSecond(:stale))
      SETTINGS keeper_map_strict_mode = 1, insert_keeper_max_retries = 0, keeper_max_retries = 0
      """;

  /** What became stale stays so. */
  static final String RENEW =
      """
      ALTER TABLE <claim_table>
      UPDATE locked_at = now()
      WHERE state_id IN (<state_ids>) AND lock_id = :lock_id
          AND locked_at >= now() - toIntervalSecond(:stale)
      SETTINGS keeper_map_strict_mode = 1, insert_keeper_max_retries = 0, keeper_max_retries = 0
      """;

  static final String RELEASE =
      """
      ALTER TABLE <claim_table>
      UPDATE lock_id = '', holder = ''
      WHERE state_id IN (<state_ids>) AND lock_id = :lock_id
      SETTINGS keeper_map_strict_mode = 1, insert_keeper_max_retries = 0, keeper_max_retries = 0
      """;

  private static final String FRESH = "max(locked_at) >= now() - toIntervalSecond(:stale)\n";

  private static final String AND_CLAIMED =
      """
              AND lock_id IN
              (
                  SELECT lock_id
                  FROM <claim_table>
                  WHERE state_id = :lock AND lock_id = :lock_id
                      AND locked_at >= now() - toIntervalSecond(:stale)
              )
      """;

  private ClaimTableSql() {}

  /**
   * Gives a statement that asks for a holder's row, such as {@link LockTableSql#HELD}, for a holder
   * that claimed: both its row and its claim must be there and fresh.
   */
  static String andClaimed(String held) {
    if (!held.contains(FRESH)) {
      throw new IllegalArgumentException("the statement asks for no holder's row: " + held);
    }
    String claimed = held.replace(FRESH, FRESH + AND_CLAIMED);
    // One clause of settings a statement.
    return held.contains("SETTINGS")
        ? claimed
            .replace("async_insert = 0", "async_insert = 0, " + AT_ONCE)
            .replace("lightweight_deletes_sync = 2", "lightweight_deletes_sync = 2, " + AT_ONCE)
        : claimed + "SETTINGS " + AT_ONCE + "\n";
  }
}
