package dev.statectl.usecase;

import dev.statectl.lock.Fence;
import dev.statectl.port.StateFailure;
import dev.statectl.port.StateStore;
import dev.statectl.port.StoredState;
import dev.statectl.state.State;
import dev.statectl.state.StateId;
import dev.statectl.state.StateIdGlob;
import dev.statectl.state.StateVersion;
import java.util.Collection;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * A store that stops working at one of its calls: before the call has done anything, or right
 * after, when only the answer is missing. From then on it does not work at all.
 */
final class FailingStore implements StateStore {
  private final StateStore store;
  private final int failingCall;
  private final boolean afterTheEffect;
  private int calls;

  FailingStore(StateStore store, int failingCall, boolean afterTheEffect) {
    this.store = store;
    this.failingCall = failingCall;
    this.afterTheEffect = afterTheEffect;
  }

  int calls() {
    return calls;
  }

  private <T> T through(Supplier<T> call) {
    calls++;
    if (calls > failingCall || calls == failingCall && !afterTheEffect) {
      throw new StateFailure.Unavailable("the store is down", null);
    }
    T result = call.get();
    if (calls == failingCall) {
      throw new StateFailure.OutcomeUnknown("the answer was lost", null);
    }
    return result;
  }

  @Override
  public Optional<State> find(StateId id) {
    return through(() -> store.find(id));
  }

  @Override
  public StateVersion save(State state) {
    return through(() -> store.save(state));
  }

  @Override
  public StateVersion save(State state, Fence fence) {
    return through(() -> store.save(state, fence));
  }

  @Override
  public void saveAll(Collection<State> states) {
    through(
        () -> {
          store.saveAll(states);
          return true;
        });
  }

  @Override
  public boolean delete(StateId id) {
    return through(() -> store.delete(id));
  }

  @Override
  public boolean delete(StateId id, Fence fence) {
    return through(() -> store.delete(id, fence));
  }

  @Override
  public long deleteAll() {
    return through(store::deleteAll);
  }

  @Override
  public void forEachId(StateIdGlob glob, Consumer<? super StateId> action) {
    through(
        () -> {
          store.forEachId(glob, action);
          return true;
        });
  }

  @Override
  public void forEachState(StateIdGlob glob, Consumer<? super StoredState> action) {
    through(
        () -> {
          store.forEachState(glob, action);
          return true;
        });
  }
}
