package dev.statectl.clickhouse;

/** The stores of a backend whose tables are taken for some kind, whatever they are. */
final class TestReplicas implements AutoCloseable {
  private final ClickHouseConnection connection;
  private final ClickHouseLockTable locks;
  private final ClickHouseStateStore states;

  TestReplicas(ClickHouseSettings settings, TableKind kind) {
    TableNames names = TableNames.of(settings);
    ClickHouseErrors errors = new ClickHouseErrors(settings, names);
    Backoff backoff = Backoff.ofMachine();
    ClickHouseConnection plain = ClickHouseConnection.open(settings, names, errors, backoff);
    connection =
        plain.consistent(
            new ReplicaConsistency(
                Consistency.AUTO, settings.requestTimeout(), placeholder -> kind));
    Topology topology = new Topology(plain, errors, settings, names);
    Definitions definitions = new Definitions(connection, topology, settings.requestTimeout());
    Tables tables = new Tables(connection, errors, definitions);
    Settlement settlement = new Settlement(backoff, settings.requestTimeout().dividedBy(2));
    locks =
        new ClickHouseLockTable(
            connection,
            errors,
            tables,
            new LockTableForm(plain, errors, tables, names),
            LockPeers.PLUGIN,
            settlement,
            new Claims(
                connection,
                errors,
                tables,
                topology,
                definitions,
                KeeperLocks.OFF,
                new ClaimedLocks()));
    states =
        new ClickHouseStateStore(
            connection,
            errors,
            tables,
            locks,
            new WriteComments(""),
            new HistoryRecorder(connection, new HistoryView(plain, errors, names), settlement, ""),
            settlement,
            new CheckpointClock(backoff.nanoTime()));
  }

  ClickHouseStateStore states() {
    return states;
  }

  ClickHouseLockTable locks() {
    return locks;
  }

  @Override
  public void close() {
    connection.close();
  }
}
