package dev.statectl.clickhouse;

/** The statements that ask what there is to migrate, one constant a statement. */
final class MigrationSql {
  /** The tables and their copies; whoever may see a table may see this of it. */
  static final String TABLES =
      """
      SELECT
          name,
          engine,
          engine_full,
          toInt64(toUnixTimestamp(metadata_modification_time)) AS made
      FROM system.tables
      WHERE database = :schema AND name IN (<tables>)
      """;

  static final String COLUMNS =
      """
      SELECT table AS owner, name
      FROM system.columns
      WHERE database = :schema AND table IN (<tables>)
      ORDER BY table, position
      """;

  /**
   * The tables of each server, and of a server that has none the one that every server has. A
   * server that does not answer fails it.
   */
  static final String TABLES_OF_ALL =
      """
      SELECT
          concat(hostName(), ' (', toString(_shard_num), ')') AS server,
          name,
          engine,
          database
      FROM clusterAllReplicas(:cluster, system.tables) AS tables
      WHERE database = :schema AND name IN (<tables>) OR database = 'system' AND name = 'one'
      SETTINGS skip_unavailable_shards = 0
      """;

  /** For a statement that is made of what is there. */
  static final String STATEMENT = "<statement>";

  private MigrationSql() {}
}
