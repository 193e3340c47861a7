package dev.statectl.cli.settings;

import dev.statectl.clickhouse.ClickHouseSettings;
import dev.statectl.clickhouse.LockPeers;
import dev.statectl.lock.LockTerms;
import dev.statectl.port.SaveRules;
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
   * Tells how long a state may become here by hand, unless somebody insists.
   *
   * @return bytes of UTF-8, both halves together; {@link SaveRules#MAX_STATE_BYTES} where nothing
   *     is set
   */
  default long maxStateBytes() {
    return SaveRules.MAX_STATE_BYTES;
  }

  /**
   * Tables in ClickHouse.
   *
   * @param settings the connection and the tables
   * @param peers who else uses the lock table
   * @param locks the times that locks keep to
   * @param maxStateBytes how long a state may become by hand, in bytes
   */
  record ClickHouseLocation(
      ClickHouseSettings settings, LockPeers peers, LockTerms locks, long maxStateBytes)
      implements BackendLocation {
    /**
     * Gives the same place with another password.
     *
     * @param password the password; empty for none
     * @return the place
     */
    public ClickHouseLocation withPassword(String password) {
      return new ClickHouseLocation(settings.withPassword(password), peers, locks, maxStateBytes);
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
