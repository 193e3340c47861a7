package dev.statectl.usecase;

import dev.statectl.inmemory.InMemoryBackend;
import dev.statectl.inmemory.Planting;
import dev.statectl.json.JsonObject;
import dev.statectl.lock.LockId;
import dev.statectl.lock.LockTerms;
import dev.statectl.port.StateHistory;
import dev.statectl.port.StateStore;
import dev.statectl.port.StoredRow;
import dev.statectl.state.State;
import dev.statectl.state.StateId;
import dev.statectl.state.StateVersion;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;

/** States in memory, with a clock that stands still. */
final class UseCaseFixture {
  static final StateVersion FIRST = version("2026-03-04T05:06:07.008Z");
  static final StateVersion SECOND = version("2026-03-04T05:06:07.009Z");
  static final StateId ID = StateId.of("dev:tap-to-target");

  private final InMemoryBackend backend =
      InMemoryBackend.create(Clock.fixed(FIRST.updatedAt(), ZoneOffset.UTC));

  private int ids;

  StateStore store() {
    return backend.states();
  }

  StateHistory history() {
    return backend.history();
  }

  AcquireLock locks() {
    return new AcquireLock(
        backend.locks(),
        LockTerms.DEFAULT,
        new LockMeans(
            () -> LockId.of(FIRST.updatedAt(), ids++),
            () -> 0,
            duration -> {},
            () -> 0,
            (delay, task) -> () -> {}),
        "the test");
  }

  /** What is stored under {@link #ID}: both halves and the version. */
  State stored() {
    return store().find(ID).orElseThrow();
  }

  /** Stores under {@link #ID} a completed half that is no object. */
  void plantUnreadable() {
    Planting.plant(backend, new StoredRow(ID, "[1]", null, version("2026-01-01T00:00:00Z")));
  }

  static State state(String completed, String partial) {
    return State.of(ID, JsonObject.parse(completed), JsonObject.parse(partial));
  }

  /** Stores under {@link #ID} a row as another program would. */
  void plant(String completed, String version) {
    Planting.plant(backend, new StoredRow(ID, completed, null, version(version)));
  }

  static StateVersion version(String instant) {
    return new StateVersion(Instant.parse(instant));
  }
}
