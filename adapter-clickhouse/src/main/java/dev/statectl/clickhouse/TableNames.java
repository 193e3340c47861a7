package dev.statectl.clickhouse;

/**
 * The names of the two tables and of their database.
 *
 * @param schema the database of both tables
 * @param state the state table
 * @param lock the lock table
 */
record TableNames(Identifier schema, Identifier state, Identifier lock) {
  /** Gives the names that settings ask for. */
  static TableNames of(ClickHouseSettings settings) {
    return new TableNames(
        new Identifier(settings.schema()),
        new Identifier(settings.table()),
        new Identifier(settings.table() + "_lock"));
  }

  /** What stands for {@code <schema>} in statements. */
  String schemaSql() {
    return schema.quoted();
  }

  /** What stands for {@code <table>} in statements. */
  String stateSql() {
    return schema.quoted() + "." + state.quoted();
  }

  /** What stands for {@code <lock_table>} in statements. */
  String lockSql() {
    return schema.quoted() + "." + lock.quoted();
  }

  /** Puts the names into a statement that is shown and not run. */
  String shownIn(String sql) {
    return sql.strip()
        .replace("<schema>", schema.readable())
        .replace("<table>", schema.readable() + "." + state.readable())
        .replace("<lock_table>", schema.readable() + "." + lock.readable());
  }
}
