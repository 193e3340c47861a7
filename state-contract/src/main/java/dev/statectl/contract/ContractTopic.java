package dev.statectl.contract;

import dev.statectl.state.StateVersion;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** What the rules of one topic of the store share: the hook that plants rows, and versions. */
abstract class ContractTopic extends BackendTopic {
  /** Before every save that a test makes. */
  static final StateVersion PAST = version("2020-02-03T04:05:06.789Z");

  /** After every save that a test makes, as when the store's clock was set back since. */
  static final StateVersion FUTURE = version("2200-02-03T04:05:06.789Z");

  private final StateStoreContract contract;

  ContractTopic(StateStoreContract contract) {
    super(contract.opened);
    this.contract = contract;
  }

  final void plant(String id, @Nullable String completed, @Nullable String partial) {
    plant(id, completed, partial, PAST);
  }

  final void plant(
      String id, @Nullable String completed, @Nullable String partial, StateVersion version) {
    contract.plantChecked(new RawRow(id, completed, partial, version));
  }

  static StateVersion version(String instant) {
    return new StateVersion(Instant.parse(instant));
  }
}
