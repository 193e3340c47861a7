package dev.statectl.contract;

import dev.statectl.port.Backend;

class ReferenceClaimTableTest extends LockTableContract {
  private ReferenceStore store = new ReferenceStore();

  @Override
  protected Backend openBackend() {
    store = new ReferenceStore(new ReferenceClaimTable());
    return new ReferenceBackend(store);
  }

  @Override
  protected void plant(RawLock row) {
    store.locks.plant(row);
  }

  @Override
  protected boolean plantClaim(RawLock claim) {
    return store.locks.plantClaim(claim);
  }
}
