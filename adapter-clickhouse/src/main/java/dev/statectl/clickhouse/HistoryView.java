package dev.statectl.clickhouse;

/** The view that records history: whether it is there. Thread-safe. */
final class HistoryView {
  private final ClickHouseConnection connection;
  private final ClickHouseErrors errors;
  private final TableNames names;

  HistoryView(ClickHouseConnection connection, ClickHouseErrors errors, TableNames names) {
    this.connection = connection;
    this.errors = errors;
    this.names = names;
  }

  /** Tells whether every insert into the state table passes through it; asked anew each time. */
  boolean isThere() {
    try {
      return connection
              .first(
                  Operation.READ,
                  HistorySql.VIEW_READS_STATES,
                  query ->
                      query
                          .bind("schema", names.schema().text())
                          .bind("table", names.state().text())
                          .bind("history_view", names.historyView().text()),
                  (row, context) -> row.getLong("views"))
              .orElseThrow()
          > 0;
    } catch (TableMissingException e) {
      // It asks for nothing that could be missing but the database that the user connects to.
      throw errors.unknownDatabase(e);
    }
  }
}
