package dev.statectl.usecase;

import dev.statectl.lock.Fence;
import dev.statectl.port.StateStore;
import dev.statectl.port.StoredState;
import dev.statectl.state.State;
import dev.statectl.state.StateId;
import dev.statectl.state.StateIdGlob;
import dev.statectl.state.StateVersion;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * A store behind a bad line: the next writes under a lock may be lost before or after they are
 * made. Tells which were tried, and sees two at a time. Thread-safe.
 */
final class FaultyStateStore implements StateStore {
  /** A write under a lock that was tried. */
  record Tried(Instant at, State state, Fence fence) {}

  private record Disturbance(Runnable before, Runnable after) {}

  private final StateStore store;
  private final Supplier<Instant> clock;
  private final Deque<Disturbance> next = new ArrayDeque<>();
  private final List<Tried> tried = new ArrayList<>();
  private final AtomicInteger writing = new AtomicInteger();
  private final AtomicInteger finds = new AtomicInteger();
  private volatile boolean overlapped;
  private volatile Runnable beforeFind = () -> {};

  FaultyStateStore(StateStore store, Supplier<Instant> clock) {
    this.store = store;
    this.clock = clock;
  }

  /** The next write is not made, and fails so. */
  void loseNextRequest(RuntimeException failure) {
    disturbNext(
        () -> {
          throw failure;
        },
        () -> {});
  }

  /** The next write is made, and fails so. */
  void loseNextAnswer(RuntimeException failure) {
    disturbNext(
        () -> {},
        () -> {
          throw failure;
        });
  }

  /** The next write is made, with something before and behind it. */
  synchronized void disturbNext(Runnable before, Runnable after) {
    next.add(new Disturbance(before, after));
  }

  /** The line is good from now on. */
  synchronized void relent() {
    next.clear();
  }

  /** Does something before each read from now on. */
  void disturbReads(Runnable before) {
    beforeFind = before;
  }

  synchronized List<Tried> tried() {
    return List.copyOf(tried);
  }

  /** Whether ever two writes were under way at once. */
  boolean overlapped() {
    return overlapped;
  }

  int finds() {
    return finds.get();
  }

  @Override
  public StateVersion save(State state, Fence fence) {
    Disturbance disturbance;
    synchronized (this) {
      tried.add(new Tried(clock.get(), state, fence));
      disturbance = next.isEmpty() ? new Disturbance(() -> {}, () -> {}) : next.remove();
    }
    if (writing.incrementAndGet() > 1) {
      overlapped = true;
    }
    try {
      disturbance.before().run();
      StateVersion version = store.save(state, fence);
      disturbance.after().run();
      return version;
    } finally {
      writing.decrementAndGet();
    }
  }

  @Override
  public Optional<State> find(StateId id) {
    finds.incrementAndGet();
    beforeFind.run();
    return store.find(id);
  }

  @Override
  public StateVersion save(State state) {
    return store.save(state);
  }

  @Override
  public void saveAll(Collection<State> states) {
    store.saveAll(states);
  }

  @Override
  public boolean delete(StateId id) {
    return store.delete(id);
  }

  @Override
  public boolean delete(StateId id, Fence fence) {
    return store.delete(id, fence);
  }

  @Override
  public long deleteAll() {
    return store.deleteAll();
  }

  @Override
  public void forEachId(StateIdGlob glob, Consumer<? super StateId> action) {
    store.forEachId(glob, action);
  }

  @Override
  public void forEachState(StateIdGlob glob, Consumer<? super StoredState> action) {
    store.forEachState(glob, action);
  }
}
