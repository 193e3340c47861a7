package dev.statectl.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.statectl.lock.LockCandidate;
import dev.statectl.lock.LockId;
import dev.statectl.lock.LockTerms;
import dev.statectl.port.StateFailure.LockHeld;
import dev.statectl.state.StateId;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class WaitingNoticeTest {
  private static final StateId ID = StateId.of("dev:a");
  private static final Instant TAKEN = Instant.parse("2026-11-29T12:00:00Z");

  private final ByteArrayOutputStream err = new ByteArrayOutputStream();
  private long nanos = 1_000;

  @Test
  void isGivenAfterTwoSecondsAndThenEveryTen() {
    WaitingNotice notice = notice(true);

    for (int second = 0; second <= 23; second++) {
      notice.accept(held(100 + second));
      nanos += Duration.ofSeconds(1).toNanos();
    }

    assertThat(said())
        .isEqualTo(
            """
            statectl: waiting for the lock of 'dev:a', held by statectl set by etl@worker pid 7 since \
            2026-11-29T12:00:00Z; it expires in 3 min 18 s unless it is renewed; giving up in 28 s
            statectl: still waiting for the lock of 'dev:a', held by statectl set by etl@worker pid 7 \
            since 2026-11-29T12:00:00Z; it expires in 3 min 8 s unless it is renewed; giving up in 18 s
            statectl: still waiting for the lock of 'dev:a', held by statectl set by etl@worker pid 7 \
            since 2026-11-29T12:00:00Z; it expires in 2 min 58 s unless it is renewed; giving up in 8 s
            """);
  }

  @Test
  void isGivenToPersonsOnly() {
    WaitingNotice notice = notice(false);
    nanos += Duration.ofSeconds(20).toNanos();

    notice.accept(held(0));
    notice.taken(ID);

    assertThat(said()).isEmpty();
  }

  @Test
  void othersThatTakeTurnsHaveNoNames() {
    WaitingNotice notice = notice(true);
    nanos += Duration.ofMillis(2500).toNanos();

    notice.accept(new LockHeld(ID, null, LockTerms.DEFAULT));

    assertThat(said())
        .isEqualTo(
            "statectl: waiting for the lock of 'dev:a', which others take in turn; giving up in 28"
                + " s\n");
  }

  @Test
  void whoWasToldToWaitIsToldOfTheEnd() {
    WaitingNotice notice = notice(true);
    notice.taken(ID);
    nanos += Duration.ofSeconds(2).toNanos();
    notice.accept(held(0));
    err.reset();
    nanos += Duration.ofSeconds(1).toNanos();

    notice.taken(ID);

    assertThat(said()).isEqualTo("statectl: took the lock of 'dev:a' after 3 s\n");
  }

  @Test
  void anEndByExpiryIsTold() {
    WaitingNotice notice = notice(true);
    nanos += Duration.ofSeconds(2).toNanos();
    notice.accept(held(299));
    err.reset();
    nanos += Duration.ofSeconds(1).toNanos();

    notice.taken(ID);

    assertThat(said())
        .isEqualTo("statectl: took the lock of 'dev:a' after 3 s; its holder did not renew it\n");
  }

  private WaitingNotice notice(boolean person) {
    return new WaitingNotice(
        new Diagnostics(new PrintStream(err, true, StandardCharsets.UTF_8)),
        person,
        Duration.ofSeconds(30),
        () -> nanos);
  }

  private static LockHeld held(int age) {
    return new LockHeld(
        ID,
        new LockCandidate(
            ID,
            LockId.of(TAKEN, 1),
            TAKEN,
            TAKEN.plusSeconds(age),
            "statectl set by etl@worker pid 7"),
        LockTerms.DEFAULT);
  }

  private String said() {
    return err.toString(StandardCharsets.UTF_8);
  }
}
