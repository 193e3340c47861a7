package dev.statectl.usecase;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.statectl.inmemory.Planting;
import dev.statectl.lock.LockCandidate;
import dev.statectl.lock.LockId;
import dev.statectl.lock.LockMode;
import dev.statectl.lock.LockTerms;
import dev.statectl.port.StateFailure;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class AcquireLockTest {
  private final LockFixture fixture = new LockFixture();
  private final MovedTime time = fixture.time;

  @Test
  void aloneItIsMineAtOnce() {
    StateLock lock = fixture.acquire("alice").acquire(LockFixture.ID);

    assertThat(lock.isValid()).isTrue();
    assertThat(time.pauses()).isEmpty();
    assertThat(fixture.rows())
        .extracting(LockCandidate::lockId, LockCandidate::holder)
        .containsExactly(org.assertj.core.groups.Tuple.tuple(lock.lockId(), "alice"));
    lock.close();
    assertThat(fixture.rows()).isEmpty();
    assertThat(lock.isValid()).isFalse();
    assertThat(time.tasks()).isZero();
  }

  @Test
  void whoeverIsInTheWayIsNamedAtTheDeadlineAndNoRowIsLeft() {
    StateLock held = fixture.acquire("alice@host pid 7").acquire(LockFixture.ID);
    time.pass(Duration.ofSeconds(12));
    List<String> told = new ArrayList<>();

    assertThatThrownBy(
            () ->
                fixture
                    .acquire("bob")
                    .acquire(LockFixture.ID, Duration.ofSeconds(2), e -> told.add(e.getMessage())))
        .isInstanceOfSatisfying(
            StateFailure.LockHeld.class,
            e -> {
              assertThat(e.id()).isEqualTo(LockFixture.ID);
              assertThat(e.candidate()).map(LockCandidate::lockId).hasValue(held.lockId());
            })
        .hasMessage(
            "the lock of 'dev:tap-to-target' is held by alice@host pid 7 (lock id %s) since"
                + " 2026-03-04T05:06:07Z, 14 s ago; unless it is renewed, it counts no more after"
                + " 2026-03-04T05:11:07Z",
            held.lockId());
    assertThat(told).isNotEmpty();
    assertThat(time.nanoTime()).isEqualTo(Duration.ofSeconds(14).toNanos());
    assertThat(fixture.rows()).extracting(LockCandidate::lockId).containsExactly(held.lockId());
  }

  @Test
  void withoutTimeItIsTriedOnce() {
    fixture.acquire("alice").acquire(LockFixture.ID);

    assertThatThrownBy(() -> fixture.acquire("bob").acquire(LockFixture.ID, Duration.ZERO, e -> {}))
        .isInstanceOf(StateFailure.LockHeld.class);
    assertThat(time.pauses()).isEmpty();
  }

  @Test
  void theNextOneEntersWhenTheHolderLetsGo() {
    StateLock held = fixture.acquire("alice").acquire(LockFixture.ID);
    time.after(Duration.ofSeconds(5), held::close);

    StateLock next = fixture.acquire("bob").acquire(LockFixture.ID);

    assertThat(next.isValid()).isTrue();
    assertThat(Duration.ofNanos(time.nanoTime()))
        .isBetween(Duration.ofSeconds(5), Duration.ofSeconds(6));
  }

  @Test
  void aPluginsRowIsWaitedForAlthoughOurIdIsSmaller() {
    LockId plugin = fixture.pluginAnnounces("0c9b6a52-6a4e-4d3e-9d5a-0f6f4c1f2b11");
    time.after(
        Duration.ofMillis(1500), () -> fixture.backend.locks().withdraw(LockFixture.ID, plugin));

    StateLock lock = fixture.acquire("alice").acquire(LockFixture.ID);

    assertThat(lock.lockId()).isLessThan(plugin);
    assertThat(lock.isValid()).isTrue();
    assertThat(Duration.ofNanos(time.nanoTime()))
        .isBetween(Duration.ofMillis(1500), Duration.ofMillis(2600));
  }

  @Test
  void aPluginThatDoesNotSayWhoItIsIsNamedSo() {
    fixture.pluginAnnounces("0c9b6a52-6a4e-4d3e-9d5a-0f6f4c1f2b11");

    assertThatThrownBy(
            () -> fixture.acquire("alice").acquire(LockFixture.ID, Duration.ZERO, e -> {}))
        .hasMessageStartingWith(
            "the lock of 'dev:tap-to-target' is held by the Meltano plugin (lock id"
                + " 0c9b6a52-6a4e-4d3e-9d5a-0f6f4c1f2b11) since");
  }

  @Test
  void oneOfOursThatCouldNotSayWhoItIsIsNotTakenForThePlugin() {
    LockId unnamed = LockId.of(time.storeClock.instant(), 7);
    fixture.backend.locks().announce(LockFixture.ID, unnamed, "");

    assertThatThrownBy(
            () -> fixture.acquire("alice").acquire(LockFixture.ID, Duration.ZERO, e -> {}))
        .hasMessageStartingWith(
            "the lock of 'dev:tap-to-target' is held by statectl or a user of its library (lock id"
                + " %s) since",
            unnamed);
  }

  @Test
  void aHolderThatRenewedItsLockIsNamedAndNotOneThatWaits() {
    StateLock held = fixture.acquire("alice").acquire(LockFixture.ID);
    time.pass(Duration.ofSeconds(149));
    fixture.pluginAnnounces("0c9b6a52-6a4e-4d3e-9d5a-0f6f4c1f2b11");
    time.pass(Duration.ofSeconds(1));

    assertThatThrownBy(() -> fixture.acquire("bob").acquire(LockFixture.ID, Duration.ZERO, e -> {}))
        .isInstanceOfSatisfying(
            StateFailure.LockHeld.class,
            e -> assertThat(e.candidate()).map(LockCandidate::lockId).hasValue(held.lockId()));
  }

  @Test
  void aStaleRowIsNoHindranceAndIsRemoved() {
    fixture.pluginAnnounces("0c9b6a52-6a4e-4d3e-9d5a-0f6f4c1f2b11");
    time.pass(Duration.ofSeconds(301));

    StateLock lock = fixture.acquire("alice").acquire(LockFixture.ID);

    assertThat(time.pauses()).isEmpty();
    assertThat(fixture.rows()).extracting(LockCandidate::lockId).containsExactly(lock.lockId());
  }

  @Test
  void aRowOfExactlyTheStaleTimeStillCounts() {
    fixture.pluginAnnounces("0c9b6a52-6a4e-4d3e-9d5a-0f6f4c1f2b11");
    time.pass(Duration.ofSeconds(300));

    assertThatThrownBy(
            () -> fixture.acquire("alice").acquire(LockFixture.ID, Duration.ZERO, e -> {}))
        .isInstanceOf(StateFailure.LockHeld.class);
  }

  @Test
  void inSettleModeTheSettleTimeComesFirst() {
    LockTerms terms = LockTerms.DEFAULT.withMode(LockMode.SETTLE);

    fixture.acquire("alice", terms).acquire(LockFixture.ID);

    assertThat(time.pauses()).containsExactly(Duration.ofSeconds(1));
  }

  @Test
  void anAnnounceThatIsNotAnsweredIsWithdrawn() {
    fixture.table.loseNextAnswer();

    assertThatThrownBy(() -> fixture.acquire("alice").acquire(LockFixture.ID))
        .isInstanceOf(StateFailure.Unavailable.class)
        .hasMessage("the lock of 'dev:tap-to-target' was not taken: the answer was lost");
    assertThat(fixture.rows()).isEmpty();
  }

  @Test
  void aLookThatFailsWithdrawsTheRow() {
    fixture.table.passNext();
    fixture.table.loseNextRequest();
    fixture.table.loseNextRequest();

    assertThatThrownBy(() -> fixture.acquire("alice").acquire(LockFixture.ID))
        .isInstanceOf(StateFailure.Unavailable.class)
        .hasMessage("the line is down");
    assertThat(fixture.rows()).isEmpty();
    assertThat(time.pauses()).hasSize(1);
  }

  @Test
  void anInterruptedWaitWithdrawsTheRowAndKeepsTheFlag() {
    fixture.acquire("alice").acquire(LockFixture.ID);
    LockMeans means = fixture.means();
    AcquireLock bob =
        new AcquireLock(
            fixture.table,
            LockTerms.DEFAULT,
            new LockMeans(
                means.lockIds(),
                means.nanoTime(),
                d -> {
                  throw new InterruptedException();
                },
                means.random(),
                means.timer()),
            "bob");

    assertThatThrownBy(() -> bob.acquire(LockFixture.ID))
        .isInstanceOf(StateFailure.Unavailable.class)
        .hasMessage("interrupted while waiting for a lock");
    assertThat(Thread.interrupted()).isTrue();
    assertThat(fixture.rows()).hasSize(1);
  }

  @Test
  void onlyTheStoresClockDecidesWhatIsStale() {
    time.setStoreClockOff(Duration.ofMinutes(-10));
    StateLock held = fixture.acquire("alice").acquire(LockFixture.ID);
    time.passStopped(Duration.ofSeconds(299));

    assertThatThrownBy(() -> fixture.acquire("bob").acquire(LockFixture.ID, Duration.ZERO, e -> {}))
        .isInstanceOf(StateFailure.LockHeld.class);

    time.setStoreClockOff(Duration.ofMinutes(10));
    StateLock taken = fixture.acquire("bob").acquire(LockFixture.ID);
    assertThat(taken.isValid()).isTrue();
    assertThatThrownBy(
            () -> fixture.store().save(UseCaseFixture.state("{\"a\": 1}", "{}"), held.fence()))
        .isInstanceOf(StateFailure.LockLost.class)
        .hasMessage(
            "the lock of 'dev:tap-to-target' was lost: its row is gone or stale; nothing was"
                + " changed");
  }

  @Test
  void aStoresClockThatIsSetBackDoesNotLetASecondIn() {
    fixture.acquire("alice").acquire(LockFixture.ID);
    time.setStoreClockOff(Duration.ofHours(-1));

    assertThatThrownBy(() -> fixture.acquire("bob").acquire(LockFixture.ID, Duration.ZERO, e -> {}))
        .isInstanceOf(StateFailure.LockHeld.class);
    assertThat(fixture.rows())
        .extracting(LockCandidate::lockedAt)
        .containsExactly(Instant.parse("2026-03-04T05:06:07Z"));
  }

  @Test
  void aLockIsClaimedAndNeitherClaimNorRowIsLeft() {
    StateLock lock = fixture.acquire("alice").acquire(LockFixture.ID);

    assertThat(claimant()).map(LockCandidate::lockId).hasValue(lock.lockId());
    assertThat(claimant()).map(LockCandidate::holder).hasValue("alice");
    lock.close();
    assertThat(claimant()).isEmpty();
    assertThat(fixture.rows()).isEmpty();
  }

  @Test
  void whoeverHasTheClaimIsNamedThoughItHasNoRow() {
    LockId ended = LockId.of(time.storeClock.instant(), 7);
    fixture.backend.locks().claim(LockFixture.ID, ended, "bob@host pid 7", Duration.ofSeconds(300));
    time.pass(Duration.ofSeconds(12));

    assertThatThrownBy(
            () -> fixture.acquire("alice").acquire(LockFixture.ID, Duration.ofSeconds(2), e -> {}))
        .isInstanceOf(StateFailure.LockHeld.class)
        .hasMessage(
            "the lock of 'dev:tap-to-target' is held by bob@host pid 7 (lock id %s) since"
                + " 2026-03-04T05:06:07Z, 14 s ago; unless it is renewed, it counts no more after"
                + " 2026-03-04T05:11:07Z",
            ended);
    assertThat(fixture.rows()).isEmpty();
    assertThat(claimant()).map(LockCandidate::lockId).hasValue(ended);
  }

  @Test
  void aClaimThatIsStaleIsTakenOver() {
    LockId ended = LockId.of(time.storeClock.instant(), 7);
    fixture.backend.locks().claim(LockFixture.ID, ended, "bob", Duration.ofSeconds(300));
    time.pass(Duration.ofSeconds(301));

    StateLock lock = fixture.acquire("alice").acquire(LockFixture.ID, Duration.ZERO, e -> {});

    assertThat(claimant()).map(LockCandidate::lockId).hasValue(lock.lockId());
  }

  @Test
  void aClaimWhoseAnswerIsLostIsWithdrawn() {
    fixture.table.loseAnswerToNextClaim();

    assertThatThrownBy(() -> fixture.acquire("alice").acquire(LockFixture.ID))
        .isInstanceOf(StateFailure.Unavailable.class)
        .hasMessage(
            "the lock of 'dev:tap-to-target' was not taken: the answer to the claim was lost");
    assertThat(claimant()).isEmpty();
    assertThat(fixture.rows()).isEmpty();
  }

  @Test
  void aClaimIsGivenBackWhenItsCandidateCannotBeAnnounced() {
    fixture.table.loseNextRequest();

    assertThatThrownBy(() -> fixture.acquire("alice").acquire(LockFixture.ID))
        .isInstanceOf(StateFailure.Unavailable.class)
        .hasMessage("the line is down");
    assertThat(claimant()).isEmpty();
    assertThat(fixture.rows()).isEmpty();
  }

  @Test
  void aClaimIsGivenBackBehindAPeer() {
    fixture.pluginAnnounces("0c9b6a52-6a4e-4d3e-9d5a-0f6f4c1f2b11");

    assertThatThrownBy(
            () -> fixture.acquire("alice").acquire(LockFixture.ID, Duration.ZERO, e -> {}))
        .isInstanceOf(StateFailure.LockHeld.class);
    assertThat(claimant()).isEmpty();
    assertThat(fixture.rows()).hasSize(1);
  }

  @Test
  void aHolderWhoseClaimIsAnothersLosesTheLockAtItsNextRenewal() {
    StateLock lock = fixture.acquire("alice").acquire(LockFixture.ID);
    Planting.plantClaim(
        fixture.backend, LockFixture.ID, LockId.of(time.storeClock.instant(), 7), "bob");

    time.pass(Duration.ofSeconds(150));

    assertThat(lock.isValid()).isFalse();
    assertThatThrownBy(lock::fence)
        .isInstanceOf(StateFailure.LockLost.class)
        .hasMessageContaining("its row was removed or became stale");
    assertThatThrownBy(lock::close).isInstanceOf(StateFailure.LockLost.class);
    assertThat(claimant()).map(LockCandidate::holder).hasValue("bob");
  }

  private Optional<LockCandidate> claimant() {
    return fixture.backend.locks().claimant(LockFixture.ID);
  }
}
