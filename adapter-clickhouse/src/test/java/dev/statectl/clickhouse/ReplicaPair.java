package dev.statectl.clickhouse;

import dev.statectl.clickhouse.engine.ClickHouseCluster;
import dev.statectl.clickhouse.engine.ClickHouseEndpoint;
import dev.statectl.clickhouse.engine.TestClickHouse;
import dev.statectl.contract.RawLock;
import dev.statectl.contract.RawRow;
import java.time.Duration;

/**
 * Two places at which the same tables are met, in a database of its own that does not exist yet.
 *
 * @param placement where what is planted is made
 * @param quorum how many servers have a row that was planted before the next statement
 */
record ReplicaPair(
    ClickHouseEndpoint first,
    ClickHouseEndpoint second,
    String schema,
    ReplicationSettings replication,
    Placement placement,
    int quorum) {

  /** One server, met twice: what two replicas must look like, and a trial of tests for them. */
  static ReplicaPair ofOneServer() {
    TestClickHouse server = TestClickHouse.shared();
    return new ReplicaPair(
        server.endpoint(),
        server.endpoint(),
        server.freshSchema(),
        ReplicationSettings.DEFAULT,
        Placement.PLAIN,
        0);
  }

  /** One server with a Keeper, which decides about locks, met twice. */
  static ReplicaPair ofOneServerWithKeeper() {
    ClickHouseEndpoint server = KeeperEngines.shared().first();
    return new ReplicaPair(
        server,
        server,
        KeeperEngines.freshSchema(),
        new ReplicationSettings("", Replicated.AUTO, Consistency.AUTO, KeeperLocks.ON),
        Placement.PLAIN,
        0);
  }

  /** The replicas of the cluster in containers, with all that statectl finds out by itself. */
  static ReplicaPair ofCluster() {
    ClickHouseCluster cluster = ClickHouseCluster.shared();
    return new ReplicaPair(
        cluster.first(),
        cluster.second(),
        KeeperEngines.freshSchema(),
        ReplicationSettings.DEFAULT,
        new Placement(ClickHouseCluster.NAME, true),
        2);
  }

  ClickHouseBackend openFirst() {
    return open(first);
  }

  ClickHouseBackend openSecond() {
    return open(second);
  }

  /** Opens what sends each operation to the replica that did not get the one before. */
  AcrossReplicas openBoth() {
    return new AcrossReplicas(openFirst(), openSecond());
  }

  private ClickHouseBackend open(ClickHouseEndpoint endpoint) {
    return ClickHouseBackend.open(settings(endpoint));
  }

  ClickHouseSettings settings(ClickHouseEndpoint endpoint) {
    return TestStores.settings(endpoint, schema).withReplication(replication);
  }

  /** Inserts a row of the state table as another program would, met by both from now on. */
  void plant(RawRow row) {
    first.execute(
        created(SchemaSql.CREATE),
        created(StateTableSql.CREATE),
        names().runIn("INSERT INTO <table> (state_id, completed_state, partial_state, updated_at)")
            + planted(
                TestStores.literal(row.id()),
                TestStores.literal(row.completed()),
                TestStores.literal(row.partial()),
                "fromUnixTimestamp64Milli(" + row.version().updatedAt().toEpochMilli() + ")"));
  }

  /** Inserts a row of the lock table as another program would, met by both from now on. */
  void plant(RawLock row) {
    first.execute(
        created(SchemaSql.CREATE),
        created(LockTableSql.CREATE),
        names().runIn("INSERT INTO <lock_table> (state_id, lock_id, locked_at, holder)")
            + planted(
                TestStores.literal(row.id()),
                TestStores.literal(row.lockId()),
                "now() - " + row.ageSeconds(),
                TestStores.literal(row.holder())));
  }

  /** Stores a claim in the place of any other. */
  void plantClaim(RawLock claim) {
    first.execute(
        created(SchemaSql.CREATE),
        created(ClaimTableSql.CREATE),
        names().runIn("INSERT INTO <claim_table> (state_id, lock_id, holder, locked_at)")
            + " SELECT "
            + String.join(
                ", ",
                TestStores.literal(claim.id()),
                TestStores.literal(claim.lockId()),
                TestStores.literal(claim.holder()),
                "now() - " + claim.ageSeconds()));
  }

  private String planted(String... values) {
    return " SETTINGS async_insert = 0, insert_quorum = "
        + quorum
        + " VALUES ("
        + String.join(", ", values)
        + ")";
  }

  private String created(String createSql) {
    return names().runIn(placement.in(createSql));
  }

  private TableNames names() {
    return TableNames.of(schema, "state");
  }

  /** Settings for who gives up after a time that a test can wait. */
  ClickHouseSettings impatient(ClickHouseEndpoint endpoint, Duration timeout) {
    return settings(endpoint).within(timeout, timeout);
  }
}
