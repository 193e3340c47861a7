package dev.statectl.contract;

import dev.statectl.port.Backend;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * An adapter that breaks one rule.
 *
 * @param rule the number of the rule
 * @param message what the failure must say at least
 * @param alsoBroken other rules that cannot be kept when this one is broken in this way
 * @param hooks gives the hooks, for one test
 * @param contract runs the kit that has the rule on the adapter
 */
record BrokenAdapter(
    String rule, String message, Set<String> alsoBroken, Supplier<Hooks> hooks, Class<?> contract) {
  private static final String MUCH = "much";

  /** The hooks of an adapter's author, for one test. */
  static class Hooks {
    private final Supplier<ReferenceStore> stores;
    private final Function<ReferenceStore, Backend> backends;
    ReferenceStore store = new ReferenceStore();

    Hooks(Supplier<ReferenceStore> stores, Function<ReferenceStore, Backend> backends) {
      this.stores = stores;
      this.backends = backends;
    }

    Backend open() {
      store = stores.get();
      return backends.apply(store);
    }

    void plant(RawRow row) {
      store.plant(row);
    }

    void plant(RawLock row) {
      store.locks.plant(row);
    }

    boolean plantClaim(RawLock claim) {
      return store.locks.plantClaim(claim);
    }
  }

  /** An adapter that differs from the reference in its store. */
  static BrokenAdapter store(String rule, String message, Supplier<ReferenceStore> stores) {
    return hooks(rule, message, () -> new Hooks(stores, ReferenceBackend::new));
  }

  /** An adapter that differs from the reference in its table of locks. */
  static BrokenAdapter table(String rule, String message, Supplier<ReferenceLockTable> tables) {
    return store(rule, message, () -> new ReferenceStore(tables.get())).ofLocks();
  }

  /** An adapter that differs from the reference in its history. */
  static BrokenAdapter history(String rule, String message, Supplier<ReferenceHistory> histories) {
    return store(rule, message, () -> new ReferenceStore(histories.get())).ofHistory();
  }

  /** An adapter that differs from the reference in its backend. */
  static BrokenAdapter backend(
      String rule, String message, Function<ReferenceStore, Backend> backends) {
    return hooks(rule, message, () -> new Hooks(ReferenceStore::new, backends));
  }

  /** An adapter whose author wrote wrong hooks. */
  static BrokenAdapter hooks(String rule, String message, Supplier<Hooks> hooks) {
    return new BrokenAdapter(rule, message, Set.of(), hooks, BrokenAdapterContract.class);
  }

  BrokenAdapter alsoBreaking(String... rules) {
    return new BrokenAdapter(rule, message, Set.copyOf(List.of(rules)), hooks, contract);
  }

  /** For rules of the kit of locks. */
  BrokenAdapter ofLocks() {
    return new BrokenAdapter(rule, message, alsoBroken, hooks, BrokenLockTableContract.class);
  }

  /** For rules of the kit of history. */
  BrokenAdapter ofHistory() {
    return new BrokenAdapter(rule, message, alsoBroken, hooks, BrokenHistoryContract.class);
  }

  /** For what so many rules rest on that a list of them would say nothing. */
  BrokenAdapter breakingMuch() {
    return alsoBreaking(MUCH);
  }

  boolean breaksMuch() {
    return alsoBroken.contains(MUCH);
  }

  @Override
  public String toString() {
    return rule;
  }
}
