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
  private static final StateVersion FIRST = new StateVersion(CLOCK);

  private final AtomicLong nanos = new AtomicLong(Long.MAX_VALUE - 5);
  private final CheckpointClock checkpoints = new CheckpointClock(nanos::get);

  private static Fence fence(int lockId) {
    return new Fence(ID, LockId.of(CLOCK, lockId), Duration.ofSeconds(300));
  }

  @Test
  void whereNobodyLookedThereIsNoVersion() {
    checkpoints.looked(fence(1), ID, CLOCK, FIRST);
    assertThat(checkpoints.next(fence(2), ID)).isEmpty();
    assertThat(checkpoints.next(fence(1), StateId.of("b"))).isEmpty();
  }

  @Test
  void theClockGoesOnWithTheLocalOne() {
    checkpoints.looked(fence(1), ID, CLOCK, FIRST);
    nanos.addAndGet(Duration.ofMillis(250).toNanos());
    assertThat(checkpoints.next(fence(1), ID))
        .isEqualTo(Optional.of(new StateVersion(CLOCK.plusMillis(250))));
  }

  @Test
  void partsOfAMillisecondDoNotMakeItRunAhead() {
    checkpoints.looked(fence(1), ID, CLOCK, FIRST);
    nanos.addAndGet(Duration.ofMillis(251).toNanos() - 1);
    assertThat(checkpoints.next(fence(1), ID))
        .isEqualTo(Optional.of(new StateVersion(CLOCK.plusMillis(250))));
  }

  @Test
  void noVersionIsGivenTwice() {
    checkpoints.looked(fence(1), ID, CLOCK, FIRST);
    Set<StateVersion> given = ConcurrentHashMap.newKeySet();
    IntStream.range(0, 2_000)
        .parallel()
        .forEach(i -> given.add(checkpoints.next(fence(1), ID).orElseThrow()));
    assertThat(given).hasSize(2_000).allMatch(version -> version.updatedAt().isAfter(CLOCK));
  }

  @Test
  void whatWasWrittenInTheFutureIsPassed() {
    StateVersion future = new StateVersion(CLOCK.plusSeconds(3600));
    checkpoints.looked(fence(1), ID, CLOCK, future);
    nanos.addAndGet(Duration.ofMillis(250).toNanos());
    assertThat(checkpoints.next(fence(1), ID))
        .isEqualTo(Optional.of(new StateVersion(CLOCK.plusSeconds(3600).plusMillis(1))));
  }

  @Test
  void aSecondLaterOneLooksAgain() {
    checkpoints.looked(fence(1), ID, CLOCK, FIRST);
    nanos.addAndGet(Duration.ofSeconds(1).toNanos() - 1);
    assertThat(checkpoints.next(fence(1), ID)).isPresent();
    nanos.addAndGet(1);
    assertThat(checkpoints.next(fence(1), ID)).isEmpty();
  }

  @Test
  void whatIsForgottenIsLookedForAgain() {
    checkpoints.looked(fence(1), ID, CLOCK, FIRST);
    checkpoints.looked(fence(2), ID, CLOCK, FIRST);
    checkpoints.forget(fence(1), ID);
    assertThat(checkpoints.next(fence(1), ID)).isEmpty();
    assertThat(checkpoints.next(fence(2), ID)).isPresent();
  }

  @Test
  void theLongestUnusedLockIsForgotten() {
    for (int lock = 0; lock <= 1024; lock++) {
      checkpoints.looked(fence(lock), ID, CLOCK, FIRST);
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
