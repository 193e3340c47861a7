package dev.statectl.port;

import java.time.Duration;
import java.util.Optional;

/**
 * Whether history is recorded. Immutable and thread-safe.
 *
 * @param recording whether it is
 * @param keep how long a record is kept after it was made; empty where nothing was ever recorded,
 *     or where somebody gave the store a rule of another form
 */
public record HistoryStatus(Recording recording, Optional<Duration> keep) {

  /** What recording can be like. */
  public enum Recording {
    /** Nothing was ever recorded. */
    NEVER,
    /** Every write is recorded. */
    ON,
    /** Nothing is recorded any more; what was recorded before is kept. */
    OFF,
    /**
     * What is recorded has no place to go, since somebody removed it: every write fails until
     * recording is enabled again or disabled.
     */
    BROKEN
  }
}
