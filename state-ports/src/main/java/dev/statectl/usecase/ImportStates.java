package dev.statectl.usecase;

import dev.statectl.port.SaveRules;
import dev.statectl.port.StateFailure;
import dev.statectl.port.StateStore;
import dev.statectl.state.State;
import dev.statectl.state.StateId;
import dev.statectl.state.StateIdGlob;
import dev.statectl.stream.Doubt;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.BooleanSupplier;

/**
 * Stores many states, both halves byte for byte. First all are looked at, then they are written in
 * batches; memory holds one batch and all ids.
 *
 * <p>Each state is written under its id's lock, as any other: else a run that merges at the same
 * time would undo the import, or the import would overwrite what {@link IfExists#SKIP} promises to
 * keep. The locks of a batch are taken in the order of the ids. A batch is one write for many
 * states and not fenced; that its locks are held is seen to right before it. Thread-safe.
 */
public final class ImportStates {
  private static final int BATCH_STATES = 50;
  private static final long BATCH_BYTES = 8L * 1024 * 1024;

  private final StateStore store;
  private final AcquireLock locks;
  private final Presence presence;
  private final int batchStates;
  private final long batchBytes;

  /**
   * Makes the use case.
   *
   * @param store where states are kept
   * @param locks takes the locks of the ids
   */
  public ImportStates(StateStore store, AcquireLock locks) {
    this(store, locks, BATCH_STATES, BATCH_BYTES);
  }

  /**
   * @param batchStates the most states of a batch: their locks are held together
   * @param batchBytes the bytes at which a batch is full
   */
  ImportStates(StateStore store, AcquireLock locks, int batchStates, long batchBytes) {
    this.store = store;
    this.locks = locks;
    this.presence = new Presence(store);
    this.batchStates = batchStates;
    this.batchBytes = batchBytes;
  }

  /** What becomes of a state whose id has one already. */
  public enum IfExists {
    /** The imported one takes its place. */
    OVERWRITE,
    /** The stored one stays. */
    SKIP,
    /** It is a failure. */
    FAIL
  }

  /**
   * What an import would do.
   *
   * @param states how many states the source has
   * @param existing how many of their ids have a state already
   * @param example one of these ids, or empty when there is none
   */
  public record Plan(long states, long existing, Optional<StateId> example) {}

  /**
   * What an import did. All states of the source are counted once.
   *
   * @param created how many ids have a state now that had none
   * @param updated how many states were overwritten
   * @param skipped how many stored states were kept
   * @param failed how many states were not stored, or perhaps not, after they were tried
   * @param notTried how many states were left when the import ended early
   */
  public record Result(long created, long updated, long skipped, long failed, long notTried) {}

  /**
   * Looks at all states and changes nothing.
   *
   * @param source the states
   * @return what an import would find
   * @throws StateFailure.TooLarge when a state is larger than may be written
   * @throws StateFailure as {@link StateStore#forEachId} does
   * @throws IllegalArgumentException when an id may not be written; what the source throws arrives
   *     unchanged
   */
  public Plan plan(StateSource source) {
    Set<StateId> ids = new HashSet<>();
    source.forEach(
        state -> {
          SaveRules.check(state);
          ids.add(state.id());
        });
    List<StateId> existing = existing(ids);
    return new Plan(ids.size(), existing.size(), existing.stream().findFirst());
  }

  /**
   * Tells what guard rails would doubt of an import, and changes nothing. The stored states that
   * would be overwritten are read, one after the other.
   *
   * @param source the states
   * @param ifExists what would become of a state whose id has one already; about one that is not
   *     overwritten there are no doubts
   * @param guardRails what is doubted
   * @return the ids about whose states there are doubts, in the order of the source, and the doubts
   * @throws StateFailure as {@link StateStore#forEachId} and {@link StateStore#find} do
   */
  public Map<StateId, List<Doubt>> doubts(
      StateSource source, IfExists ifExists, GuardRails guardRails) {
    Set<StateId> ids = new HashSet<>();
    source.forEach(state -> ids.add(state.id()));
    Set<StateId> existing = new HashSet<>(existing(ids));
    Map<StateId, List<Doubt>> doubts = new LinkedHashMap<>();
    source.forEach(
        state -> {
          boolean exists = existing.contains(state.id());
          if (!exists || ifExists == IfExists.OVERWRITE) {
            Optional<State> stored =
                exists ? presence.find(state.id()).state() : Optional.<State>empty();
            List<Doubt> found = guardRails.doubts(stored, state);
            if (!found.isEmpty()) {
              doubts.put(state.id(), found);
            }
          }
        });
    return doubts;
  }

  private List<StateId> existing(Set<StateId> ids) {
    List<StateId> existing = new ArrayList<>();
    if (!ids.isEmpty()) {
      store.forEachId(
          StateIdGlob.ALL,
          id -> {
            if (ids.contains(id)) {
              existing.add(id);
            }
          });
    }
    return existing;
  }

  /**
   * Stores the states. A failure of one id does not keep the others from being stored; one of the
   * store itself (not reachable, not allowed, outcome unknown) ends the import, and what is left
   * was not tried.
   *
   * @param source the states, looked at before with {@link #plan}
   * @param ifExists what becomes of a state whose id has one already
   * @param failed is told each id whose state was not stored, and why; not of those that were not
   *     tried any more
   * @param stopped is asked before each batch whether to end here; what is left was not tried
   * @return what was done
   * @throws IllegalArgumentException as {@link #plan} does; what the source throws arrives
   *     unchanged, and what was stored by then stays
   */
  public Result run(
      StateSource source,
      IfExists ifExists,
      BiConsumer<? super StateId, ? super StateFailure> failed,
      BooleanSupplier stopped) {
    return run(source, ifExists, GuardRails.NONE, failed, stopped);
  }

  /**
   * Stores the states as {@link #run(StateSource, IfExists, BiConsumer, BooleanSupplier)} does, but
   * for those that guard rails refuse.
   *
   * @param source the states, looked at before with {@link #plan}
   * @param ifExists what becomes of a state whose id has one already
   * @param guardRails are asked about each state under its id's lock; one that they refuse is not
   *     stored, which is {@link StateFailure.Doubtful}, and keeps no other from being stored
   * @param failed is told each id whose state was not stored, and why; not of those that were not
   *     tried any more
   * @param stopped is asked before each batch whether to end here; what is left was not tried
   * @return what was done
   * @throws IllegalArgumentException as {@link #plan} does; what the source throws arrives
   *     unchanged, and what was stored by then stays
   */
  public Result run(
      StateSource source,
      IfExists ifExists,
      GuardRails guardRails,
      BiConsumer<? super StateId, ? super StateFailure> failed,
      BooleanSupplier stopped) {
    Run run = new Run(ifExists, guardRails, failed, stopped);
    source.forEach(run::add);
    run.writeBatch();
    return new Result(run.created, run.updated, run.skipped, run.failures, run.notTried);
  }

  /** Whether a failure is about the store, so that every other id would fail in the same way. */
  private static boolean isOfTheStore(StateFailure failure) {
    return switch (failure.kind()) {
      case UNAVAILABLE, DENIED, WRONG_SCHEMA, NO_HISTORY, OUTCOME_UNKNOWN -> true;
      case UNREADABLE_STATE, TOO_LARGE, NOT_FOUND, CONFLICT, DOUBTFUL, LOCK_HELD, LOCK_LOST ->
          false;
    };
  }

  /** One import under way. */
  private final class Run {
    private final IfExists ifExists;
    private final GuardRails guardRails;
    private final BiConsumer<? super StateId, ? super StateFailure> told;
    private final BooleanSupplier stopped;
    private final List<State> batch = new ArrayList<>();
    private long bytes;
    private boolean ended;
    private long created;
    private long updated;
    private long skipped;
    private long failures;
    private long notTried;

    /** A state whose lock is held. */
    private record Held(State state, boolean exists, StateLock lock) {}

    Run(
        IfExists ifExists,
        GuardRails guardRails,
        BiConsumer<? super StateId, ? super StateFailure> failed,
        BooleanSupplier stopped) {
      this.ifExists = ifExists;
      this.guardRails = guardRails;
      this.told = failed;
      this.stopped = stopped;
    }

    void add(State state) {
      if (ended) {
        notTried++;
        return;
      }
      batch.add(state);
      bytes += state.utf8Length();
      if (batch.size() == batchStates || bytes >= batchBytes) {
        writeBatch();
      }
    }

    void writeBatch() {
      List<State> states = new ArrayList<>(batch);
      states.sort(Comparator.comparing(State::id));
      batch.clear();
      bytes = 0;
      ended = ended || stopped.getAsBoolean();
      List<Held> held = new ArrayList<>();
      boolean done = false;
      try {
        for (State state : states) {
          if (ended) {
            notTried++;
          } else {
            prepare(state).ifPresent(held::add);
          }
        }
        save(held);
        done = true;
      } finally {
        if (!done) {
          StateLock.closeAll(held.stream().map(Held::lock).toList());
        }
      }
    }

    // Takes the lock, unless there is nothing to write.
    private Optional<Held> prepare(State state) {
      StateId id = state.id();
      try {
        if (ifExists == IfExists.SKIP && presence.of(id)) {
          skipped++;
          return Optional.empty();
        }
        StateLock lock = locks.acquire(id);
        boolean exists;
        boolean writes;
        try {
          Presence.Found found = presence.find(id);
          exists = found.exists();
          writes = !exists || ifExists == IfExists.OVERWRITE;
          if (writes) {
            guardRails.check(found.state(), state);
          }
        } catch (RuntimeException e) {
          release(lock).ifPresent(e::addSuppressed);
          throw e;
        }
        if (writes) {
          return Optional.of(new Held(state, exists, lock));
        }
        release(lock)
            .ifPresent(
                e -> {
                  throw e;
                });
        if (ifExists == IfExists.SKIP) {
          skipped++;
        } else {
          fail(
              id,
              new StateFailure.Conflict(
                  id, "a state of '" + id + "' was stored meanwhile; it was left as it is"));
        }
      } catch (StateFailure e) {
        fail(id, e);
      }
      return Optional.empty();
    }

    // Writes what is still locked, and lets go of all.
    private void save(List<Held> held) {
      List<Held> valid = new ArrayList<>();
      for (Held one : held) {
        try {
          one.lock().fence();
          valid.add(one);
        } catch (StateFailure.LockLost e) {
          fail(one.state().id(), e);
        }
      }
      Optional<StateFailure> refusal = Optional.empty();
      try {
        store.saveAll(valid.stream().map(Held::state).toList());
      } catch (StateFailure e) {
        refusal = Optional.of(e);
      }
      Map<StateId, StateFailure> notReleased =
          StateLock.closeAll(held.stream().map(Held::lock).toList());
      for (Held one : valid) {
        // Stored, but a lock that was lost or is left behind is not to go unsaid.
        Optional<StateFailure> failure =
            refusal.or(() -> Optional.ofNullable(notReleased.get(one.state().id())));
        if (failure.isPresent()) {
          fail(one.state().id(), failure.get());
        } else if (one.exists()) {
          updated++;
        } else {
          created++;
        }
      }
    }

    private void fail(StateId id, StateFailure failure) {
      failures++;
      told.accept(id, failure);
      ended = ended || isOfTheStore(failure);
    }

    private static Optional<StateFailure> release(StateLock lock) {
      return StateLock.closeAll(List.of(lock)).values().stream().findFirst();
    }
  }
}
