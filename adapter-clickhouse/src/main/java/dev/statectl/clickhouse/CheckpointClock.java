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
 * Thread-safe.
 */
final class CheckpointClock {
  private static final long FRESH_NANOS = Duration.ofSeconds(1).toNanos();
  private static final int MOST_KNOWN = 1024;

  /** What the last look showed, and the version that was given out last. */
  private record Seen(Instant clock, long nanoTime, StateVersion newest) {}

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

  /** Gives the next version of an id, other than any before; empty where one has to look. */
  synchronized Optional<StateVersion> next(Fence fence, StateId id) {
    Key key = new Key(fence.lockId(), id);
    Seen last = seen.get(key);
    if (last == null) {
      return Optional.empty();
    }
    long passed = nanoTime.getAsLong() - last.nanoTime;
    if (passed >= FRESH_NANOS) {
      seen.remove(key);
      return Optional.empty();
    }
    StateVersion version =
        StateVersion.next(Optional.of(last.newest), last.clock.plusNanos(passed));
    seen.put(key, new Seen(last.clock, last.nanoTime, version));
    return Optional.of(version);
  }

  /**
   * Takes what a look showed.
   *
   * @param clock the server's clock
   * @param version what is written after the look
   */
  synchronized void looked(Fence fence, StateId id, Instant clock, StateVersion version) {
    seen.put(new Key(fence.lockId(), id), new Seen(clock, nanoTime.getAsLong(), version));
  }

  /** Has the next one look: nobody knows what is stored. */
  synchronized void forget(Fence fence, StateId id) {
    seen.remove(new Key(fence.lockId(), id));
  }
}
