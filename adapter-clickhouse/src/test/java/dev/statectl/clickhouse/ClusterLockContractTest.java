package dev.statectl.clickhouse;

import dev.statectl.contract.LockTableContract;
import dev.statectl.contract.RawLock;
import dev.statectl.port.Backend;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Each operation goes to the other of two replicas. */
@OnCluster
class ClusterLockContractTest extends LockTableContract {
  private @Nullable ReplicaPair replicas;

  @Override
  protected Backend openBackend() {
    ReplicaPair opened = ReplicaPair.ofCluster();
    replicas = opened;
    return opened.openBoth();
  }

  @Override
  protected void plant(RawLock row) {
    Objects.requireNonNull(replicas).plant(row);
  }

  @Override
  protected boolean plantClaim(RawLock claim) {
    Objects.requireNonNull(replicas).plantClaim(claim);
    return true;
  }
}
