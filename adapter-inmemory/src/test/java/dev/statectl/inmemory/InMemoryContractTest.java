package dev.statectl.inmemory;

import dev.statectl.contract.RawRow;
import dev.statectl.contract.StateStoreContract;
import dev.statectl.port.Backend;

class InMemoryContractTest extends StateStoreContract {
  private InMemoryBackend backend = InMemoryBackend.create(Fixtures.CLOCK);

  @Override
  protected Backend openBackend() {
    backend = InMemoryBackend.create(Fixtures.CLOCK);
    return backend;
  }

  @Override
  protected void plant(RawRow row) {
    backend.store().plant(Fixtures.row(row));
  }
}
