package dev.statectl.usecase;

import dev.statectl.inmemory.InMemoryBackend;
import dev.statectl.lock.LockCandidate;
import dev.statectl.lock.LockId;
import dev.statectl.lock.LockTerms;
import dev.statectl.port.StateStore;
import dev.statectl.state.StateId;
import java.util.List;

/** Locks in memory in a time that a test moves. */
final class LockFixture {
  static final StateId ID = StateId.of("dev:tap-to-target");

  final MovedTime time = new MovedTime();
  final InMemoryBackend backend = InMemoryBackend.create(time.storeClock);
  final FaultyLockTable table = new FaultyLockTable(backend.locks());
  private int ids;

  AcquireLock acquire(String holder) {
    return acquire(holder, LockTerms.DEFAULT);
  }

  AcquireLock acquire(String holder, LockTerms terms) {
    return new AcquireLock(table, terms, means(), holder);
  }

  LockMeans means() {
    return new LockMeans(
        () -> LockId.of(time.storeClock.instant(), ids++),
        time::nanoTime,
        time::pause,
        () -> 0.5,
        time::after);
  }

  StateStore store() {
    return backend.states();
  }

  /** A row as the Python plugin inserts it. */
  LockId pluginAnnounces(String uuid) {
    LockId lockId = new LockId(uuid);
    backend.locks().announce(ID, lockId, "");
    return lockId;
  }

  List<LockCandidate> rows() {
    return backend.locks().look(ID);
  }
}
