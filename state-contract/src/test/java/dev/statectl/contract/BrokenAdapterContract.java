package dev.statectl.contract;

import dev.statectl.port.Backend;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/** Runs the kit on the broken adapter that a configuration parameter names; see its name's end. */
@ExtendWith(BrokenAdapterContract.FromConfiguration.class)
class BrokenAdapterContract extends StateStoreContract {
  static final String RULE = "statectl.contract.broken-rule";

  private final BrokenAdapter.Hooks hooks;

  BrokenAdapterContract(BrokenAdapter adapter) {
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

  /** Gives the adapter under test to the constructor. */
  static final class FromConfiguration implements ParameterResolver {
    @Override
    public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
      return parameter.getParameter().getType() == BrokenAdapter.class;
    }

    @Override
    public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
      String rule = context.getConfigurationParameter(RULE).orElseThrow();
      return BrokenAdapters.all().filter(a -> a.rule().equals(rule)).findFirst().orElseThrow();
    }
  }
}
