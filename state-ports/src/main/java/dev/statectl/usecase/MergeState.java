package dev.statectl.usecase;

import dev.statectl.json.JsonObject;
import dev.statectl.port.SaveRules;
import dev.statectl.port.StateFailure;
import dev.statectl.port.StateStore;
import dev.statectl.state.State;
import dev.statectl.state.StateId;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Merges documents into the state of an id, as an incomplete run does with what it leaves: they are
 * laid over the stored partial half, one after the other, and the completed half stays ({@link
 * State#updatedBy}). Where nothing is stored they make a new partial half.
 *
 * <p>Thread-safe. Reading, merging and writing happen under the id's lock, and the write is fenced.
 *
 * @see <a
 *     href="https://github.com/meltano/meltano/blob/main/src/meltano/core/state_service.py">Meltano's
 *     StateService.merge_state, which saves an incomplete payload</a>
 */
public final class MergeState {
  private final StateStore store;
  private final AcquireLock locks;

  /**
   * Makes the use case.
   *
   * @param store where states are kept
   * @param locks takes the id's lock
   */
  public MergeState(StateStore store, AcquireLock locks) {
    this.store = store;
    this.locks = locks;
  }

  /**
   * What a merge does to a state.
   *
   * @param before the state that was stored, or empty when there was none
   * @param after the state as it is stored by the merge, of version {@link
   *     dev.statectl.state.StateVersion#NONE}
   */
  public record Merged(Optional<State> before, State after) {}

  /**
   * Merges one document.
   *
   * @param id whose state is changed
   * @param document what is laid over its partial half
   * @return the state before and after
   * @throws StateFailure.UnreadableState when what is stored cannot be read; nothing is changed
   * @throws StateFailure as {@link StateStore#save(State)} and {@link AcquireLock} do
   * @throws IllegalArgumentException when the id may not be written
   */
  public Merged merge(StateId id, JsonObject document) {
    return merge(id, document, GuardRails.NONE);
  }

  /**
   * Merges one document, unless guard rails refuse it.
   *
   * @param id whose state is changed
   * @param document what is laid over its partial half
   * @param guardRails are asked under the id's lock, about what is stored and what would be
   * @return the state before and after
   * @throws StateFailure.Doubtful when the guard rails refuse it; nothing is changed
   * @throws StateFailure as {@link #merge(StateId, JsonObject)} does
   * @throws IllegalArgumentException when the id may not be written
   */
  public Merged merge(StateId id, JsonObject document, GuardRails guardRails) {
    return locked(id, () -> List.of(document), guardRails);
  }

  /**
   * Merges what the next runs of other ids would start from, read under the changed id's lock.
   *
   * @param id whose state is changed
   * @param sources whose states are laid over it, in this order
   * @return the state before and after
   * @throws StateFailure.NotFound when there is no state under a source; nothing is changed
   * @throws StateFailure as {@link #merge(StateId, JsonObject)} does
   * @throws IllegalArgumentException when the id may not be written, or is one of the sources
   */
  public Merged merge(StateId id, List<StateId> sources) {
    return merge(id, sources, GuardRails.NONE);
  }

  /**
   * Merges what the next runs of other ids would start from, unless guard rails refuse it.
   *
   * @param id whose state is changed
   * @param sources whose states are laid over it, in this order
   * @param guardRails are asked under the id's lock, about what is stored and what would be
   * @return the state before and after
   * @throws StateFailure.Doubtful when the guard rails refuse it; nothing is changed
   * @throws StateFailure as {@link #merge(StateId, List)} does
   * @throws IllegalArgumentException as {@link #merge(StateId, List)} does
   */
  public Merged merge(StateId id, List<StateId> sources, GuardRails guardRails) {
    checkSources(id, sources);
    return locked(id, () -> documents(sources), guardRails);
  }

  /**
   * Tells what {@link #merge(StateId, JsonObject)} would do now. Takes no lock and changes nothing.
   *
   * @param id whose state would be changed
   * @param document what would be laid over its partial half
   * @return the state before and after
   * @throws StateFailure as {@link #merge(StateId, JsonObject)} does
   * @throws IllegalArgumentException when the id may not be written
   */
  public Merged preview(StateId id, JsonObject document) {
    return checked(merged(id, List.of(document)));
  }

  /**
   * Tells what {@link #merge(StateId, List)} would do now. Takes no lock and changes nothing.
   *
   * @param id whose state would be changed
   * @param sources whose states would be laid over it, in this order
   * @return the state before and after
   * @throws StateFailure as {@link #merge(StateId, List)} does
   * @throws IllegalArgumentException as {@link #merge(StateId, List)} does
   */
  public Merged preview(StateId id, List<StateId> sources) {
    checkSources(id, sources);
    return checked(merged(id, documents(sources)));
  }

  private Merged locked(StateId id, Supplier<List<JsonObject>> documents, GuardRails guardRails) {
    checkId(id);
    return locks.with(
        id,
        lock -> {
          Merged merged = merged(id, documents.get());
          SaveRules.check(merged.after());
          guardRails.check(merged.before(), merged.after());
          store.save(merged.after(), lock.fence());
          return merged;
        });
  }

  private Merged merged(StateId id, List<JsonObject> documents) {
    Optional<State> before = store.find(id);
    State after = before.orElse(State.of(id, JsonObject.EMPTY, JsonObject.EMPTY));
    for (JsonObject document : documents) {
      after = after.updatedBy(State.of(id, JsonObject.EMPTY, document));
    }
    return new Merged(before, after);
  }

  private List<JsonObject> documents(List<StateId> sources) {
    return sources.stream()
        .map(
            source ->
                store.find(source).orElseThrow(() -> new StateFailure.NotFound(source)).merged())
        .toList();
  }

  private static Merged checked(Merged merged) {
    SaveRules.check(merged.after());
    return merged;
  }

  private static void checkSources(StateId id, List<StateId> sources) {
    checkId(id);
    if (sources.contains(id)) {
      throw new IllegalArgumentException("'" + id + "' cannot be merged into itself");
    }
  }

  private static void checkId(StateId id) {
    SaveRules.check(State.of(id, JsonObject.EMPTY, JsonObject.EMPTY));
  }
}
