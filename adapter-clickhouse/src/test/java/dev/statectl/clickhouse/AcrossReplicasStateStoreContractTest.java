package dev.statectl.clickhouse;

import dev.statectl.contract.RawRow;
import dev.statectl.contract.StateStoreContract;
import dev.statectl.port.Backend;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;

/** Each operation goes through the other of two backends, on one server. */
@Tag("across")
class AcrossReplicasStateStoreContractTest extends StateStoreContract {
  private @Nullable ReplicaPair replicas;

  @Override
  protected Backend openBackend() {
    ReplicaPair opened = ReplicaPair.ofOneServer();
    replicas = opened;
    return opened.openBoth();
  }

  @Override
  protected void plant(RawRow row) {
    Objects.requireNonNull(replicas).plant(row);
  }
}
