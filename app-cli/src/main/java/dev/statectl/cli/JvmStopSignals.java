package dev.statectl.cli;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.EnumMap;
import java.util.Map;
import java.util.function.Consumer;

/**
 * The JVM's signals. {@code sun.misc.Signal} is the only way to them and stays, but the compiler
 * warns of it whatever it is told; so it is called by reflection. A shutdown hook would not know
 * which signal came.
 *
 * <p>What the process was started to ignore, as {@code nohup} does, stays ignored.
 *
 * @see <a href="https://openjdk.org/jeps/260">JEP 260, critical internal APIs</a>
 */
final class JvmStopSignals implements StopSignals {
  @Override
  public Registration take(Consumer<StopSignal> handler) {
    try {
      Access access = new Access();
      Map<StopSignal, Object> before = new EnumMap<>(StopSignal.class);
      for (StopSignal signal : StopSignal.values()) {
        Object old = access.handle(signal, access.handler(() -> handler.accept(signal)));
        if (old.equals(access.ignore)) {
          access.handle(signal, old);
        } else {
          before.put(signal, old);
        }
      }
      return () -> before.forEach(access::giveBack);
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException("the JVM gives no access to signals", e);
    }
  }

  @Override
  public boolean reachesChildren(StopSignal signal) {
    return signal == StopSignal.INT && ForegroundGroup.holdsThisProcess();
  }

  @Override
  public void end(StopSignal signal) {
    Runtime.getRuntime().halt(signal.exitCode());
  }

  private static final class Access {
    private final Class<?> signalClass = Class.forName("sun.misc.Signal");
    private final Class<?> handlerClass = Class.forName("sun.misc.SignalHandler");
    private final Method handle = signalClass.getMethod("handle", signalClass, handlerClass);
    private final Object ignore = handlerClass.getField("SIG_IGN").get(null);

    Access() throws ReflectiveOperationException {}

    Object handler(Runnable action) {
      return Proxy.newProxyInstance(
          handlerClass.getClassLoader(),
          new Class<?>[] {handlerClass},
          (proxy, method, arguments) ->
              switch (method.getName()) {
                case "handle" -> {
                  action.run();
                  yield null;
                }
                case "equals" -> proxy == arguments[0];
                case "hashCode" -> System.identityHashCode(proxy);
                default -> "handler of statectl";
              });
    }

    Object handle(StopSignal signal, Object handler) throws ReflectiveOperationException {
      Object named = signalClass.getConstructor(String.class).newInstance(signal.name());
      return handle.invoke(null, named, handler);
    }

    void giveBack(StopSignal signal, Object handler) {
      try {
        handle(signal, handler);
      } catch (InvocationTargetException e) {
        throw new IllegalStateException(e.getCause());
      } catch (ReflectiveOperationException e) {
        throw new IllegalStateException(e);
      }
    }
  }
}
