package dev.statectl.clickhouse;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.statectl.clickhouse.engine.TestClickHouse;
import dev.statectl.lock.LockId;
import dev.statectl.port.StateFailure;
import dev.statectl.state.StateId;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** How often a request is sent, and for how long it is waited for. */
class TransportTest {
  private static final Duration PATIENCE = Duration.ofSeconds(2);

  private final TestClickHouse clickHouse = TestClickHouse.shared();
  private final String schema = clickHouse.freshSchema();
  private final FaultProxy proxy = FaultProxy.to(clickHouse.endpoint(), PATIENCE, 1);
  private final List<Duration> pauses = new ArrayList<>();
  private final ClickHouseBackend backend =
      ClickHouseBackend.open(
          TestStores.settings(proxy.endpoint(), schema).within(PATIENCE, PATIENCE),
          LockPeers.PLUGIN,
          "",
          new Backoff(() -> 0.5, pauses::add, System::nanoTime));

  @BeforeEach
  void makeTables() {
    backend.states().save(TestStores.state("a", "{}"));
    backend.locks().announce(StateId.of("a"), LockId.of(Instant.EPOCH, 1), "me");
  }

  @AfterEach
  void close() {
    backend.close();
    proxy.close();
  }

  @ParameterizedTest
  @EnumSource(
      value = Fault.class,
      names = {"DELAY", "TRICKLE", "STALL_BEFORE_THE_REQUEST", "STALL_BEFORE_THE_ANSWER"},
      mode = EnumSource.Mode.EXCLUDE)
  void theDriverSendsAWriteOnce(Fault fault) {
    proxy.order(fault, 0, 100);
    Throwable failure =
        catchThrowable(
            () ->
                backend.locks().announce(StateId.of("b"), LockId.of(Instant.EPOCH, 2), "somebody"));
    assertThat(failure).isInstanceOf(StateFailure.OutcomeUnknown.class);
    assertThat(proxy.relent()).filteredOn(a -> a.sql().startsWith("INSERT")).hasSize(1);
  }

  @ParameterizedTest
  @EnumSource(
      value = Fault.class,
      names = {
        "CUT_BEFORE_THE_REQUEST",
        "CUT_IN_THE_REQUEST",
        "CUT_BEFORE_THE_ANSWER",
        "CUT_IN_THE_ANSWER",
        "GARBAGE",
        "GARBAGE_IN_HTTP",
        "PAGE_502",
        "PAGE_503",
        "PAGE_503_LATE"
      })
  void aReadIsSentAgainAfterAFaultThatMayPass(Fault fault) {
    proxy.order(fault, 0, 3);
    assertThat(backend.states().find(StateId.of("a"))).isPresent();
    assertThat(proxy.relent()).hasSize(4);
    assertThat(pauses)
        .containsExactly(Duration.ofMillis(75), Duration.ofMillis(150), Duration.ofMillis(300));
  }

  @ParameterizedTest
  @EnumSource(
      value = Fault.class,
      names = {"PAGE_404", "STALL_BEFORE_THE_REQUEST", "TRICKLE"})
  void aReadIsNotSentAgainAfterAFaultThatStays(Fault fault) {
    proxy.order(fault, 0, 3);
    assertThatThrownBy(() -> backend.states().find(StateId.of("a")))
        .isInstanceOf(StateFailure.Unavailable.class);
    assertThat(proxy.relent()).hasSize(1);
  }

  @Test
  @Timeout(10)
  void anAnswerThatTricklesEndsWithItsTime() {
    proxy.order(Fault.TRICKLE, 0, 1);
    long start = System.nanoTime();
    assertThatThrownBy(() -> backend.states().find(StateId.of("a")))
        .isInstanceOf(StateFailure.Unavailable.class)
        .hasMessage(
            "cannot read %s.state at 127.0.0.1:%d: no answer within 2 s; try again, or raise the"
                + " request timeout",
            schema, proxy.endpoint().port());
    assertThat(Duration.ofNanos(System.nanoTime() - start))
        .isBetween(Duration.ofMillis(1_900), Duration.ofMillis(3_500));
  }

  @Test
  @Timeout(10)
  void aWalkThatTricklesEndsWithItsTime() {
    proxy.order(Fault.TRICKLE, 0, 1);
    assertThatThrownBy(() -> TestStores.ids(backend.states(), "*"))
        .isInstanceOf(StateFailure.Unavailable.class)
        .hasMessageContaining(": no answer within 2 s; ");
  }

  @Test
  void anAnswerThatBreaksOffAnywhereIsAskedForAgain() {
    for (int times = 0; times < 30; times++) {
      proxy.order(Fault.CUT_IN_THE_ANSWER, 0, 1);
      assertThat(backend.states().find(StateId.of("a"))).isPresent();
      assertThat(proxy.relent()).hasSize(2);
    }
  }

  @Test
  void theOutcomeOfARemovalStaysUnknownWhenNobodyListensAtTheLaterTries() {
    try (FaultProxy own = FaultProxy.to(clickHouse.endpoint(), PATIENCE, 1);
        ClickHouseBackend other =
            ClickHouseBackend.open(
                TestStores.settings(own.endpoint(), schema).within(PATIENCE, PATIENCE),
                LockPeers.PLUGIN,
                "",
                new Backoff(() -> 0.5, pause -> own.stopListening(), System::nanoTime))) {
      LockId lockId = LockId.of(Instant.EPOCH, 1);
      assertThat(other.locks().look(StateId.of("a"))).hasSize(1);
      // Behind a look for the row, and one for the servers.
      own.order(Fault.CUT_BEFORE_THE_ANSWER, 2, 1);
      assertThatThrownBy(() -> other.locks().withdraw(StateId.of("a"), lockId))
          .isInstanceOf(StateFailure.OutcomeUnknown.class);
    }
    assertThat(backend.locks().look(StateId.of("a"))).isEmpty();
  }

  @Test
  void aCallHasATimeoutOfItsOwn() {
    proxy.order(Fault.STALL_BEFORE_THE_ANSWER, 0, 1);
    ClickHouseBackend quick = backend.within(PATIENCE, Duration.ofMillis(300));
    long start = System.nanoTime();
    assertThatThrownBy(() -> quick.states().find(StateId.of("a")))
        .isInstanceOf(StateFailure.Unavailable.class)
        .hasMessageContaining(": no answer within 300 ms; ");
    assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofMillis(1_500));
    quick.close();
    assertThatThrownBy(() -> backend.states().find(StateId.of("a")))
        .isInstanceOf(IllegalStateException.class);
  }

  @Test
  void noPauseIsLongerThanWhatIsLeftOfTheTimeForTheStatement() {
    // The third would be of 300 ms; pauses are only counted.
    ClickHouseBackend quick = backend.within(PATIENCE, Duration.ofMillis(200));
    proxy.order(Fault.CUT_BEFORE_THE_ANSWER, 0, 100);
    assertThatThrownBy(() -> quick.states().find(StateId.of("a")))
        .isInstanceOf(StateFailure.Unavailable.class);
    assertThat(pauses).hasSizeLessThan(3);
  }
}
