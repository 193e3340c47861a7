package dev.statectl.inmemory;

import dev.statectl.contract.RawRow;
import dev.statectl.contract.StateHistoryContract;
import dev.statectl.port.Backend;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;

class SnapshotHistoryContractTest extends StateHistoryContract {
  @TempDir private Path directory;
  private int opened;
  private InMemoryBackend backend = InMemoryBackend.create(Fixtures.CLOCK);

  @Override
  protected Backend openBackend() {
    backend = InMemoryBackend.open(directory.resolve(opened++ + "/state.json"), Fixtures.CLOCK);
    return backend;
  }

  @Override
  protected void plant(RawRow row) {
    backend.store().plant(Fixtures.row(row));
  }
}
