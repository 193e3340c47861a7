package dev.statectl.inmemory;

import dev.statectl.contract.RawRow;
import dev.statectl.contract.StateHistoryContract;
import dev.statectl.port.Backend;

class InMemoryHistoryContractTest extends StateHistoryContract {
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
