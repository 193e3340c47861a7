package dev.statectl.clickhouse;

/**
 * The statements that ask on how many servers the tables are. They have no SETTINGS, and of what
 * they read only {@code system.clusters} needs a right.
 */
final class TopologySql {
  /** What every user may see. */
  static final String PLACE =
      """
      SELECT 'database' AS kind, name AS subject, engine AS value
      FROM system.databases
      WHERE name = :schema
      UNION ALL
      SELECT 'table', name, engine
      FROM system.tables
      WHERE database = :schema AND name IN (:table, :lock_table, :history_table)
      UNION ALL
      SELECT 'cloud', '', value
      FROM system.settings
      WHERE name = 'cloud_mode'
      """;

  /**
   * The clusters that the tables can be of when none is named: the one that is called so by
   * default, and the one that a database with the engine Replicated makes of itself. Others may be
   * examples of the server's own configuration.
   */
  static final String CLUSTERS =
      """
      SELECT
          cluster AS name,
          toInt64(uniqExact(shard_num)) AS shards,
          toInt64(max(replica_num)) AS replicas
      FROM system.clusters
      WHERE cluster IN ('default', :schema)
      GROUP BY cluster
      """;

  static final String CLUSTER =
      """
      SELECT
          cluster AS name,
          toInt64(uniqExact(shard_num)) AS shards,
          toInt64(max(replica_num)) AS replicas
      FROM system.clusters
      WHERE cluster = :cluster
      GROUP BY cluster
      """;

  /** Fails when the server has no such macro. */
  static final String CLUSTER_OF_MACRO =
      """
      SELECT
          cluster AS name,
          toInt64(uniqExact(shard_num)) AS shards,
          toInt64(max(replica_num)) AS replicas
      FROM system.clusters
      WHERE cluster = getMacro(:cluster)
      GROUP BY cluster
      """;

  /**
   * Where a replicated table keeps what it shares with its replicas, when a statement does not say.
   *
   * @see <a
   *     href="https://clickhouse.com/docs/operations/server-configuration-parameters/settings#default_replica_path">default_replica_path</a>
   */
  static final String DEFAULT_PATH =
      """
      SELECT value
      FROM system.server_settings
      WHERE name IN ('default_replica_path', 'default_replica_name')
      """;

  static final String MACRO =
      """
      SELECT getMacro(:macro) AS value
      """;

  private TopologySql() {}
}
