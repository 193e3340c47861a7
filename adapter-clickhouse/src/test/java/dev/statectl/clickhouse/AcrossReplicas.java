package dev.statectl.clickhouse;

import dev.statectl.lock.Fence;
import dev.statectl.lock.LockId;
import dev.statectl.port.Backend;
import dev.statectl.port.Checkup;
import dev.statectl.port.LockTable;
import dev.statectl.port.StateHistory;
import dev.statectl.port.StateStore;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.time.Instant;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Two backends as one: each operation goes to the one that did not get the operation before, but
 * what a candidate for a lock does to the one that heard of it first. What holds for it holds for
 * programs that meet the same tables at two servers.
 */
final class AcrossReplicas implements Backend {
  private static final Object[] NOTHING = {};

  private final Backend first;
  private final Backend second;
  private final AtomicInteger operations = new AtomicInteger();
  private final Map<LockId, Backend> candidates = new ConcurrentHashMap<>();
  private final StateStore states;
  private final LockTable locks;
  private final StateHistory history;
  private final Checkup checkup;

  AcrossReplicas(Backend first, Backend second) {
    this.first = first;
    this.second = second;
    this.states = inTurn(StateStore.class, Backend::states);
    this.locks = inTurn(LockTable.class, Backend::locks);
    this.history = inTurn(StateHistory.class, Backend::history);
    this.checkup = inTurn(Checkup.class, Backend::checkup);
  }

  @Override
  public StateStore states() {
    return states;
  }

  @Override
  public LockTable locks() {
    return locks;
  }

  @Override
  public StateHistory history() {
    return history;
  }

  @Override
  public Checkup checkup() {
    return checkup;
  }

  @Override
  public String target() {
    return next().target();
  }

  @Override
  public Instant now() {
    return next().now();
  }

  @Override
  public void close() {
    first.close();
    second.close();
  }

  /** A program that has a lock, or wants one, talks to one server. */
  private Backend of(Object @Nullable [] arguments) {
    return Stream.of(Objects.requireNonNullElse(arguments, NOTHING))
        .map(argument -> argument instanceof Fence fence ? fence.lockId() : argument)
        .filter(LockId.class::isInstance)
        .findFirst()
        .map(lockId -> candidates.computeIfAbsent((LockId) lockId, first -> next()))
        .orElseGet(this::next);
  }

  private Backend next() {
    return operations.getAndIncrement() % 2 == 0 ? first : second;
  }

  private <T> T inTurn(Class<T> port, Function<Backend, T> of) {
    return port.cast(
        Proxy.newProxyInstance(
            port.getClassLoader(),
            new Class<?>[] {port},
            (proxy, method, arguments) -> {
              try {
                return method.invoke(of.apply(of(arguments)), arguments);
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            }));
  }
}
