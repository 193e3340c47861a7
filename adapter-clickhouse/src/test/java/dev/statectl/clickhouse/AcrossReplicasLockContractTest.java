package dev.statectl.clickhouse;

import dev.statectl.contract.LockTableContract;
import dev.statectl.contract.RawLock;
import dev.statectl.port.Backend;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;

/** Each operation goes through the other of two backends, on one server with a Keeper. */
@Tag("across")
class AcrossReplicasLockContractTest extends LockTableContract {
  private @Nullable ReplicaPair replicas;

  @Override
  protected Backend openBackend() {
    ReplicaPair opened = ReplicaPair.ofOneServerWithKeeper();
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
