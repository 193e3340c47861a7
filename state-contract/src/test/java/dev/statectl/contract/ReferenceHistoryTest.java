package dev.statectl.contract;

import dev.statectl.port.Backend;

class ReferenceHistoryTest extends StateHistoryContract {
  private ReferenceStore store = new ReferenceStore();

  @Override
  protected Backend openBackend() {
    store = new ReferenceStore();
    return new ReferenceBackend(store);
  }

  @Override
  protected void plant(RawRow row) {
    store.plant(row);
  }
}
