package dev.statectl.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.statectl.lock.Fence;
import dev.statectl.port.LockTable;
import dev.statectl.port.StateStore;
import dev.statectl.state.State;
import dev.statectl.state.StateIdGlob;
import java.util.LinkedHashMap;
import java.util.Map;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** What a backend's table of locks is before and after its close. */
abstract class LockBackendContract extends LockTopic {
  LockBackendContract(LockTableContract contract) {
    super(contract);
  }

  @Test
  @DisplayName("L-55 A backend gives the same table of locks at every call.")
  final void tableIsAlwaysTheSame() {
    assertThat(backend().locks()).as("the table at the second call").isSameAs(backend().locks());
  }

  @Test
  @DisplayName("L-56 After close every operation on locks fails with IllegalStateException.")
  final void closedTableRefusesEverything() {
    boolean arbiter = hasArbiter();
    Fence fence = announced(LOCK);
    LockTable table = locks();
    StateStore store = store();
    State state = state(LOCK, "{\"a\":1}");
    backend().close();

    Map<String, ThrowingCallable> operations = new LinkedHashMap<>();
    if (arbiter) {
      operations.put("claim", () -> table.claim(id(LOCK), ours(2), "alice", STALE_TIME));
      operations.put("claimant", () -> table.claimant(id(LOCK)));
    }
    operations.put("announce", () -> table.announce(id(LOCK), ours(2), "alice"));
    operations.put("look", () -> table.look(id(LOCK)));
    operations.put("renew", () -> table.renew(id(LOCK), ours(1), STALE_TIME));
    operations.put("withdraw", () -> table.withdraw(id(LOCK), ours(1)));
    operations.put("removeStale", () -> table.removeStale(id(LOCK), STALE_TIME));
    operations.put("forEach", () -> table.forEach(StateIdGlob.ALL, row -> {}));
    operations.put("save under a lock", () -> store.save(state, fence));
    operations.put("delete under a lock", () -> store.delete(state.id(), fence));
    operations.forEach(
        (name, operation) ->
            failure(IllegalStateException.class, name + " after close", operation));
  }
}
