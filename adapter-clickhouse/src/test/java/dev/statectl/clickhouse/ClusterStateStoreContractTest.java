package dev.statectl.clickhouse;

import dev.statectl.contract.RawRow;
import dev.statectl.contract.StateStoreContract;
import dev.statectl.port.Backend;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Each operation goes to the other of two replicas. */
@OnCluster
class ClusterStateStoreContractTest extends StateStoreContract {
  private @Nullable ReplicaPair replicas;

  @Override
  protected Backend openBackend() {
    ReplicaPair opened = ReplicaPair.ofCluster();
    replicas = opened;
    return opened.openBoth();
  }

  @Override
  protected void plant(RawRow row) {
    Objects.requireNonNull(replicas).plant(row);
  }
}
