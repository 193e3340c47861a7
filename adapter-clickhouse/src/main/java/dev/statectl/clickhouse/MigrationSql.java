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

  /** For a statement that is made of what is there. */
  static final String STATEMENT = "<statement>";

  private MigrationSql() {}
}
