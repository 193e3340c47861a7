package dev.statectl.inmemory;

import dev.statectl.contract.RawLock;
import dev.statectl.contract.RawRow;
import dev.statectl.json.JsonObject;
import dev.statectl.lock.LockId;
import dev.statectl.port.StoredRow;
import dev.statectl.state.State;
import dev.statectl.state.StateId;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;

/** What the tests of this package share. */
final class Fixtures {
  static final Instant NOW = Instant.parse("2026-03-04T05:06:07.008Z");

  /** Stands still, so that all writes fall into one millisecond. */
  static final Clock CLOCK = Clock.fixed(NOW, ZoneOffset.UTC);

  private Fixtures() {}

  static StoredRow row(RawRow row) {
    return new StoredRow(StateId.ofStored(row.id()), row.completed(), row.partial(), row.version());
  }

  static void plant(InMemoryBackend backend, RawLock row) {
    backend
        .store()
        .locks()
        .plant(
            StateId.ofStored(row.id()),
            new LockId(row.lockId()),
            row.holder(),
            Duration.ofSeconds(row.ageSeconds()));
  }

  static boolean plantClaim(InMemoryBackend backend, RawLock claim) {
    backend
        .store()
        .locks()
        .plantClaim(
            StateId.ofStored(claim.id()),
            new LockId(claim.lockId()),
            claim.holder(),
            Duration.ofSeconds(claim.ageSeconds()));
    return true;
  }

  static State state(String id, String completed) {
    return state(id, completed, "{}");
  }

  static State state(String id, String completed, String partial) {
    return State.of(StateId.of(id), JsonObject.parse(completed), JsonObject.parse(partial));
  }
}
