package dev.statectl.clickhouse;

/**
 * The statements about the database of the two tables. {@code <schema>} is its quoted name, and
 * {@link Placement} knows the rest.
 */
final class SchemaSql {
  static final String EXISTS =
      """
      EXISTS DATABASE <schema>
      """;

  static final String CREATE =
      """
      CREATE DATABASE IF NOT EXISTS <schema><on_cluster>
      """;

  private SchemaSql() {}
}
