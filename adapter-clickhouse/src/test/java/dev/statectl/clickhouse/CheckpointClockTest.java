package dev.statectl.clickhouse;

import static org.assertj.core.api.Assertions.assertThat;

import dev.statectl.lock.Fence;
import dev.statectl.lock.LockId;
import dev.statectl.state.StateId;
import dev.statectl.state.StateVersion;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class CheckpointClockTest {
  private static final StateId ID = StateId.of("a");
  private static final Instant CLOCK = Instant.parse("2026-01-02T03:04:05.678Z");

  private final AtomicLong nanos = new AtomicLong(Long.MAX_VALUE - 5);
  private final CheckpointClock checkpoints = new CheckpointClock(nanos::get);

  private static Fence fence(int lockId) {
    return new Fence(ID, LockId.of(CLOCK, lockId), Duration.ofSeconds(300));
  }

  @Test
  void whereNobodyLookedThereIsNoVersion() {
    checkpoints.looked(fence(1), ID, Optional.empty(), CLOCK);
    assertThat(checkpoints.next(fence(2), ID)).isEmpty();
    assertThat(checkpoints.next(fence(1), StateId.of("b"))).isEmpty();
  }

  @Test
  void theClockGoesOnWithTheLocalOne() {
    checkpoints.looked(fence(1), ID, Optional.empty(), CLOCK);
    nanos.addAndGet(Duration.ofMillis(250).toNanos());
    assertThat(checkpoints.next(fence(1), ID))
        .isEqualTo(Optional.of(new StateVersion(CLOCK.plusMillis(250))));
  }

  @Test
  void partsOfAMillisecondDoNotMakeItRunAhead() {
    checkpoints.looked(fence(1), ID, Optional.empty(), CLOCK);
    nanos.addAndGet(Duration.ofMillis(251).toNanos() - 1);
    assertThat(checkpoints.next(fence(1), ID))
        .isEqualTo(Optional.of(new StateVersion(CLOCK.plusMillis(250))));
  }

  @Test
  void noVersionIsGivenTwice() {
    checkpoints.looked(fence(1), ID, Optional.empty(), CLOCK);
    Set<StateVersion> given = ConcurrentHashMap.newKeySet();
    IntStream.range(0, 2_000)
        .parallel()
        .forEach(i -> given.add(checkpoints.next(fence(1), ID).orElseThrow()));
    assertThat(given).hasSize(2_000).allMatch(version -> version.updatedAt().isAfter(CLOCK));
  }

  @Test
  void whatWasWrittenInTheFutureIsPassed() {
    StateVersion future = new StateVersion(CLOCK.plusSeconds(3600));
    assertThat(checkpoints.looked(fence(1), ID, Optional.of(future), CLOCK))
        .isEqualTo(new StateVersion(CLOCK.plusSeconds(3600).plusMillis(1)));
    nanos.addAndGet(Duration.ofMillis(250).toNanos());
    assertThat(checkpoints.next(fence(1), ID))
        .isEqualTo(Optional.of(new StateVersion(CLOCK.plusSeconds(3600).plusMillis(2))));
  }

  @Test
  void aSecondLaterOneLooksAgain() {
    checkpoints.looked(fence(1), ID, Optional.empty(), CLOCK);
    nanos.addAndGet(Duration.ofSeconds(1).toNanos() - 1);
    assertThat(checkpoints.next(fence(1), ID)).isPresent();
    nanos.addAndGet(1);
    assertThat(checkpoints.next(fence(1), ID)).isEmpty();
  }

  @Test
  void whatIsForgottenIsLookedForAgain() {
    checkpoints.looked(fence(1), ID, Optional.empty(), CLOCK);
    checkpoints.looked(fence(2), ID, Optional.empty(), CLOCK);
    checkpoints.forget(fence(1), ID);
    assertThat(checkpoints.next(fence(1), ID)).isEmpty();
    assertThat(checkpoints.next(fence(2), ID)).isPresent();
  }

  @Test
  void whatWasGivenBeforeAFailureIsNotGivenAgain() {
    StateVersion future = new StateVersion(CLOCK.plusSeconds(3600));
    StateVersion mayArrive = checkpoints.looked(fence(1), ID, Optional.of(future), CLOCK);
    checkpoints.forget(fence(1), ID);
    assertThat(checkpoints.looked(fence(1), ID, Optional.of(future), CLOCK))
        .isEqualTo(new StateVersion(mayArrive.updatedAt().plusMillis(1)));
  }

  @Test
  void theLateAnswerOfAnotherLookDoesNotSetItBack() {
    checkpoints.looked(fence(1), ID, Optional.empty(), CLOCK);
    nanos.addAndGet(Duration.ofMillis(250).toNanos());
    StateVersion written = checkpoints.next(fence(1), ID).orElseThrow();
    assertThat(checkpoints.looked(fence(1), ID, Optional.empty(), CLOCK)).isGreaterThan(written);
    assertThat(checkpoints.next(fence(1), ID).orElseThrow())
        .isEqualTo(new StateVersion(written.updatedAt().plusMillis(2)));
  }

  @Test
  void twoLooksAtOnceGiveTwoVersions() {
    assertThat(checkpoints.looked(fence(1), ID, Optional.empty(), CLOCK))
        .isEqualTo(new StateVersion(CLOCK));
    assertThat(checkpoints.looked(fence(1), ID, Optional.empty(), CLOCK))
        .isEqualTo(new StateVersion(CLOCK.plusMillis(1)));
  }

  @Test
  void theLongestUnusedLockIsForgotten() {
    for (int lock = 0; lock <= 1024; lock++) {
      checkpoints.looked(fence(lock), ID, Optional.empty(), CLOCK);
    }
    Set<Integer> known = new HashSet<>();
    for (int lock = 0; lock <= 1024; lock++) {
      if (checkpoints.next(fence(lock), ID).isPresent()) {
        known.add(lock);
      }
    }
    assertThat(known).hasSize(1024).doesNotContain(0);
  }
}
