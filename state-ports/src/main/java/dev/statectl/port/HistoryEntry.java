package dev.statectl.port;

import dev.statectl.state.StateId;
import dev.statectl.state.StateVersion;
import java.time.Instant;
import java.util.Optional;

/**
 * One record in the history of an id, without what was stored. Immutable and thread-safe.
 *
 * @param id whose state it is
 * @param version the version that was stored; of a removal one that is later than all that it
 *     removed
 * @param recordedAt when the store recorded it, by its clock
 * @param kind what was done
 * @param author who did it, as the program that did it says; empty where it says nothing
 * @param account the user whom the store knows; empty where it knows none, and for states that were
 *     stored before recording began
 * @param revertedTo of an undo the version whose content was stored again
 * @param completedBytes how long the text of the completed half is, in bytes; 0 when it is null
 * @param partialBytes how long the text of the partial half is, in bytes; 0 when it is null
 * @param fingerprint the same for two records of one history with the same bytes in both halves,
 *     and else another; its form is each store's own
 */
public record HistoryEntry(
    StateId id,
    StateVersion version,
    Instant recordedAt,
    Kind kind,
    String author,
    String account,
    Optional<StateVersion> revertedTo,
    long completedBytes,
    long partialBytes,
    String fingerprint) {

  /** What was done to a state. */
  public enum Kind {
    /** It was stored. */
    WRITTEN,
    /** It was removed. */
    DELETED
  }
}
