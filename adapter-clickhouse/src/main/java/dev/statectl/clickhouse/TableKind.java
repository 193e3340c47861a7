package dev.statectl.clickhouse;

/** What a table's engine makes of several servers. */
enum TableKind {
  /** This server alone has its rows. */
  PLAIN,
  /** Each replica has all rows, once they have arrived. */
  REPLICATED,
  /** All servers have the rows in one storage, as in ClickHouse Cloud. */
  SHARED
}
