package dev.statectl.usecase;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.statectl.lock.Fence;
import dev.statectl.lock.LockCandidate;
import dev.statectl.lock.LockMode;
import dev.statectl.lock.LockTerms;
import dev.statectl.port.StateFailure;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class StateLockTest {
  private final LockFixture fixture = new LockFixture();
  private final MovedTime time = fixture.time;
  private final List<String> losses = new ArrayList<>();

  @Test
  void itIsRenewedForAsLongAsItIsOpen() {
    StateLock lock = acquire();

    time.pass(Duration.ofHours(1));

    assertThat(lock.isValid()).isTrue();
    assertThat(fixture.rows())
        .extracting(LockCandidate::lockedAt)
        .containsExactly(Instant.parse("2026-03-04T06:06:07Z"));
    lock.close();
    assertThat(time.tasks()).isZero();
    assertThat(losses).isEmpty();
  }

  @Test
  void itIsRenewedWhenHalfOfTheStaleTimeHasPassed() {
    acquire();

    time.pass(Duration.ofSeconds(149));
    assertThat(fixture.rows().get(0).age()).isEqualTo(Duration.ofSeconds(149));
    time.pass(Duration.ofSeconds(1));
    assertThat(fixture.rows().get(0).age()).isZero();
  }

  @Test
  void answersThatTakeLongDoNotPutOffTheNextRenewal() {
    fixture.table.passNext();
    fixture.table.delayNext(() -> time.pass(Duration.ofSeconds(140)));
    acquire();

    time.pass(Duration.ofSeconds(10));
    assertThat(fixture.rows().get(0).age()).isZero();
    fixture.table.delayNext(() -> time.passStopped(Duration.ofSeconds(100)));
    time.pass(Duration.ofSeconds(150));
    assertThat(fixture.rows().get(0).age()).isEqualTo(Duration.ofSeconds(100));
    time.pass(Duration.ofSeconds(50));
    assertThat(fixture.rows().get(0).age()).isZero();
  }

  @Test
  void aRenewalThatFailsIsTriedAgainInTime() {
    StateLock lock = acquire();
    fixture.table.loseNextRequest();
    fixture.table.loseNextAnswer();

    time.pass(Duration.ofSeconds(181));

    assertThat(lock.isValid()).isTrue();
    assertThat(losses).isEmpty();
    assertThat(fixture.rows().get(0).age()).isEqualTo(Duration.ofSeconds(1));
  }

  @Test
  void itIsLostWhenNoRenewalSucceedsBeforeItIsStale() {
    StateLock lock = acquire();
    for (int i = 0; i < 100; i++) {
      fixture.table.loseNextRequest();
    }

    time.pass(Duration.ofSeconds(299));
    assertThat(lock.isValid()).isTrue();
    time.pass(Duration.ofSeconds(1));
    assertThat(lock.isValid()).isFalse();
    time.pass(Duration.ofSeconds(15));
    assertThat(losses)
        .containsExactly(
            "the lock of 'dev:tap-to-target' was lost: it could not be renewed in time: the line"
                + " is down");
    assertThat(time.tasks()).isZero();
  }

  @Test
  void itIsLostWhenItsRowIsRemoved() {
    StateLock lock = acquire();
    fixture.backend.locks().withdraw(LockFixture.ID, lock.lockId());

    time.pass(Duration.ofSeconds(150));

    assertThat(lock.isValid()).isFalse();
    assertThat(losses)
        .containsExactly(
            "the lock of 'dev:tap-to-target' was lost: its row was removed or became stale");
    assertThatThrownBy(lock::fence)
        .isInstanceOf(StateFailure.LockLost.class)
        .hasMessage(losses.get(0));
    assertThatThrownBy(lock::close).isInstanceOf(StateFailure.LockLost.class);
  }

  @Test
  void oneThatWasStoppedPastItsStaleTimeDoesNotComeBackToLife() {
    StateLock lock = acquire();

    time.passStopped(Duration.ofSeconds(301));

    assertThat(lock.isValid()).isFalse();
    assertThatThrownBy(lock::fence)
        .isInstanceOf(StateFailure.LockLost.class)
        .hasMessage("the lock of 'dev:tap-to-target' was lost: it was not renewed in time");
    assertThat(losses)
        .containsExactly("the lock of 'dev:tap-to-target' was lost: it was not renewed in time");
    StateLock successor = fixture.acquire("bob").acquire(LockFixture.ID);
    time.pass(Duration.ofSeconds(1));
    assertThatThrownBy(lock::close).isInstanceOf(StateFailure.LockLost.class);
    assertThat(successor.isValid()).isTrue();
    assertThat(fixture.rows())
        .extracting(LockCandidate::lockId)
        .containsExactly(successor.lockId());
  }

  @Test
  void aReleaseThatFindsItsRowGoneSaysSo() {
    StateLock lock = acquire();
    fixture.backend.locks().withdraw(LockFixture.ID, lock.lockId());

    assertThatThrownBy(lock::close)
        .isInstanceOf(StateFailure.LockLost.class)
        .hasMessage(
            "the lock of 'dev:tap-to-target' was lost: its row was gone when it was released");
    assertThatCode(lock::close).doesNotThrowAnyException();
  }

  @Test
  void aReleaseIsTriedAgainUntilItIsAnswered() {
    StateLock lock = acquire();
    fixture.table.loseNextRequest();
    fixture.table.loseNextAnswer();
    fixture.table.loseNextRequest();

    assertThatCode(lock::close).doesNotThrowAnyException();

    assertThat(fixture.rows()).isEmpty();
    assertThat(time.pauses()).hasSize(3);
  }

  @Test
  void aReleaseIsTriedAgainAlsoByOneThatDoesNotWaitForLocks() {
    LockTerms terms = LockTerms.DEFAULT.withTimeout(Duration.ZERO);
    StateLock lock = fixture.acquire("alice", terms).acquire(LockFixture.ID);
    fixture.table.loseNextRequest();
    fixture.table.loseNextRequest();

    assertThatCode(lock::close).doesNotThrowAnyException();

    assertThat(fixture.rows()).isEmpty();
  }

  @Test
  void aReleaseIsNotTriedLongerThanTheRowCounts() {
    LockTerms terms =
        new LockTerms(
            LockMode.IMMEDIATE,
            Duration.ofSeconds(3),
            Duration.ofSeconds(1),
            Duration.ofSeconds(60),
            Duration.ofSeconds(1));
    StateLock lock = fixture.acquire("alice", terms).acquire(LockFixture.ID);
    for (int i = 0; i < 1000; i++) {
      fixture.table.loseNextRequest();
    }

    assertThatThrownBy(lock::close).isInstanceOf(StateFailure.Unavailable.class);

    assertThat(Duration.ofNanos(time.nanoTime()))
        .isBetween(Duration.ofSeconds(3), Duration.ofSeconds(4));
  }

  @Test
  void aReleaseGoesOnAfterAnInterrupt() {
    StateLock lock = interruptedAt(1);
    fixture.table.loseNextRequest();
    fixture.table.loseNextRequest();

    lock.close();

    assertThat(Thread.interrupted()).isTrue();
    assertThat(fixture.rows()).isEmpty();
  }

  @Test
  void aReleaseGivesUpAtASecondInterrupt() {
    StateLock lock = interruptedAt(2);
    for (int i = 0; i < 10; i++) {
      fixture.table.loseNextRequest();
    }

    assertThatThrownBy(lock::close).isInstanceOf(StateFailure.Unavailable.class);

    assertThat(Thread.interrupted()).isTrue();
    assertThat(fixture.rows()).hasSize(1);
  }

  @Test
  void aReleaseGivesUpAfterTheTimeThatOneWaitsForALock() {
    StateLock lock = acquire();
    for (int i = 0; i < 1000; i++) {
      fixture.table.loseNextRequest();
    }

    assertThatThrownBy(lock::close)
        .isInstanceOf(StateFailure.Unavailable.class)
        .hasMessage("the line is down");
    assertThat(Duration.ofNanos(time.nanoTime()))
        .isBetween(Duration.ofSeconds(30), Duration.ofSeconds(31));
  }

  @Test
  void aClosedLockGivesNoFence() {
    StateLock lock = acquire();
    lock.close();

    assertThatThrownBy(lock::fence)
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("the lock of 'dev:tap-to-target' was released");
  }

  @Test
  void whoeverAsksAfterTheLossIsToldAtOnce() {
    StateLock lock = acquire();
    fixture.backend.locks().withdraw(LockFixture.ID, lock.lockId());
    time.pass(Duration.ofSeconds(150));
    losses.clear();

    lock.onLost(e -> losses.add(e.getMessage()));

    assertThat(losses).hasSize(1);
  }

  @Test
  void aListenerMayWaitForAnotherThreadThatClosesTheLock() {
    StateLock lock = acquire();
    lock.onLost(
        e -> {
          CompletableFuture<Void> closing = CompletableFuture.runAsync(lock::close);
          assertThatThrownBy(() -> closing.get(10, TimeUnit.SECONDS))
              .hasCauseInstanceOf(StateFailure.LockLost.class);
          losses.add("closed");
        });
    fixture.backend.locks().withdraw(LockFixture.ID, lock.lockId());

    time.pass(Duration.ofSeconds(150));

    assertThat(losses).hasSize(2).endsWith("closed");
  }

  @Test
  void theFenceNamesTheLockTheCandidateAndTheStaleTime() {
    StateLock lock = acquire();

    assertThat(lock.fence())
        .isEqualTo(new Fence(LockFixture.ID, lock.lockId(), Duration.ofSeconds(300)));
  }

  // The first pauses are interrupted.
  private StateLock interruptedAt(int pauses) {
    LockMeans means = fixture.means();
    AtomicInteger left = new AtomicInteger(pauses);
    Pause pause =
        duration -> {
          if (left.getAndDecrement() > 0) {
            throw new InterruptedException();
          }
          time.pause(duration);
        };
    LockMeans interrupted =
        new LockMeans(means.lockIds(), means.nanoTime(), pause, means.random(), means.timer());
    return new AcquireLock(fixture.table, LockTerms.DEFAULT, interrupted, "alice")
        .acquire(LockFixture.ID);
  }

  private StateLock acquire() {
    StateLock lock = fixture.acquire("alice").acquire(LockFixture.ID);
    lock.onLost(e -> losses.add(e.getMessage()));
    return lock;
  }
}
