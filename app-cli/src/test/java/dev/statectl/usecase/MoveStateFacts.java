package dev.statectl.usecase;

import static dev.statectl.usecase.Place.state;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.statectl.lock.Fence;
import dev.statectl.lock.LockCandidate;
import dev.statectl.lock.LockId;
import dev.statectl.lock.LockTerms;
import dev.statectl.port.Backend;
import dev.statectl.port.LockTable;
import dev.statectl.port.StateFailure;
import dev.statectl.port.StateStore;
import dev.statectl.state.State;
import dev.statectl.state.StateId;
import dev.statectl.state.StateVersion;
import dev.statectl.usecase.MoveState.Moved;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What holds for the use case over any store. */
abstract class MoveStateFacts {
  private static final int ROUNDS = 8;
  private static final StateId A = StateId.of("dev:a");
  private static final StateId B = StateId.of("dev:b");
  private static final State SOURCE = state("dev:a", "{ \"x\": 1.0 }", "{\"n\":NaN}");
  private static final State MOVED = state("dev:b", "{ \"x\": 1.0 }", "{\"n\":NaN}");

  private final Backend backend;
  private final StateStore store;

  MoveStateFacts(Place place) {
    backend = place.open();
    store = backend.states();
  }

  @AfterEach
  void close() {
    backend.close();
  }

  @Test
  void bothHalvesOfEverySampleAreMovedByteForByte() throws IOException {
    for (State sample : Samples.states()) {
      store.save(sample);
      StateId other = StateId.of("a move of " + sample.id());

      Moved moved = moveState().move(new Transfer(sample.id(), other, false));

      State expected = State.of(other, sample.completed(), sample.partial());
      assertThat(moved).isEqualTo(new Moved(expected, Optional.empty()));
      assertThat(stored(other)).hasValue(expected);
      assertThat(stored(sample.id())).isEmpty();
    }
  }

  @Test
  void aMissingSourceLeavesTheDestinationAsItIs() {
    StateVersion version = store.save(state("dev:b", "{\"y\": 1}", "{}"));

    assertThatThrownBy(() -> moveState().move(new Transfer(A, B, true)))
        .isInstanceOf(StateFailure.NotFound.class)
        .hasMessage("no state with the id 'dev:a'");
    assertThat(store.find(B)).hasValue(state("dev:b", "{\"y\": 1}", "{}").withVersion(version));
    assertNoLocks();
  }

  @Test
  void whatAppearedMeanwhileIsNotOverwritten() {
    store.save(SOURCE);
    store.save(state("dev:b", "{\"y\": 1}", "{}"));

    assertThatThrownBy(() -> moveState().move(new Transfer(A, B, false)))
        .isInstanceOf(StateFailure.Conflict.class)
        .hasMessage(
            "a state of 'dev:b' was stored meanwhile; nothing was changed; try again to be asked about"
                + " it");
    assertThat(stored(A)).hasValue(SOURCE);
    assertThat(stored(B)).hasValue(state("dev:b", "{\"y\": 1}", "{}"));
  }

  /** Every call of the store fails once, with and without its effect. */
  @Test
  void whereverTheStoreFailsTheStateIsUnderOneOfTheIdsAtLeast() {
    for (boolean overwrites : new boolean[] {true, false}) {
      FailingStore whole = new FailingStore(store, Integer.MAX_VALUE, false);
      store.save(SOURCE);
      store.delete(B);
      new MoveState(whole.store(), Place.locks(backend)).move(new Transfer(A, B, overwrites));
      assertThat(whole.calls()).isEqualTo(overwrites ? 4 : 5);

      for (int call = 1; call <= whole.calls(); call++) {
        for (boolean after : new boolean[] {false, true}) {
          store.save(SOURCE);
          store.delete(B);
          FailingStore failing = new FailingStore(store, call, after);
          MoveState move = new MoveState(failing.store(), Place.locks(backend));
          boolean atTheDeletion = call == whole.calls();
          if (atTheDeletion) {
            Moved moved = move.move(new Transfer(A, B, overwrites));
            assertThat(moved.state()).isEqualTo(MOVED);
            assertThat(moved.notDeleted().orElseThrow())
                .hasMessage(after ? "the answer was lost" : "the store is down");
          } else {
            assertThatThrownBy(() -> move.move(new Transfer(A, B, overwrites)))
                .isInstanceOf(StateFailure.class)
                .hasMessage(after ? "the answer was lost" : "the store is down");
          }

          String step = "call " + call + (after ? " with" : " without") + " its effect";
          if (!atTheDeletion || !after) {
            assertThat(stored(A)).as(step).hasValue(SOURCE);
          }
          if (atTheDeletion) {
            assertThat(stored(B)).as(step).hasValue(MOVED);
          }
          assertThat(stored(B).filter(found -> !found.equals(MOVED))).as(step).isEmpty();
          assertNoLocks();
        }
      }
    }
  }

  @Test
  void theSourceStaysWhenTheDestinationDoesNotHoldWhatWasWritten() {
    store.save(SOURCE);
    StateStore forgetful =
        intercepted(
            store,
            (method, arguments) -> {
              if (method.equals("save")) {
                store.save(state("dev:b", "{\"other\": 1}", "{}"), (Fence) arguments[1]);
                return StateVersion.NONE;
              }
              return null;
            });

    assertThatThrownBy(
            () -> new MoveState(forgetful, Place.locks(backend)).move(new Transfer(A, B, false)))
        .isInstanceOf(StateFailure.Conflict.class)
        .hasMessage("the state of 'dev:b' is not what was written to it; 'dev:a' was not deleted");
    assertThat(stored(A)).hasValue(SOURCE);
  }

  @Test
  void theSourceStaysWhenItsLockWasLost() {
    store.save(SOURCE);
    StateStore disturbed =
        intercepted(
            store,
            (method, arguments) -> {
              if (method.equals("save")) {
                LockCandidate holder = backend.locks().look(A).get(0);
                backend.locks().withdraw(A, holder.lockId());
              }
              return null;
            });

    Moved moved = new MoveState(disturbed, Place.locks(backend)).move(new Transfer(A, B, false));

    assertThat(moved.notDeleted().orElseThrow())
        .isInstanceOf(StateFailure.LockLost.class)
        .hasMessageStartingWith("the lock of 'dev:a' was lost: ");
    assertThat(stored(A)).hasValue(SOURCE);
    assertThat(stored(B)).hasValue(MOVED);
  }

  @Test
  void theDestinationStaysWhenItsLockWasLost() {
    store.save(SOURCE);
    StateStore disturbed =
        intercepted(
            store,
            (method, arguments) -> {
              if (method.equals("save")) {
                LockCandidate holder = backend.locks().look(B).get(0);
                backend.locks().withdraw(B, holder.lockId());
              }
              return null;
            });

    assertThatThrownBy(
            () -> new MoveState(disturbed, Place.locks(backend)).move(new Transfer(A, B, false)))
        .isInstanceOf(StateFailure.LockLost.class)
        .hasMessageStartingWith("the lock of 'dev:b' was lost: ");
    assertThat(stored(A)).hasValue(SOURCE);
    assertThat(stored(B)).isEmpty();
  }

  @Test
  void theLocksAreTakenInTheOrderOfTheIdsWhicheverWayItGoes() {
    List<StateId> announced = new ArrayList<>();
    LockTable table =
        intercepted(
            LockTable.class,
            backend.locks(),
            (method, arguments) -> {
              if (method.equals("announce")) {
                announced.add((StateId) arguments[0]);
              }
              return null;
            });
    AcquireLock locks = Place.locks(table, LockTerms.DEFAULT);
    store.save(SOURCE);

    new MoveState(store, locks).move(new Transfer(A, B, false));
    new MoveState(store, locks).move(new Transfer(B, A, false));

    assertThat(announced).containsExactly(A, B, A, B);
    assertThat(stored(A)).hasValue(SOURCE);
    assertNoLocks();
  }

  /**
   * In each round both movers have announced their first candidate before either goes on, or were
   * refused its claim: if they began with different locks, each would then wait for the other's.
   */
  @Test
  void movesInOppositeDirectionsAllComeToAnEnd() throws Exception {
    store.save(SOURCE);
    CyclicBarrier together = new CyclicBarrier(2);
    ExecutorService pool = Executors.newFixedThreadPool(2);
    try {
      List<Future<Integer>> movers = new ArrayList<>();
      for (Transfer transfer : List.of(new Transfer(A, B, true), new Transfer(B, A, true))) {
        movers.add(
            pool.submit(
                () -> {
                  try {
                    return moveInRounds(transfer, together);
                  } catch (RuntimeException | Error e) {
                    // Else the other one waits, and its end is told instead of this one's.
                    together.reset();
                    throw e;
                  }
                }));
      }
      int done = 0;
      AssertionError failed = new AssertionError("a mover failed");
      for (Future<Integer> mover : movers) {
        try {
          done += mover.get(300, TimeUnit.SECONDS);
        } catch (ExecutionException e) {
          failed.addSuppressed(e.getCause());
        }
      }
      if (failed.getSuppressed().length > 0) {
        throw failed;
      }
      assertThat(done).isGreaterThanOrEqualTo(ROUNDS);
    } finally {
      pool.shutdownNow();
    }
    assertThat(stored(A).isPresent()).isNotEqualTo(stored(B).isPresent());
    assertNoLocks();
  }

  private int moveInRounds(Transfer transfer, CyclicBarrier together) {
    boolean[] first = {true};
    LockTable table =
        intercepted(
            LockTable.class,
            backend.locks(),
            (method, arguments) -> {
              if (!first[0] || !method.equals("claim") && !method.equals("announce")) {
                return null;
              }
              StateId id = (StateId) arguments[0];
              LockId lockId = (LockId) arguments[1];
              String holder = (String) arguments[2];
              if (method.equals("claim")) {
                if (backend.locks().claim(id, lockId, holder, (Duration) arguments[3])) {
                  return true;
                }
                first[0] = false;
                await(together);
                return false;
              }
              first[0] = false;
              backend.locks().announce(id, lockId, holder);
              await(together);
              return true;
            });
    MoveState move = new MoveState(store, Place.locks(table, LockTerms.DEFAULT));
    int done = 0;
    for (int round = 0; round < ROUNDS; round++) {
      first[0] = true;
      try {
        move.move(transfer);
        done++;
      } catch (StateFailure.NotFound e) {
        // The other one has not moved it here yet.
      }
      // A mover that waits with a candidate of its next round would keep the other in this one.
      await(together);
    }
    return done;
  }

  private static void await(CyclicBarrier barrier) {
    try {
      barrier.await(120, TimeUnit.SECONDS);
    } catch (Exception e) {
      throw new AssertionError("the other mover did not come", e);
    }
  }

  private MoveState moveState() {
    return new MoveState(store, Place.locks(backend));
  }

  private Optional<State> stored(StateId id) {
    return store.find(id).map(found -> found.withVersion(StateVersion.NONE));
  }

  private void assertNoLocks() {
    assertThat(backend.locks().look(A)).isEmpty();
    assertThat(backend.locks().look(B)).isEmpty();
  }

  /** What happens at a call, before it is passed on; anything but null is its answer. */
  private interface Interception {
    Object at(String method, Object[] arguments);
  }

  private static StateStore intercepted(StateStore store, Interception interception) {
    return intercepted(StateStore.class, store, interception);
  }

  private static <T> T intercepted(Class<T> port, T real, Interception interception) {
    return port.cast(
        Proxy.newProxyInstance(
            port.getClassLoader(),
            new Class<?>[] {port},
            (proxy, method, arguments) -> {
              Object answer = interception.at(method.getName(), arguments);
              if (answer != null) {
                return answer;
              }
              try {
                return method.invoke(real, arguments);
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            }));
  }
}
