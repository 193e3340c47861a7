package dev.statectl.clickhouse;

import java.util.function.Supplier;

/**
 * Knows whether the two tables exist, and makes them. They are looked for only after a statement
 * did not find them, and made only when they are not there: so a user who may not create them works
 * on those that exist, and one who may only read is not refused. Thread-safe.
 */
final class Tables {
  private final ClickHouseConnection connection;
  private final ClickHouseErrors errors;
  private final Definitions definitions;

  Tables(ClickHouseConnection connection, ClickHouseErrors errors, Definitions definitions) {
    this.connection = connection;
    this.errors = errors;
    this.definitions = definitions;
  }

  /** Runs a read of the state table; gives the other value when there is none. */
  <T> T read(Supplier<T> read, T withoutTable) {
    return read(StateTableSql.EXISTS, read, withoutTable);
  }

  /** Runs a read of the lock table; gives the other value when there is none. */
  <T> T readLocks(Supplier<T> read, T withoutTable) {
    return read(LockTableSql.EXISTS, read, withoutTable);
  }

  private <T> T read(String exists, Supplier<T> read, T withoutTable) {
    try {
      return read.get();
    } catch (TableMissingException e) {
      return exists(exists) ? again(read) : withoutTable;
    }
  }

  /** Runs the read that comes before a write; makes the tables when there is no state table. */
  <T> T readForWriting(Supplier<T> read) {
    try {
      return read.get();
    } catch (TableMissingException e) {
      create();
      return again(read);
    }
  }

  private static <T> T again(Supplier<T> read) {
    try {
      return read.get();
    } catch (TableMissingException e) {
      throw e.failure();
    }
  }

  /**
   * Makes what is missing of the database and the two tables. The state table comes last: its
   * absence is what leads a write here again, should something be refused.
   */
  void create() {
    definitions.require(StateTableSql.CREATE);
    if (!exists(SchemaSql.EXISTS)) {
      definitions.run(Operation.CREATE_DATABASE, SchemaSql.CREATE);
    }
    if (!exists(LockTableSql.EXISTS)) {
      definitions.run(Operation.CREATE_TABLE, LockTableSql.CREATE);
    }
    if (!exists(StateTableSql.EXISTS)) {
      definitions.run(Operation.CREATE_TABLE, StateTableSql.CREATE);
    }
  }

  private boolean exists(String sql) {
    try {
      return connection
          .first(Operation.READ, sql, query -> {}, (row, context) -> row.getInt(1) == 1)
          .orElse(false);
    } catch (TableMissingException e) {
      // It asks for nothing that could be missing but the database that the user connects to.
      throw errors.unknownDatabase(e);
    }
  }
}
