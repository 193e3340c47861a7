package dev.statectl.contract;

import dev.statectl.port.Backend;
import org.junit.jupiter.api.extension.ExtendWith;

/** Runs the kit of locks on the broken adapter that a configuration parameter names. */
@ExtendWith(BrokenAdapterContract.FromConfiguration.class)
class BrokenLockTableContract extends LockTableContract {
  private final BrokenAdapter.Hooks hooks;

  BrokenLockTableContract(BrokenAdapter adapter) {
    this.hooks = adapter.hooks().get();
  }

  @Override
  protected Backend openBackend() {
    return hooks.open();
  }

  @Override
  protected void plant(RawLock row) {
    hooks.plant(row);
  }

  @Override
  protected boolean plantClaim(RawLock claim) {
    return hooks.plantClaim(claim);
  }
}
