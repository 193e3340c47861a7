package dev.statectl.clickhouse;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.statectl.clickhouse.Relay.Cut;
import dev.statectl.clickhouse.engine.TestClickHouse;
import dev.statectl.json.JsonObject;
import dev.statectl.lock.LockId;
import dev.statectl.lock.LockTerms;
import dev.statectl.port.StateFailure;
import dev.statectl.state.State;
import dev.statectl.state.StateId;
import dev.statectl.state.StateVersion;
import dev.statectl.usecase.AcquireLock;
import dev.statectl.usecase.LockMeans;
import dev.statectl.usecase.StateSession;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * What a session sends to the server, in a time that the test moves, and over a line that breaks.
 */
class SessionTest {
  private static final StateId ID = StateId.of("dev:tap-to-target");
  private static final Duration INTERVAL = Duration.ofMillis(100);

  private record Task(long at, Runnable run) {}

  private final TestClickHouse clickHouse = TestClickHouse.shared();
  private final String schema = clickHouse.freshSchema();
  private final Relay relay = Relay.to(clickHouse.endpoint());
  private final ClickHouseBackend backend =
      ClickHouseBackend.open(TestStores.settings(relay.endpoint(), schema));
  private final List<Task> due = new ArrayList<>();
  private long nanos;
  private int ids;

  @AfterEach
  void close() {
    backend.close();
    relay.close();
  }

  @Test
  void aThousandCheckpointsOfASecondAreElevenFencedInsertsAndOneLock() {
    StateSession session = open();
    relay.clear();
    for (int n = 1; n <= 1_000; n++) {
      save(session, n);
      pass(Duration.ofMillis(1));
    }
    session.close();

    assertThat(relay.statements())
        .filteredOn(sql -> sql.startsWith("INSERT"))
        .hasSize(11)
        .allSatisfy(sql -> assertThat(sql).contains("state_lock").contains("locked_at) >= now()"));
    assertThat(relay.statements())
        .filteredOn(sql -> sql.startsWith("DELETE"))
        .as("the release")
        .hasSize(1);
    assertThat(relay.statements()).hasSizeLessThanOrEqualTo(40);
    assertThat(stored()).isEqualTo("{\"n\":1000}");
    assertThat(backend.locks().look(ID)).isEmpty();
  }

  @Test
  void whatTheServerDidNotGetWhileItWasAwayIsStoredWhenItIsBack() {
    StateSession session = open();
    CompletableFuture<StateVersion> first = save(session, 1);
    pass(Duration.ZERO);
    relay.cut("", Cut.BEFORE_THE_REQUEST);
    CompletableFuture<StateVersion> second = save(session, 2);
    pass(INTERVAL);

    assertThat(first).isCompleted();
    assertThat(second).isNotDone();
    assertThatThrownBy(() -> save(session, 3))
        .isInstanceOf(StateFailure.class)
        .hasMessageStartingWith(
            "the checkpoint was not accepted: 1 accepted checkpoint of 'dev:tap-to-target' is ");
    relay.cut("nothing", Cut.BEFORE_THE_REQUEST);
    assertThat(stored()).isEqualTo("{\"n\":1}");
    pass(Duration.ofSeconds(1));
    assertThat(stored()).isEqualTo("{\"n\":2}");
    assertThat(second.join()).isGreaterThan(first.join());
    save(session, 4);
    session.close();
    assertThat(stored()).isEqualTo("{\"n\":4}");
  }

  @Test
  void aWriteOfUnknownOutcomeIsMadeAgain() {
    StateSession session = open();
    relay.cut("INSERT", Cut.BEFORE_THE_REQUEST);
    CompletableFuture<StateVersion> first = save(session, 1);
    pass(Duration.ZERO);

    assertThatThrownBy(() -> save(session, 2))
        .isInstanceOf(StateFailure.OutcomeUnknown.class)
        .hasMessageStartingWith(
            "the checkpoint was not accepted: 1 accepted checkpoint of 'dev:tap-to-target' is"
                + " perhaps not stored yet: whether writing to "
                + schema
                + ".state at ");
    relay.cut("nothing", Cut.BEFORE_THE_REQUEST);
    pass(Duration.ofSeconds(1));
    assertThat(first).isCompleted();
    session.close();
    assertThat(stored()).isEqualTo("{\"n\":1}");
  }

  @Test
  void aLineThatStaysDeadIsToldByCloseWhichNamesWhatIsNotStored() {
    StateSession session = open();
    CompletableFuture<StateVersion> first = save(session, 1);
    relay.cut("INSERT", Cut.BEFORE_THE_REQUEST);

    assertThatThrownBy(session::close)
        .isInstanceOf(StateFailure.OutcomeUnknown.class)
        .hasMessageStartingWith(
            "1 accepted checkpoint of 'dev:tap-to-target' is perhaps not stored: whether writing to "
                + schema
                + ".state at ");
    assertThat(first).isCompletedExceptionally();
    assertThat(backend.states().find(ID)).isEmpty();
    assertThat(backend.locks().look(ID)).isEmpty();
  }

  @Test
  void closeFromAnInterruptedThreadStoresTheRestAndLetsGoOfTheLock() {
    StateSession session = open();
    save(session, 1);
    Thread.currentThread().interrupt();
    session.close();

    assertThat(Thread.interrupted()).isTrue();
    assertThat(stored()).isEqualTo("{\"n\":1}");
    assertThat(backend.locks().look(ID)).isEmpty();
  }

  private StateSession open() {
    LockMeans means =
        new LockMeans(
            () -> LockId.of(Instant.now(), ids++),
            () -> nanos,
            duration -> nanos += duration.toNanos(),
            () -> 0.5,
            (delay, run) -> {
              Task task = new Task(nanos + delay.toNanos(), run);
              due.add(task);
              return () -> due.remove(task);
            });
    AcquireLock locks = new AcquireLock(backend.locks(), LockTerms.DEFAULT, means, "the test");
    return StateSession.open(ID, backend.states(), locks, INTERVAL, means);
  }

  private void pass(Duration duration) {
    nanos += duration.toNanos();
    List<Task> now = due.stream().filter(task -> task.at() <= nanos).toList();
    due.removeAll(now);
    now.forEach(task -> task.run().run());
  }

  private static CompletableFuture<StateVersion> save(StateSession session, int n) {
    JsonObject completed = JsonObject.parse("{\"n\":" + n + "}");
    return session.save(State.of(ID, completed, JsonObject.EMPTY));
  }

  private String stored() {
    return TestStores.completedOf(backend.states(), ID.text());
  }
}
