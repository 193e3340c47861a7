package dev.statectl.clickhouse;

import dev.statectl.contract.LockTableContract;
import dev.statectl.contract.RawLock;
import dev.statectl.port.Backend;

/** The contract of lock tables, on locks that Keeper gives. */
class KeeperLockContractTest extends LockTableContract {
  private final KeeperEngines engines = KeeperEngines.shared();
  private String schema = "";

  @Override
  protected Backend openBackend() {
    schema = KeeperEngines.freshSchema();
    return KeeperEngines.open(engines.first(), schema);
  }

  @Override
  protected void plant(RawLock row) {
    TestStores.plantLock(engines.first(), schema, row);
  }

  @Override
  protected boolean plantClaim(RawLock claim) {
    KeeperEngines.plantClaim(
        engines.first(), schema, claim.id(), claim.lockId(), claim.holder(), claim.ageSeconds());
    return true;
  }
}
