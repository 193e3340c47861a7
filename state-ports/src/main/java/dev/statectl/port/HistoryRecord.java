package dev.statectl.port;

import java.util.Optional;

/**
 * One record in the history of an id, with what was stored. Immutable and thread-safe.
 *
 * @param entry what is told of it
 * @param state the state of that version, or what is none; empty for a removal
 */
public record HistoryRecord(HistoryEntry entry, Optional<StoredState> state) {}
