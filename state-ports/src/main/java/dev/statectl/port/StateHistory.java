package dev.statectl.port;

import dev.statectl.lock.Fence;
import dev.statectl.state.State;
import dev.statectl.state.StateId;
import dev.statectl.state.StateVersion;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * The port that keeps what states were. While recording is enabled, every write of a state is
 * recorded by the store itself, also that of another program, and every removal through {@link
 * StateStore}. A removal by another program is not: then the newest record is one of a state that
 * is no longer there. Enabling it is for the whole store, for all programs, and lasts.
 *
 * <p>Records are ordered by version, and of equal versions by when they were recorded: the newest
 * written one is the state that {@link StateStore#find} gives. Only a state that was stored after
 * the removal of one with a version in the future may stand below that one. A store that drops an
 * insert for repeating an earlier one may record what it dropped.
 *
 * <p>How long a record is kept counts from when it was made, not from when its state was replaced.
 * What {@link StateStore#save} replaces and {@link StateStore#delete} removes after a longer time
 * is recorded again before; what other programs replace after it is not.
 *
 * <p>Implementations are thread-safe. Every method may throw {@link StateFailure.Unavailable},
 * {@link StateFailure.Denied}, {@link StateFailure.WrongSchema}, and {@link IllegalStateException}
 * when the backend was closed. Rules {@code R-…} in CONTRACT.md.
 */
public interface StateHistory {
  /** How long records are kept unless somebody says otherwise: 90 days. */
  Duration DEFAULT_KEEP = Duration.ofDays(90);

  /** For a walk over all records. */
  int NO_LIMIT = Integer.MAX_VALUE;

  /**
   * Tells whether history is recorded. Creates nothing.
   *
   * @return the status
   */
  HistoryStatus status();

  /**
   * Records every write from now on, and once what is stored already. Where recording is enabled
   * already, this changes how long records are kept, and mends what is missing.
   *
   * @param keep how long a record is kept after it was made, at least a second; what is finer is
   *     dropped
   * @throws IllegalArgumentException when {@code keep} is less than a second
   */
  void enable(Duration keep);

  /**
   * Records nothing any more, and keeps what was recorded for as long as was said. Does nothing
   * where nothing is recorded.
   */
  void disable();

  /**
   * Walks the history of an id from the newest record to the oldest. No state is read, so their
   * size does not matter, and those that cannot be read are among them.
   *
   * @param id whose history; one that may not be written is looked for all the same
   * @param limit how many records at most, at least 1; {@link #NO_LIMIT} for all
   * @param action is called with each record, in the calling thread; it may use the store. What it
   *     throws ends the walk and reaches the caller
   * @throws StateFailure.NoHistory when nothing was ever recorded here
   * @throws IllegalArgumentException when {@code limit} is less than 1
   */
  void forEach(StateId id, int limit, Consumer<? super HistoryEntry> action);

  /**
   * Walks the history of an id as {@link #forEach} does, with what was stored. What is no state
   * comes as {@link StoredState.Unreadable} and does not end the walk.
   *
   * @param id whose history
   * @param limit how many records at most, at least 1; {@link #NO_LIMIT} for all
   * @param action is called with each record, in the calling thread; it may use the store. What it
   *     throws ends the walk and reaches the caller
   * @throws StateFailure.NoHistory when nothing was ever recorded here
   * @throws IllegalArgumentException when {@code limit} is less than 1
   */
  void forEachRecord(StateId id, int limit, Consumer<? super HistoryRecord> action);

  /**
   * Finds one record.
   *
   * @param id whose history
   * @param version the version
   * @return the record of that version, of several the one that was recorded last, or empty when
   *     there is none
   * @throws StateFailure.NoHistory when nothing was ever recorded here
   */
  Optional<HistoryRecord> find(StateId id, StateVersion version);

  /**
   * Finds what stands before a version: the record that a walk gives next after the one that {@link
   * #find} gives. However long the history is, little more than that record is read of it.
   *
   * @param id whose history
   * @param version the version; of one without a record, this gives the newest older one
   * @return the record, or empty when there is none before
   * @throws StateFailure.NoHistory when nothing was ever recorded here
   */
  Optional<HistoryRecord> findBefore(StateId id, StateVersion version);

  /**
   * Stores again what a record holds, as {@link StateStore#save(State, Fence)} does, and records
   * that this undoes what came after that record ({@link HistoryEntry#revertedTo()}). The store may
   * be forbidden to record the latter; the state is stored all the same.
   *
   * @param recorded the state, of the record's version
   * @param fence the lock, its holder's candidate, and how old its row may be
   * @return the version that was stored
   * @throws StateFailure.LockLost when the holder's row was gone or stale; nothing was changed
   * @throws StateFailure.TooLarge when the state is larger than {@link SaveRules#MAX_STATE_BYTES}
   * @throws StateFailure.OutcomeUnknown when the connection failed after the write was sent
   * @throws IllegalArgumentException when the id may not be written ({@link StateId#fault()})
   */
  StateVersion revert(State recorded, Fence fence);
}
