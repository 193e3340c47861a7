package dev.statectl.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.statectl.lock.Fence;
import dev.statectl.port.StateStore;
import dev.statectl.state.State;
import dev.statectl.state.StateIdGlob;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** What a backend is before and after its close. */
abstract class BackendContract extends ContractTopic {
  BackendContract(StateStoreContract contract) {
    super(contract);
  }

  @Test
  @DisplayName("S-66 A backend gives the same store at every call.")
  final void storeIsAlwaysTheSame() {
    assertThat(backend().states()).as("the store at the second call").isSameAs(backend().states());
  }

  @Test
  @DisplayName("S-67 A backend names its place: not blank, in one line, the same at every call.")
  final void targetNamesThePlace() {
    String target = backend().target();

    assertThat(target).as("the target").isNotBlank().doesNotContain("\n", "\r");
    store().save(state("dev:a", "{\"a\":1}"));
    assertThat(backend().target()).as("the target at the second call").isEqualTo(target);
  }

  @Test
  @DisplayName("S-68 After close every operation of the store fails with IllegalStateException.")
  final void closedStoreRefusesEverything() {
    StateStore store = store();
    State state = state("dev:a", "{\"a\":1}");
    store.save(state);
    Fence fence = announced("dev:lock");
    backend().close();

    Map<String, ThrowingCallable> operations = new LinkedHashMap<>();
    operations.put("find", () -> store.find(state.id()));
    operations.put("save", () -> store.save(state));
    operations.put("save under a lock", () -> store.save(state, fence));
    operations.put("saveAll", () -> store.saveAll(List.of(state)));
    operations.put("delete", () -> store.delete(state.id()));
    operations.put("delete under a lock", () -> store.delete(state.id(), fence));
    operations.put("deleteAll", store::deleteAll);
    operations.put("forEachId", () -> store.forEachId(StateIdGlob.ALL, id -> {}));
    operations.put("forEachState", () -> store.forEachState(StateIdGlob.ALL, s -> {}));
    operations.forEach(
        (name, operation) ->
            failure(IllegalStateException.class, name + " after close", operation));
  }

  @Test
  @DisplayName("S-69 Closing a backend again does nothing.")
  final void closingAgainDoesNothing() {
    store().save(state("dev:a", "{\"a\":1}"));
    backend().close();

    assertThat(catchThrowable(backend()::close)).as("what the second close threw").isNull();
  }

  @Test
  @DisplayName("S-73 A backend tells the time that the versions of its states are taken from.")
  final void timeIsThatOfVersions() {
    Instant before = backend().now().truncatedTo(ChronoUnit.MILLIS);
    Instant saved = store().save(state("dev:a", "{\"a\":1}")).updatedAt();
    Instant after = backend().now();

    assertThat(before).as("the backend's time before a save").isBeforeOrEqualTo(saved);
    assertThat(after).as("the backend's time after a save").isAfterOrEqualTo(saved);
  }
}
