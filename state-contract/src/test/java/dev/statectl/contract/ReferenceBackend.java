package dev.statectl.contract;

import dev.statectl.port.Backend;
import dev.statectl.port.LockTable;
import dev.statectl.port.StateHistory;
import dev.statectl.port.StateStore;
import java.time.Instant;

/** The plainest backend, around one store. */
class ReferenceBackend implements Backend {
  final ReferenceStore store;

  ReferenceBackend(ReferenceStore store) {
    this.store = store;
  }

  @Override
  public StateStore states() {
    return store;
  }

  @Override
  public LockTable locks() {
    return store.locks;
  }

  @Override
  public StateHistory history() {
    return store.history;
  }

  @Override
  public String target() {
    return "memory";
  }

  @Override
  public Instant now() {
    store.checkOpen();
    return ReferenceStore.NOW;
  }

  @Override
  public void close() {
    store.close();
  }
}
