package dev.statectl.clickhouse;

import dev.statectl.clickhouse.engine.TestClickHouse;
import dev.statectl.contract.LockTableContract;
import dev.statectl.contract.RawLock;
import dev.statectl.port.Backend;

/**
 * The contract of lock tables, on locks that are released by rows that say so, where the plugin
 * never comes.
 */
class ReleasedRowsLockContractTest extends LockTableContract {
  private String schema = "";

  @Override
  protected Backend openBackend() {
    schema = TestClickHouse.shared().freshSchema();
    return TestStores.open(schema, LockPeers.NONE);
  }

  @Override
  protected void plant(RawLock row) {
    TestStores.plantLock(schema, row);
  }
}
