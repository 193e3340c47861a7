package dev.statectl.clickhouse;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.statectl.contract.RawLock;
import dev.statectl.json.JsonObject;
import dev.statectl.lock.LockTerms;
import dev.statectl.port.Backend;
import dev.statectl.port.HistoryRecord;
import dev.statectl.port.StateFailure;
import dev.statectl.port.StateStore;
import dev.statectl.port.StoredState;
import dev.statectl.state.State;
import dev.statectl.state.StateId;
import dev.statectl.usecase.AcquireLock;
import dev.statectl.usecase.LockMeans;
import dev.statectl.usecase.StateLock;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What holds for programs that use the same tables at two servers. */
abstract class ReplicaPairRules {
  static final StateId ID = StateId.of("dev:tap-a-to-b");

  private final ScheduledExecutorService timer = Executors.newScheduledThreadPool(2);
  private ReplicaPair replicas;
  private ClickHouseBackend first;
  private ClickHouseBackend second;

  /** Two places at which the same tables are met, where nothing was ever stored. */
  abstract ReplicaPair open();

  @BeforeEach
  void openBoth() {
    replicas = open();
    first = replicas.openFirst();
    second = replicas.openSecond();
  }

  @AfterEach
  void close() {
    first.close();
    second.close();
    timer.shutdownNow();
  }

  @Test
  void whatOneWroteTheOtherReadsAtOnce() {
    for (int n = 0; n < 50; n++) {
      Backend writer = n % 2 == 0 ? first : second;
      Backend reader = n % 2 == 0 ? second : first;
      writer.states().save(numbered(ID, n));
      assertThat(number(reader.states(), ID)).isEqualTo(n);
    }
  }

  @Test
  void whatOtherProgramsWriteIsReadAndHidesNothing() {
    StateId quiet = StateId.of("dev:quiet");
    first.states().save(numbered(quiet, 1));
    first.states().save(numbered(ID, 1));
    replicas.second().execute(inserted("'" + ID.text() + "', '{\"n\":2}', NULL, now64(3) + 1"));
    assertThat(number(first.states(), ID)).isEqualTo(2);
    replicas.second().execute("OPTIMIZE TABLE `" + replicas.schema() + "`.`state` FINAL");
    for (Backend backend : List.of(first, second)) {
      assertThat(number(backend.states(), ID)).isEqualTo(2);
      assertThat(number(backend.states(), quiet)).isEqualTo(1);
    }
  }

  @Test
  void aStateThatComesBackIsStoredAgain() {
    for (int n : new int[] {1, 2, 1, 2, 1}) {
      second.states().save(numbered(ID, n));
      first.states().saveAll(List.of(numbered(ID, n)));
      assertThat(number(second.states(), ID)).isEqualTo(n);
    }
  }

  @Test
  void whatOneDeletedTheOtherDoesNotFind() {
    first.states().save(numbered(ID, 1));
    assertThat(second.states().delete(ID)).isTrue();
    assertThat(first.states().find(ID)).isEmpty();
    assertThat(TestStores.ids(first.states(), "*")).isEmpty();
  }

  @Test
  void aLockThatIsHeldAtOneIsMetAtTheOther() {
    for (int round = 0; round < 5; round++) {
      StateLock lock = locks(first, Duration.ofSeconds(30), "holder at one").acquire(ID);
      assertThat(heldBy(second)).contains("holder at one");
      lock.close();
      locks(second, Duration.ofSeconds(30), "holder at the other").acquire(ID).close();
    }
  }

  @Test
  void aLockOfAProgramThatKnowsNothingOfReplicasIsMet() {
    first.states().save(numbered(ID, 1));
    replicas.plant(new RawLock(ID.text(), "4b1d4b5c-2b0e-4c8f-9f55-8f1f6d2f0c11", "", 1));
    assertThat(heldBy(first)).contains("4b1d4b5c");
    assertThat(heldBy(second)).contains("4b1d4b5c");
  }

  @Test
  void ofManyAtBothOneAtATimeHoldsTheLock() throws Exception {
    int workers = 6;
    int rounds = 8;
    first.states().save(numbered(ID, 0));
    ExecutorService threads = Executors.newFixedThreadPool(workers);
    try {
      List<Future<?>> running = new ArrayList<>();
      for (int worker = 0; worker < workers; worker++) {
        ClickHouseBackend backend = worker % 2 == 0 ? first : second;
        AcquireLock locks = locks(backend, Duration.ofSeconds(120), "worker " + worker);
        running.add(threads.submit(() -> count(backend.states(), locks, rounds)));
      }
      for (Future<?> future : running) {
        future.get();
      }
    } finally {
      threads.shutdownNow();
    }
    assertThat(number(first.states(), ID)).isEqualTo(workers * rounds);
    assertThat(number(second.states(), ID)).isEqualTo(workers * rounds);
  }

  @Test
  void historyHasEachSaveOnceWhicheverWasWrittenTo() {
    first.states().save(numbered(ID, 0));
    first.history().enable(Duration.ofDays(1));
    for (int n = 1; n <= 6; n++) {
      (n % 2 == 0 ? first : second).states().save(numbered(ID, n));
    }
    for (Backend backend : List.of(first, second)) {
      List<String> recorded = new ArrayList<>();
      backend.history().forEachRecord(ID, 10, record -> recorded.add(text(record)));
      assertThat(recorded.subList(0, 6))
          .containsExactly(
              "{\"n\":6}", "{\"n\":5}", "{\"n\":4}", "{\"n\":3}", "{\"n\":2}", "{\"n\":1}");
    }
  }

  private static String text(HistoryRecord record) {
    return record.state().orElseThrow() instanceof StoredState.Readable readable
        ? readable.state().completed().text()
        : "unreadable";
  }

  private String inserted(String values) {
    return "INSERT INTO `"
        + replicas.schema()
        + "`.`state` (state_id, completed_state, partial_state, updated_at)"
        + " SETTINGS async_insert = 0 VALUES ("
        + values
        + ")";
  }

  private String heldBy(Backend backend) {
    StateFailure.LockHeld held =
        catchThrowableOfType(
            StateFailure.LockHeld.class,
            () -> locks(backend, Duration.ZERO, "who comes later").acquire(ID).close());
    return held.getMessage();
  }

  private static void count(StateStore states, AcquireLock locks, int rounds) {
    for (int round = 0; round < rounds; round++) {
      locks.with(ID, lock -> states.save(numbered(ID, number(states, ID) + 1), lock.fence()));
    }
  }

  AcquireLock locks(Backend backend, Duration timeout, String holder) {
    return new AcquireLock(
        backend.locks(),
        LockTerms.DEFAULT.withTimeout(timeout),
        LockMeans.of(
            Clock.systemUTC(),
            RandomGenerator.getDefault(),
            System::nanoTime,
            duration -> Thread.sleep(duration.toMillis()),
            timer),
        holder);
  }

  static State numbered(StateId id, int n) {
    return State.of(id, JsonObject.parse("{\"n\":" + n + "}"), JsonObject.EMPTY);
  }

  static int number(StateStore states, StateId id) {
    String text = states.find(id).orElseThrow().completed().text();
    return Integer.parseInt(text.replaceAll("\\D", ""));
  }
}
