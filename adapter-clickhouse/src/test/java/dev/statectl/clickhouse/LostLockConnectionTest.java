package dev.statectl.clickhouse;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.statectl.clickhouse.Relay.Cut;
import dev.statectl.clickhouse.engine.TestClickHouse;
import dev.statectl.lock.Fence;
import dev.statectl.lock.LockId;
import dev.statectl.lock.LockTerms;
import dev.statectl.port.LockTable;
import dev.statectl.port.StateFailure;
import dev.statectl.port.StateStore;
import dev.statectl.state.StateId;
import dev.statectl.usecase.AcquireLock;
import dev.statectl.usecase.LockMeans;
import java.time.Duration;
import java.time.Instant;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Answers about locks that get lost. */
class LostLockConnectionTest {
  private static final StateId ID = StateId.of("a");
  private static final LockId MINE = LockId.of(Instant.EPOCH, 1);
  private static final LockId NEXT = LockId.of(Instant.EPOCH, 2);
  private static final Duration STALE = Duration.ofSeconds(60);
  private static final Fence FENCE = new Fence(ID, MINE, STALE);

  private final TestClickHouse clickHouse = TestClickHouse.shared();
  private final String schema = clickHouse.freshSchema();
  private final Relay relay = Relay.to(clickHouse.endpoint());
  private final ClickHouseBackend backend =
      ClickHouseBackend.open(TestStores.settings(relay.endpoint(), schema));
  private final LockTable locks = backend.locks();
  private final StateStore store = backend.states();
  private final String place = " at 127.0.0.1:" + relay.endpoint().port();

  @BeforeEach
  void lockAndSave() {
    locks.announce(ID, MINE, "me");
    store.save(TestStores.state("a", "{\"n\":1}"));
    relay.clear();
  }

  @AfterEach
  void close() {
    backend.close();
    relay.close();
  }

  @Test
  void outcomeOfAnAnnouncementIsUnknownAndItIsNotMadeAgain() {
    relay.cut("INSERT", Cut.BEFORE_THE_REQUEST);
    assertUnknown(() -> locks.announce(ID, NEXT, "me"), "writing to " + schema + ".state_lock");
    assertThat(relay.lost()).isEqualTo(1);
    assertThat(locks.withdraw(ID, NEXT)).isFalse();
    assertThat(locks.look(ID)).extracting(c -> c.lockId()).containsExactly(MINE);
  }

  @Test
  void anAnnouncementWhoseAnswerIsLostIsFoundDone() {
    relay.cut("INSERT", Cut.BEFORE_THE_ANSWER);
    locks.announce(ID, NEXT, "me");
    assertThat(locks.look(ID)).extracting(c -> c.lockId()).containsExactly(MINE, NEXT);
  }

  @Test
  void aLockWhoseAnnouncementGotLostIsNotTakenAndLeavesNoRow() {
    StateId other = StateId.of("b");
    relay.cut("INSERT", Cut.BEFORE_THE_REQUEST);
    LockMeans means =
        new LockMeans(
            () -> NEXT, System::nanoTime, pause -> {}, () -> 0.5, (delay, task) -> () -> {});
    assertThatThrownBy(() -> new AcquireLock(locks, LockTerms.DEFAULT, means, "me").acquire(other))
        .isInstanceOf(StateFailure.Unavailable.class)
        .hasMessageStartingWith("the lock of 'b' was not taken: whether writing to ");
    assertThat(locks.look(other)).isEmpty();
  }

  @Test
  void outcomeOfARenewalIsUnknown() {
    relay.cut("INSERT", Cut.BEFORE_THE_ANSWER);
    assertUnknown(() -> locks.renew(ID, MINE, STALE), "writing to " + schema + ".state_lock");
  }

  @Test
  void aRenewalAndAWithdrawalThatGotLostOnceAreMadeAgain() {
    relay.cutNext("INSERT", Cut.BEFORE_THE_ANSWER);
    assertThat(locks.renew(ID, MINE, STALE)).isTrue();
    relay.cutNext("DELETE", Cut.BEFORE_THE_REQUEST);
    assertThat(locks.withdraw(ID, MINE)).isTrue();
    assertThat(locks.look(ID)).isEmpty();
  }

  @Test
  void outcomeOfARenewalIsUnknownWhenItCannotBeConfirmed() {
    relay.cut("SELECT lock_id", Cut.BEFORE_THE_ANSWER);
    assertUnconfirmed(() -> locks.renew(ID, MINE, STALE), "writing to " + schema + ".state_lock");
  }

  @Test
  void outcomeOfAWithdrawalIsUnknown() {
    relay.cut("DELETE", Cut.BEFORE_THE_ANSWER);
    assertUnknown(() -> locks.withdraw(ID, MINE), "deleting from " + schema + ".state_lock");
    relay.cut("nothing", Cut.BEFORE_THE_ANSWER);
    assertThat(locks.withdraw(ID, MINE)).isFalse();
  }

  @Test
  void outcomeOfASaveUnderALockIsUnknown() {
    relay.cut("INSERT", Cut.BEFORE_THE_REQUEST);
    assertUnknown(this::saveTwo, "writing to " + schema + ".state");
    assertThat(TestStores.completedOf(store, "a")).isEqualTo("{\"n\":1}");
  }

  @Test
  void aSaveUnderALockWhoseAnswerIsLostIsFoundDone() {
    relay.cut("INSERT", Cut.BEFORE_THE_ANSWER);
    saveTwo();
    assertThat(TestStores.completedOf(store, "a")).isEqualTo("{\"n\":2}");
    assertThat(relay.statements()).filteredOn(sql -> sql.startsWith("INSERT")).hasSize(1);
  }

  @Test
  void aSaveUnderALockThatTheServerSaysItWroteIsNotLookedBehind() {
    relay.cut("SELECT lock_id", Cut.BEFORE_THE_ANSWER);
    saveTwo();
    assertThat(relay.lost()).isZero();
    assertThat(TestStores.completedOf(store, "a")).isEqualTo("{\"n\":2}");
  }

  @Test
  void outcomeOfASaveUnderALockIsUnknownWhenItWroteNothingAndNobodyCanLook() {
    clickHouse.execute("TRUNCATE TABLE " + schema + ".state_lock");
    relay.cut("SELECT lock_id", Cut.BEFORE_THE_ANSWER);
    assertUnconfirmed(this::saveTwo, "writing to " + schema + ".state");
    assertThat(TestStores.completedOf(store, "a")).isEqualTo("{\"n\":1}");
  }

  @Test
  void outcomeOfADeleteUnderALockIsUnknown() {
    relay.cut("DELETE", Cut.BEFORE_THE_REQUEST);
    assertUnknown(() -> store.delete(ID, FENCE), "deleting from " + schema + ".state");
    assertThat(store.find(ID)).isPresent();
  }

  @Test
  void aDeleteUnderALockWhoseAnswerIsLostIsFoundDone() {
    relay.cut("DELETE", Cut.BEFORE_THE_ANSWER);
    assertThat(store.delete(ID, FENCE)).isTrue();
    assertThat(store.find(ID)).isEmpty();
  }

  @Test
  void outcomeOfADeleteUnderALockIsUnknownWhenItCannotBeConfirmed() {
    relay.cut("SELECT lock_id", Cut.BEFORE_THE_ANSWER);
    assertUnconfirmed(() -> store.delete(ID, FENCE), "deleting from " + schema + ".state");
    assertThat(store.find(ID)).isEmpty();
  }

  private void saveTwo() {
    store.save(TestStores.state("a", "{\"n\":2}"), FENCE);
  }

  private void assertUnknown(ThrowingCallable call, String what) {
    assertThatThrownBy(call)
        .isInstanceOf(StateFailure.OutcomeUnknown.class)
        .hasMessageStartingWith("whether " + what + place + " happened is unknown: the connection ")
        .hasMessageEndingWith("; look at what is stored before you repeat it");
  }

  private void assertUnconfirmed(ThrowingCallable call, String what) {
    assertThatThrownBy(call)
        .isInstanceOf(StateFailure.OutcomeUnknown.class)
        .hasMessageStartingWith(
            "whether "
                + what
                + place
                + " happened is unknown: cannot read "
                + schema
                + ".state_lock"
                + place
                + ": the connection was closed without an answer; ");
  }
}
