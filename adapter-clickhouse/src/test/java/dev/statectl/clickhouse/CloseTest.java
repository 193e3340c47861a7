package dev.statectl.clickhouse;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.statectl.clickhouse.engine.TestClickHouse;
import dev.statectl.port.StateFailure;
import dev.statectl.port.StateStore;
import dev.statectl.state.StateId;
import dev.statectl.state.StateIdGlob;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

class CloseTest {
  private final TestClickHouse clickHouse = TestClickHouse.shared();
  private final String schema = clickHouse.freshSchema();
  private final String message =
      "the backend at "
          + clickHouse.endpoint().host()
          + ":"
          + clickHouse.endpoint().port()
          + " was closed";

  @Test
  void aClosedBackendDoesNothing() {
    ClickHouseBackend backend = TestStores.open(schema);
    StateStore store = backend.states();
    store.save(TestStores.state("a", "{}"));
    backend.close();
    backend.close();
    assertThat(backend.states()).isSameAs(store);
    assertClosed(() -> store.find(StateId.of("a")));
    assertClosed(() -> store.save(TestStores.state("a", "{}")));
    assertClosed(() -> store.saveAll(List.of(TestStores.state("a", "{}"))));
    assertClosed(() -> store.delete(StateId.of("a")));
    assertClosed(store::deleteAll);
    assertClosed(() -> TestStores.ids(store, "*"));
    assertClosed(() -> store.forEachState(StateIdGlob.ALL, state -> {}));
    assertThat(clickHouse.query("SELECT count() FROM " + schema + ".state")).isEqualTo("1");
  }

  @Test
  void aWalkUnderWayEnds() {
    ClickHouseBackend backend = TestStores.open(schema);
    StateStore store = backend.states();
    store.saveAll(
        IntStream.range(0, 1_000).mapToObj(i -> TestStores.state("id-" + i, "{}")).toList());
    assertClosed(() -> store.forEachId(StateIdGlob.ALL, id -> backend.close()));
  }

  @Test
  void operationsUnderWayEndAndLaterOnesSayThatItIsClosed() throws Exception {
    for (int round = 0; round < 10; round++) {
      ClickHouseBackend backend = TestStores.open(schema);
      StateStore store = backend.states();
      store.save(TestStores.state("a", "{}"));
      ExecutorService threads = Executors.newCachedThreadPool();
      List<Future<RuntimeException>> ends = new ArrayList<>();
      for (int thread = 0; thread < 6; thread++) {
        Runnable operation =
            thread % 2 == 0
                ? () -> store.find(StateId.of("a"))
                : () -> store.save(TestStores.state("a", "{}"));
        ends.add(threads.submit(() -> untilItFails(operation)));
      }
      Thread.sleep(20 + 10 * round);
      backend.close();
      for (Future<RuntimeException> end : ends) {
        RuntimeException failure = end.get(20, TimeUnit.SECONDS);
        if (!(failure instanceof StateFailure.OutcomeUnknown)) {
          assertThat(failure).isInstanceOf(IllegalStateException.class).hasMessage(message);
        }
      }
      assertThat(backend.openHandles()).isZero();
      assertClosed(() -> store.save(TestStores.state("a", "{}")));
      threads.shutdownNow();
    }
  }

  private static RuntimeException untilItFails(Runnable operation) {
    while (true) {
      try {
        operation.run();
      } catch (RuntimeException e) {
        return e;
      }
    }
  }

  private void assertClosed(ThrowingCallable call) {
    assertThatThrownBy(call).isInstanceOf(IllegalStateException.class).hasMessage(message);
  }
}
