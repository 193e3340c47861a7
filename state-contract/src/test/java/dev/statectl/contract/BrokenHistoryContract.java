package dev.statectl.contract;

import dev.statectl.port.Backend;
import org.junit.jupiter.api.extension.ExtendWith;

/** Runs the kit of history on the broken adapter that a configuration parameter names. */
@ExtendWith(BrokenAdapterContract.FromConfiguration.class)
class BrokenHistoryContract extends StateHistoryContract {
  private final BrokenAdapter.Hooks hooks;

  BrokenHistoryContract(BrokenAdapter adapter) {
    this.hooks = adapter.hooks().get();
  }

  @Override
  protected Backend openBackend() {
    return hooks.open();
  }

  @Override
  protected void plant(RawRow row) {
    hooks.plant(row);
  }
}
