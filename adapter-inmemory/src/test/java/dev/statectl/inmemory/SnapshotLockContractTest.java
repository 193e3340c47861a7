package dev.statectl.inmemory;

import dev.statectl.contract.LockTableContract;
import dev.statectl.contract.RawLock;
import dev.statectl.port.Backend;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;

class SnapshotLockContractTest extends LockTableContract {
  @TempDir private Path directory;
  private int opened;
  private InMemoryBackend backend = InMemoryBackend.create(Fixtures.CLOCK);

  @Override
  protected Backend openBackend() {
    backend = InMemoryBackend.open(directory.resolve(opened++ + "/state.json"), Fixtures.CLOCK);
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
