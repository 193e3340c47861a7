package dev.statectl.port;

import dev.statectl.lock.Fence;
import dev.statectl.state.State;
import dev.statectl.state.StateId;
import dev.statectl.state.StateIdGlob;
import dev.statectl.state.StateVersion;
import java.util.Collection;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

/**
 * The port that keeps states. It stores and finds; what a newer state does to a stored one is
 * decided by the use cases.
 *
 * <p>Callers are the use cases and services that hold an adapter; implementers are adapters, which
 * prove themselves by the contract kit (rules {@code S-…} in CONTRACT.md). Implementations are
 * thread-safe. What a read returns is the caller's and never changes afterwards.
 *
 * <p>A write that returns is durable as far as the store can make it so, and seen by every later
 * read. A write that throws {@link StateFailure.OutcomeUnknown} may have happened; one that throws
 * any other failure has not, unless its method says otherwise. Every method may throw, besides what
 * it names itself, {@link StateFailure.Unavailable} when the store does not answer, {@link
 * StateFailure.Denied} when the user may not do this, {@link StateFailure.WrongSchema} when the
 * store's tables or files are not of the expected form, and {@link IllegalStateException} when the
 * backend was closed.
 *
 * <p>Where nothing was stored yet, reads find nothing and create nothing.
 */
public interface StateStore {

  /**
   * Finds one state.
   *
   * @param id the state's id; one that may not be written is looked for all the same
   * @return the state as it was last saved, byte for byte, or empty when there is none
   * @throws StateFailure.UnreadableState when what is stored under the id is not a state
   */
  Optional<State> find(StateId id);

  /**
   * Tells which of many ids have a state, readable or not. A store that can tell it in fewer steps
   * than one an id overrides this.
   *
   * @param ids the ids; one that may not be written is looked for all the same
   * @return those of them that have a state
   */
  default Set<StateId> existing(Set<StateId> ids) {
    Set<StateId> existing = new HashSet<>();
    findAll(ids, stored -> existing.add(stored.id()));
    return existing;
  }

  /**
   * Finds the states of many ids. A state that cannot be read does not end it: it comes as {@link
   * StoredState.Unreadable}. Memory does not grow with the number of states, as far as the store
   * can help it. A store that can do it in fewer steps than one an id overrides this.
   *
   * @param ids the ids; one that may not be written is looked for all the same
   * @param action is called with each state that is there, in any order, in the calling thread; it
   *     may use the store. What it throws ends this and reaches the caller
   */
  default void findAll(Set<StateId> ids, Consumer<? super StoredState> action) {
    for (StateId id : ids) {
      Optional<StoredState> stored;
      try {
        stored = find(id).map(StoredState.Readable::new);
      } catch (StateFailure.UnreadableState e) {
        stored = Optional.of(new StoredState.Unreadable(e));
      }
      stored.ifPresent(action);
    }
  }

  /**
   * Stores a state in place of the one that has its id. The version is chosen by {@link
   * StateVersion#next}, from the store's own clock and the newest version stored for the id,
   * whatever version the given state has.
   *
   * @param state the state; an empty one is stored as well
   * @return the version that was stored
   * @throws StateFailure.TooLarge when the state is larger than {@link SaveRules#MAX_STATE_BYTES}
   * @throws StateFailure.OutcomeUnknown when the connection failed after the write was sent
   * @throws IllegalArgumentException when the id may not be written ({@link StateId#fault()})
   */
  StateVersion save(State state);

  /**
   * Stores a state as {@link #save(State)} does, but only if, in the same step, the holder's row of
   * a lock is there and not stale.
   *
   * @param state the state; an empty one is stored as well
   * @param fence the lock, its holder's candidate, and how old its row may be
   * @return the version that was stored
   * @throws StateFailure.LockLost when the holder's row was gone or stale; nothing was changed
   * @throws StateFailure.TooLarge when the state is larger than {@link SaveRules#MAX_STATE_BYTES}
   * @throws StateFailure.OutcomeUnknown when the connection failed after the write was sent
   * @throws IllegalArgumentException when the id may not be written ({@link StateId#fault()})
   */
  StateVersion save(State state, Fence fence);

  /**
   * Stores many states, each as {@link #save(State)} does, in few round trips. All are checked
   * before the first is written. A failure after that leaves each state either as given or as it
   * was. Of two states with one id the last is stored.
   *
   * @param states the states; none does nothing
   * @throws StateFailure.TooLarge when one state is too large; none is written
   * @throws StateFailure.OutcomeUnknown when the connection failed after a write was sent
   * @throws IllegalArgumentException when one id may not be written; none is written
   */
  void saveAll(Collection<State> states);

  /**
   * Removes a state with all its versions.
   *
   * @param id the state's id; one that may not be written is removed all the same
   * @return true when there was a state, readable or not
   * @throws StateFailure.OutcomeUnknown when the connection failed after the removal was sent
   */
  boolean delete(StateId id);

  /**
   * Removes a state as {@link #delete(StateId)} does, but only if, in the same step, the holder's
   * row of a lock is there and not stale.
   *
   * @param id the state's id
   * @param fence the lock, its holder's candidate, and how old its row may be
   * @return true when there was a state, readable or not
   * @throws StateFailure.LockLost when the holder's row was gone or stale; nothing was changed
   * @throws StateFailure.OutcomeUnknown when the connection failed after the removal was sent
   */
  boolean delete(StateId id, Fence fence);

  /**
   * Removes all states.
   *
   * @return how many there were
   * @throws StateFailure.OutcomeUnknown when the connection failed after the removal was sent
   */
  long deleteAll();

  /**
   * Walks the ids that a glob picks, in the order of {@link StateId}. No state is read, so the size
   * of states does not matter, and ids whose state cannot be read are among them. Memory does not
   * grow with the number of ids, as far as the store can help it.
   *
   * @param glob picks the ids
   * @param action is called with each id, in the calling thread; it may use the store. What it
   *     throws ends the walk and reaches the caller
   */
  void forEachId(StateIdGlob glob, Consumer<? super StateId> action);

  /**
   * Walks the states that a glob picks, in the order of their ids. A state that cannot be read does
   * not end the walk: it comes as {@link StoredState.Unreadable}. Memory does not grow with the
   * number of states, as far as the store can help it.
   *
   * @param glob picks the ids
   * @param action is called with each state, in the calling thread; it may use the store. What it
   *     throws ends the walk and reaches the caller
   */
  void forEachState(StateIdGlob glob, Consumer<? super StoredState> action);
}
