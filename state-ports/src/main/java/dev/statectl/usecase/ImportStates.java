package dev.statectl.usecase;

import dev.statectl.port.SaveRules;
import dev.statectl.port.StateFailure;
import dev.statectl.port.StateStore;
import dev.statectl.port.StoredState;
import dev.statectl.state.State;
import dev.statectl.state.StateId;
import dev.statectl.state.StateIdGlob;
import dev.statectl.stream.Doubt;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/**
 * Stores many states, both halves byte for byte. First all are looked at, then they are written in
 * batches; memory holds one batch and all ids.
 *
 * <p>Each state is written under its id's lock, as any other: else a run that merges at the same
 * time would undo the import, or the import would overwrite what {@link IfExists#SKIP} promises to
 * keep. The free locks of a batch are taken by one candidate in few steps, whatever their number;
 * those that others hold are waited for one after the other when the rest is stored. A batch is one
 * write for many states and not fenced; that its locks are held is seen to right before it.
 * Thread-safe.
 */
public final class ImportStates {
  private static final int BATCH_STATES = 10_000;
  private static final long BATCH_BYTES = 8L * 1024 * 1024;

  // To ask for so many ids takes fewer steps than to go through all that are stored.
  private static final int FEW = 5_000;

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
   * What an import would find and what would be doubted of it.
   *
   * @param plan what it would find
   * @param doubts the ids about whose states there are doubts, in the order of the source, and the
   *     doubts
   */
  public record Examination(Plan plan, Map<StateId, List<Doubt>> doubts) {}

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
    return examine(source, IfExists.OVERWRITE, GuardRails.NONE).plan();
  }

  /**
   * Looks at all states as {@link #plan} does, and tells what guard rails would doubt. The source
   * is gone through once, and once more where states would be overwritten, which are then read.
   *
   * @param source the states
   * @param ifExists what would become of a state whose id has one already; about one that is not
   *     overwritten there are no doubts
   * @param guardRails what is doubted
   * @return what was found
   * @throws StateFailure as {@link #plan} and {@link StateStore#findAll} do
   * @throws IllegalArgumentException as {@link #plan} does
   */
  public Examination examine(StateSource source, IfExists ifExists, GuardRails guardRails) {
    Set<StateId> ids = new HashSet<>();
    Map<StateId, List<Doubt>> doubts = new LinkedHashMap<>();
    source.forEach(
        state -> {
          SaveRules.check(state);
          ids.add(state.id());
          // As if none of them were there yet.
          note(guardRails.doubts(Optional.empty(), state), state.id(), doubts);
        });
    Set<StateId> existing = existing(ids);
    Plan plan =
        new Plan(ids.size(), existing.size(), existing.stream().min(Comparator.naturalOrder()));
    if (existing.isEmpty() || !guardRails.areUp()) {
      return new Examination(plan, doubts);
    }
    if (ifExists != IfExists.OVERWRITE) {
      doubts.keySet().removeAll(existing);
      return new Examination(plan, doubts);
    }
    ids.clear();
    return new Examination(plan, doubtsOfOverwriting(source, existing, guardRails));
  }

  private Map<StateId, List<Doubt>> doubtsOfOverwriting(
      StateSource source, Set<StateId> existing, GuardRails guardRails) {
    Map<StateId, List<Doubt>> doubts = new LinkedHashMap<>();
    Batch batch = new Batch(batchStates, batchBytes);
    Consumer<List<State>> judge =
        states -> {
          Map<StateId, List<Doubt>> found = new HashMap<>();
          Map<StateId, State> byId = byId(states);
          Set<StateId> left = new HashSet<>(byId.keySet());
          left.retainAll(existing);
          store.findAll(
              Set.copyOf(left),
              stored -> {
                State state = byId.get(stored.id());
                if (state != null && left.remove(stored.id())) {
                  note(guardRails.doubts(readable(stored), state), stored.id(), found);
                }
              });
          for (State state : states) {
            if (left.contains(state.id()) || !existing.contains(state.id())) {
              note(guardRails.doubts(Optional.empty(), state), state.id(), doubts);
            } else {
              note(found.getOrDefault(state.id(), List.of()), state.id(), doubts);
            }
          }
        };
    source.forEach(state -> batch.add(state).ifPresent(judge));
    judge.accept(batch.take());
    return doubts;
  }

  private static void note(List<Doubt> found, StateId id, Map<StateId, List<Doubt>> doubts) {
    if (!found.isEmpty()) {
      doubts.put(id, found);
    }
  }

  private static Optional<State> readable(StoredState stored) {
    return stored instanceof StoredState.Readable readable
        ? Optional.of(readable.state())
        : Optional.empty();
  }

  private static Map<StateId, State> byId(List<State> states) {
    Map<StateId, State> byId = new LinkedHashMap<>();
    states.forEach(state -> byId.put(state.id(), state));
    return byId;
  }

  private Set<StateId> existing(Set<StateId> ids) {
    if (ids.size() <= FEW) {
      return store.existing(ids);
    }
    Set<StateId> existing = new HashSet<>();
    store.forEachId(
        StateIdGlob.ALL,
        id -> {
          if (ids.contains(id)) {
            existing.add(id);
          }
        });
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
   * @param stopped is asked before each batch, and before each wait for a lock, whether to end
   *     here; what is left was not tried
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
   * @param stopped is asked before each batch, and before each wait for a lock, whether to end
   *     here; what is left was not tried
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
    run.end();
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

  /** States until there are enough of them. */
  private static final class Batch {
    private final int mostStates;
    private final long mostBytes;
    private List<State> states = new ArrayList<>();
    private long bytes;

    Batch(int mostStates, long mostBytes) {
      this.mostStates = mostStates;
      this.mostBytes = mostBytes;
    }

    /** Adds a state, and gives all of them when that makes it full. */
    Optional<List<State>> add(State state) {
      states.add(state);
      bytes += state.utf8Length();
      boolean full = states.size() == mostStates || bytes >= mostBytes;
      return full ? Optional.of(take()) : Optional.empty();
    }

    /** Gives the states and begins anew. */
    List<State> take() {
      List<State> taken = states;
      states = new ArrayList<>();
      bytes = 0;
      return taken;
    }
  }

  /** One import under way. */
  private final class Run {
    private final IfExists ifExists;
    private final GuardRails guardRails;
    private final BiConsumer<? super StateId, ? super StateFailure> told;
    private final BooleanSupplier stopped;
    private final Batch batch = new Batch(batchStates, batchBytes);
    private boolean ended;
    private long created;
    private long updated;
    private long skipped;
    private long failures;
    private long notTried;

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
      batch.add(state).ifPresent(this::write);
    }

    void end() {
      write(batch.take());
    }

    private void write(List<State> states) {
      List<State> left = new ArrayList<>(states);
      left.sort(Comparator.comparing(State::id));
      while (!left.isEmpty() && goesOn(left)) {
        left = writeUntilOneIsFree(writeTogether(left));
      }
    }

    private boolean goesOn(List<State> left) {
      ended = ended || stopped.getAsBoolean();
      if (ended) {
        notTried += left.size();
      }
      return !ended;
    }

    // Gives those whose locks are not free.
    private List<State> writeTogether(List<State> states) {
      List<State> wanted = states;
      LockBatch taken;
      try {
        if (ifExists == IfExists.SKIP) {
          Set<StateId> existing = store.existing(byId(states).keySet());
          skipped += existing.size();
          wanted = states.stream().filter(state -> !existing.contains(state.id())).toList();
          if (wanted.isEmpty()) {
            return List.of();
          }
        }
        taken = locks.acquireAll(byId(wanted).keySet());
      } catch (StateFailure e) {
        failBeforeWriting(wanted, e);
        return List.of();
      }
      List<State> held = new ArrayList<>();
      List<State> others = new ArrayList<>();
      wanted.forEach(state -> (taken.ids().contains(state.id()) ? held : others).add(state));
      writeUnder(taken, held);
      if (ended) {
        notTried += others.size();
        return List.of();
      }
      return others;
    }

    private void writeUnder(LockBatch taken, List<State> states) {
      try {
        Set<StateId> existing;
        Map<StateId, StateFailure> refused;
        try {
          existing = store.existing(taken.ids());
          refused = refused(states, existing);
        } catch (StateFailure e) {
          taken.release().values().stream().findFirst().ifPresent(e::addSuppressed);
          failBeforeWriting(states, e);
          return;
        }
        List<State> written =
            states.stream()
                .filter(state -> isWritten(existing.contains(state.id())))
                .filter(state -> !refused.containsKey(state.id()))
                .filter(state -> isStillHeld(taken, state.id(), refused))
                .toList();
        Optional<StateFailure> refusal = Optional.empty();
        try {
          store.saveAll(written);
        } catch (StateFailure e) {
          refusal = Optional.of(e);
        }
        Map<StateId, StateFailure> notReleased = taken.release();
        for (State state : states) {
          StateId id = state.id();
          boolean exists = existing.contains(id);
          Optional<StateFailure> failure = Optional.ofNullable(refused.get(id));
          if (failure.isEmpty() && isWritten(exists)) {
            failure = refusal;
          }
          // Stored, but a lock that was lost or is left behind is not to go unsaid.
          count(id, exists, failure.or(() -> Optional.ofNullable(notReleased.get(id))));
        }
      } finally {
        // They are released already, unless something came that is no failure of the store.
        taken.release();
      }
    }

    private static boolean isStillHeld(
        LockBatch taken, StateId id, Map<StateId, StateFailure> refused) {
      Optional<StateFailure.LockLost> lost = taken.lossOf(id);
      lost.ifPresent(failure -> refused.put(id, failure));
      return lost.isEmpty();
    }

    private boolean isWritten(boolean exists) {
      return !exists || ifExists == IfExists.OVERWRITE;
    }

    private void count(StateId id, boolean exists, Optional<StateFailure> failure) {
      if (failure.isPresent()) {
        fail(id, failure.get());
      } else if (!exists) {
        created++;
      } else if (ifExists == IfExists.OVERWRITE) {
        updated++;
      } else {
        skipped++;
      }
    }

    // What is not to be written, and why.
    private Map<StateId, StateFailure> refused(List<State> states, Set<StateId> existing) {
      Map<StateId, StateFailure> refused = new HashMap<>();
      if (ifExists == IfExists.FAIL) {
        existing.forEach(id -> refused.put(id, storedMeanwhile(id)));
      }
      if (guardRails.areUp()) {
        askGuardRails(
            states.stream().filter(state -> isWritten(existing.contains(state.id()))).toList(),
            existing,
            refused);
      }
      return refused;
    }

    // About each and what it would replace.
    private void askGuardRails(
        List<State> states, Set<StateId> existing, Map<StateId, StateFailure> refused) {
      Map<StateId, State> left = byId(states);
      Set<StateId> overwritten = new HashSet<>(left.keySet());
      overwritten.retainAll(existing);
      store.findAll(
          overwritten,
          stored -> {
            State state = left.remove(stored.id());
            if (state != null) {
              askGuardRails(readable(stored), state, refused);
            }
          });
      left.values().forEach(state -> askGuardRails(Optional.empty(), state, refused));
    }

    private void askGuardRails(
        Optional<State> stored, State state, Map<StateId, StateFailure> refused) {
      try {
        guardRails.check(stored, state);
      } catch (StateFailure.Doubtful e) {
        refused.put(state.id(), e);
      }
    }

    // Waits for one lock after the other, until one was got: others may be free then as well.
    private List<State> writeUntilOneIsFree(List<State> states) {
      for (int i = 0; i < states.size(); i++) {
        List<State> left = states.subList(i, states.size());
        if (!goesOn(left)) {
          return List.of();
        }
        if (writeAlone(states.get(i))) {
          return states.subList(i + 1, states.size());
        }
      }
      return List.of();
    }

    // Tells whether the lock was got.
    private boolean writeAlone(State state) {
      StateId id = state.id();
      boolean[] got = {false};
      try {
        boolean exists =
            locks.with(
                id,
                lock -> {
                  got[0] = true;
                  Presence.Found found = presence.find(id);
                  if (isWritten(found.exists())) {
                    guardRails.check(found.state(), state);
                    store.save(state, lock.fence());
                  } else if (ifExists == IfExists.FAIL) {
                    throw storedMeanwhile(id);
                  }
                  return found.exists();
                });
        count(id, exists, Optional.empty());
      } catch (StateFailure e) {
        fail(id, e);
      }
      return got[0];
    }

    private static StateFailure storedMeanwhile(StateId id) {
      return new StateFailure.Conflict(
          id, "a state of '" + id + "' was stored meanwhile; it was left as it is");
    }

    // One that would meet all of them is said once.
    private void failBeforeWriting(List<State> states, StateFailure failure) {
      for (State state : states) {
        if (ended) {
          notTried++;
        } else {
          fail(state.id(), failure);
        }
      }
    }

    private void fail(StateId id, StateFailure failure) {
      failures++;
      told.accept(id, failure);
      ended = ended || isOfTheStore(failure);
    }
  }
}
