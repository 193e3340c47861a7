package dev.statectl.inmemory;

import dev.statectl.port.StoredRow;

/** Lets tests of other packages store rows as other programs would. */
public final class Planting {
  private Planting() {}

  /** Stores the row past every rule. */
  public static void plant(InMemoryBackend backend, StoredRow row) {
    backend.store().plant(row);
  }
}
