package dev.statectl.usecase;

import dev.statectl.port.Backend;
import dev.statectl.port.Migration;
import dev.statectl.port.MigrationPlan;
import dev.statectl.port.MigrationStep;
import dev.statectl.port.StateFailure;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Brings a store to another form, with all that is in it, step by step. Thread-safe if the backend
 * is.
 */
public final class MigrateStore {
  private final Backend backend;

  /**
   * Makes the use case.
   *
   * @param backend the store
   */
  public MigrateStore(Backend backend) {
    this.backend = backend;
  }

  /**
   * Plans to replicate what a store with several servers holds on each of them apart. Changes
   * nothing.
   *
   * @return the plan; without steps when the store is replicated; empty for a store that cannot
   *     have several servers
   * @throws StateFailure as {@link Migration#toReplicated()} does
   * @throws IllegalStateException when the backend was closed
   */
  public Optional<MigrationPlan> planReplicated() {
    return backend.migration().map(Migration::toReplicated);
  }

  /**
   * Carries a plan out. When a step fails, what comes after it is not begun; a new plan has what is
   * left.
   *
   * @param plan a plan of this store
   * @param begun is told each step before it is begun
   * @throws StateFailure as {@link Migration#run} does
   * @throws IllegalArgumentException when the store has no migrations
   * @throws IllegalStateException when the backend was closed
   */
  public void run(MigrationPlan plan, Consumer<? super MigrationStep> begun) {
    Migration migration =
        backend
            .migration()
            .orElseThrow(() -> new IllegalArgumentException("no plan of " + backend.target()));
    for (MigrationStep step : plan.steps()) {
      begun.accept(step);
      migration.run(step);
    }
  }
}
