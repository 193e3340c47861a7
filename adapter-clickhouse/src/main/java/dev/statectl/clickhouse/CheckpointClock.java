package dev.statectl.clickhouse;

import dev.statectl.lock.Fence;
import dev.statectl.lock.LockId;
import dev.statectl.state.StateId;
import dev.statectl.state.StateVersion;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongSupplier;

/**
 * Gives the versions of checkpoints that follow one another under one lock, without asking the
 * server for each. A look at the newest version and the server's clock counts for a second; within
 * it the clock goes on by the local monotonic one. That starts when the answer has arrived, so it
 * is never ahead of the server's, and whoever comes after this lock chooses a newer version. Who
 * writes with such a version has the server see that nobody wrote a newer one past the lock.
 *
 * <p>No version is given that is not past all before it, whatever a look shows: a write whose
 * outcome is unknown may still arrive, and the answer to one look may come after what was written
 * behind another. Thread-safe.
 */
final class CheckpointClock {
  private static final long FRESH_NANOS = Duration.ofSeconds(1).toNanos();
  private static final int MOST_KNOWN = 1024;

  /**
   * What the last look showed, and the version that was given out last.
   *
   * @param isOver whether the next one looks again
   */
  private record Seen(Instant clock, long nanoTime, StateVersion newest, boolean isOver) {}

  private record Key(LockId lockId, StateId id) {}

  private final LongSupplier nanoTime;
  private final Map<Key, Seen> seen =
      new LinkedHashMap<>() {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<Key, Seen> eldest) {
          return size() > MOST_KNOWN;
        }
      };

  CheckpointClock(LongSupplier nanoTime) {
    this.nanoTime = nanoTime;
  }

  /** Gives the next version of an id; empty where one has to look. */
  synchronized Optional<StateVersion> next(Fence fence, StateId id) {
    Key key = new Key(fence.lockId(), id);
    Seen last = seen.get(key);
    if (last == null || last.isOver) {
      return Optional.empty();
    }
    long passed = nanoTime.getAsLong() - last.nanoTime;
    if (passed >= FRESH_NANOS) {
      return Optional.empty();
    }
    StateVersion version =
        StateVersion.next(Optional.of(last.newest), last.clock.plusNanos(passed));
    seen.put(key, new Seen(last.clock, last.nanoTime, version, false));
    return Optional.of(version);
  }

  /**
   * Takes what a look showed, and gives the version of what is written after it.
   *
   * @param stored the newest version that is stored, or empty when none is
   * @param clock the server's clock
   */
  synchronized StateVersion looked(
      Fence fence, StateId id, Optional<StateVersion> stored, Instant clock) {
    Key key = new Key(fence.lockId(), id);
    Seen last = seen.get(key);
    Optional<StateVersion> newest =
        last == null || stored.filter(v -> v.compareTo(last.newest) >= 0).isPresent()
            ? stored
            : Optional.of(last.newest);
    StateVersion version = StateVersion.next(newest, clock);
    seen.put(key, new Seen(clock, nanoTime.getAsLong(), version, false));
    return version;
  }

  /** Has the next one look: nobody knows what is stored. */
  synchronized void forget(Fence fence, StateId id) {
    seen.computeIfPresent(
        new Key(fence.lockId(), id),
        (key, last) -> new Seen(last.clock, last.nanoTime, last.newest, true));
  }
}
