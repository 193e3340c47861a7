package dev.statectl.contract;

import dev.statectl.port.Backend;

class ReferenceLockTableTest extends LockTableContract {
  private ReferenceStore store = new ReferenceStore();

  @Override
  protected Backend openBackend() {
    store = new ReferenceStore();
    return new ReferenceBackend(store);
  }

  @Override
  protected void plant(RawLock row) {
    store.locks.plant(row);
  }
}
