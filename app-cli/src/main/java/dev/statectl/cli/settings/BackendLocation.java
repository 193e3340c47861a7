package dev.statectl.cli.settings;

import dev.statectl.clickhouse.ClickHouseSettings;
import java.nio.file.Path;

/** Where state is kept: the answer of {@link Settings#resolve}. Its text form shows no secret. */
public sealed interface BackendLocation {
  /**
   * Tables in ClickHouse.
   *
   * @param settings the connection and the tables
   */
  record ClickHouseLocation(ClickHouseSettings settings) implements BackendLocation {}

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
