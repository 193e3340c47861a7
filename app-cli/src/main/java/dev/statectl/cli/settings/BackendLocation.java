package dev.statectl.cli.settings;

import dev.statectl.clickhouse.ClickHouseSettings;
import dev.statectl.clickhouse.LockPeers;
import dev.statectl.lock.LockTerms;
import java.nio.file.Path;

/** Where state is kept: the answer of {@link Settings#resolve}. Its text form shows no secret. */
public sealed interface BackendLocation {
  /**
   * Gives the times that locks keep to here.
   *
   * @return those of the settings; {@link LockTerms#DEFAULT} where there are none
   */
  default LockTerms locks() {
    return LockTerms.DEFAULT;
  }

  /**
   * Tables in ClickHouse.
   *
   * @param settings the connection and the tables
   * @param peers who else uses the lock table
   * @param locks the times that locks keep to
   */
  record ClickHouseLocation(ClickHouseSettings settings, LockPeers peers, LockTerms locks)
      implements BackendLocation {
    /**
     * Gives the same place with another password.
     *
     * @param password the password; empty for none
     * @return the place
     */
    public ClickHouseLocation withPassword(String password) {
      return new ClickHouseLocation(settings.withPassword(password), peers, locks);
    }
  }

  /**
   * The embedded store in a file.
   *
   * @param file the file, absolute; it need not exist
   * @param byDefault whether it was chosen because nothing was configured
   */
  record SnapshotLocation(Path file, boolean byDefault) implements BackendLocation {}

  /** The embedded store that ends with the process. */
  record MemoryLocation() implements BackendLocation {}
}
