package dev.statectl.inmemory;

import dev.statectl.lock.LockId;
import dev.statectl.port.StoredRow;
import dev.statectl.state.StateId;
import java.time.Duration;

/** Lets tests of other packages store rows as other programs would. */
public final class Planting {
  private Planting() {}

  /** Stores the row past every rule. */
  public static void plant(InMemoryBackend backend, StoredRow row) {
    backend.store().plant(row);
  }

  /** Puts a claim in the place of any other, as if another candidate had taken it over. */
  public static void plantClaim(InMemoryBackend backend, StateId id, LockId lockId, String holder) {
    backend.store().locks().plantClaim(id, lockId, holder, Duration.ZERO);
  }
}
