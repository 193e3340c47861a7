package dev.statectl.clickhouse;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.statectl.clickhouse.engine.TestClickHouse;
import dev.statectl.lock.Fence;
import dev.statectl.lock.LockId;
import dev.statectl.port.StateFailure;
import dev.statectl.port.StateStore;
import dev.statectl.state.State;
import dev.statectl.state.StateId;
import dev.statectl.state.StateVersion;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What many writes of one id under one lock cost, and that they are as safe as one. */
class CheckpointsTest {
  private static final StateId ID = StateId.of("a");
  private static final LockId MINE = LockId.of(Instant.parse("2026-01-02T03:04:05Z"), 6);
  private static final Fence FENCE = new Fence(ID, MINE, Duration.ofSeconds(60));

  private final TestClickHouse clickHouse = TestClickHouse.shared();
  private final String schema = clickHouse.freshSchema();
  private final Relay relay = Relay.to(clickHouse.endpoint());
  private final AtomicLong nanos = new AtomicLong();
  private final ClickHouseBackend backend =
      ClickHouseBackend.open(
          TestStores.settings(relay.endpoint(), schema),
          LockPeers.PLUGIN,
          "",
          new Backoff(() -> 0, duration -> nanos.addAndGet(duration.toNanos()), nanos::get));
  private final StateStore store = backend.states();
  private int written;

  @BeforeEach
  void lock() {
    backend.locks().announce(ID, MINE, "me");
    save();
  }

  @AfterEach
  void close() {
    backend.close();
    relay.close();
  }

  private StateVersion save() {
    return store.save(state(++written), FENCE);
  }

  private static State state(int n) {
    return TestStores.state("a", "{\"n\":" + n + "}");
  }

  private List<String> statementsOf(Runnable work) {
    int before = relay.statements().size();
    work.run();
    return relay.statements().stream()
        .skip(before)
        .map(sql -> sql.split("[\n(]")[0].strip())
        .toList();
  }

  @Test
  void aCheckpointAfterTheFirstIsOneStatement() {
    String insert = "INSERT INTO \"" + schema + "\".\"state\"";
    assertThat(
            statementsOf(
                () -> {
                  save();
                  save();
                  save();
                }))
        .containsExactly(insert, insert, insert);
    assertThat(store.find(ID).orElseThrow().merged().text()).isEqualTo("{\"n\":" + written + "}");
  }

  @Test
  void onceASecondItLooksAtWhatIsStored() {
    nanos.addAndGet(Duration.ofSeconds(1).toNanos());
    assertThat(statementsOf(this::save)).hasSize(2).first().isEqualTo("SELECT");
  }

  @Test
  void eachHasANewerVersionThanTheOneBefore() {
    List<Instant> versions = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      versions.add(save().updatedAt());
    }
    assertThat(versions).doesNotHaveDuplicates().isSorted();
    assertThat(store.find(ID).orElseThrow().version().updatedAt()).isEqualTo(versions.get(19));
  }

  @Test
  void whoComesAfterTheLockIsNewer() {
    StateVersion last = save();
    backend.locks().withdraw(ID, MINE);
    StateVersion after = store.save(state(99));
    assertThat(after.updatedAt()).isAfter(last.updatedAt());
    assertThat(store.find(ID).orElseThrow().merged().text()).isEqualTo("{\"n\":99}");
  }

  @Test
  void aLostLockShowsAtTheNextCheckpoint() {
    backend.locks().withdraw(ID, MINE);
    assertThatThrownBy(this::save)
        .isInstanceOf(StateFailure.LockLost.class)
        .hasMessageContaining("nothing was changed");
    assertThat(store.find(ID).orElseThrow().merged().text()).isEqualTo("{\"n\":1}");
  }

  @Test
  void whatWasNotWrittenIsNotStoredBecauseTheLockIsThereAgain() {
    try (ClickHouseBackend other = TestStores.open(schema)) {
      relay.holdNext(
          "INSERT INTO \"" + schema + "\".\"state\"",
          () -> {
            other.locks().withdraw(ID, MINE);
            relay.holdNext("SELECT lock_id", () -> other.locks().announce(ID, MINE, "me"));
          });
      assertThatThrownBy(this::save)
          .isInstanceOf(StateFailure.OutcomeUnknown.class)
          .hasMessage(
              "whether a state was written under the lock of 'a' is unknown: the server did not say"
                  + " so, and it is not there; look at what is stored before you repeat it");
    }
    assertThat(store.find(ID).orElseThrow().merged().text()).isEqualTo("{\"n\":1}");
  }

  @Test
  void afterALossOneLooksAgain() {
    backend.locks().withdraw(ID, MINE);
    assertThatThrownBy(this::save).isInstanceOf(StateFailure.LockLost.class);
    backend.locks().announce(ID, MINE, "me");
    assertThat(statementsOf(this::save)).hasSize(2).first().isEqualTo("SELECT");
  }

  @Test
  void aRowThatSomebodyWritesPastTheLockNeverHidesACheckpoint() {
    Instant future = Instant.parse("2250-01-01T00:00:00Z");
    TestStores.plant(schema, "'a'", "'{\"n\":0}'", "NULL", future.toEpochMilli());
    assertThat(save().updatedAt()).isEqualTo(future.plusMillis(1));
    assertThat(save().updatedAt()).isEqualTo(future.plusMillis(2));
    assertThat(store.find(ID).orElseThrow().merged().text()).isEqualTo("{\"n\":3}");
  }

  @Test
  void savesWithAndWithoutALockTakeTurnsAndTheLastOneWins() {
    for (int i = 0; i < 20; i++) {
      store.save(state(1000 + i));
      save();
      assertThat(store.find(ID).orElseThrow().merged().text()).isEqualTo("{\"n\":" + written + "}");
      store.save(state(2000 + i));
      assertThat(store.find(ID).orElseThrow().merged().text())
          .isEqualTo("{\"n\":" + (2000 + i) + "}");
    }
  }

  @Test
  void aHolderOfTheSameLockElsewhereIsNotHidden() {
    try (ClickHouseBackend other = TestStores.open(schema)) {
      for (int i = 0; i < 20; i++) {
        save();
        other.states().save(state(1000 + i), FENCE);
        assertThat(store.find(ID).orElseThrow().merged().text())
            .isEqualTo("{\"n\":" + (1000 + i) + "}");
      }
    }
  }

  @Test
  void anotherIdUnderTheSameLockHasAClockOfItsOwn() {
    store.save(TestStores.state("b", "{}"), FENCE);
    assertThat(
            statementsOf(
                () -> {
                  save();
                  store.save(TestStores.state("b", "{}"), FENCE);
                }))
        .hasSize(2);
  }
}
