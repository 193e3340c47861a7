package dev.statectl.inmemory;

import dev.statectl.contract.LockTableContract;
import dev.statectl.contract.RawLock;
import dev.statectl.port.Backend;

class InMemoryLockContractTest extends LockTableContract {
  private InMemoryBackend backend = InMemoryBackend.create(Fixtures.CLOCK);

  @Override
  protected Backend openBackend() {
    backend = InMemoryBackend.create(Fixtures.CLOCK);
    return backend;
  }

  @Override
  protected void plant(RawLock row) {
    Fixtures.plant(backend, row);
  }

  @Override
  protected boolean plantClaim(RawLock claim) {
    return Fixtures.plantClaim(backend, claim);
  }
}
