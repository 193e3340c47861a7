package dev.statectl.usecase;

import dev.statectl.port.StateFailure;
import dev.statectl.port.StateStore;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;

/**
 * A store that stops working at one of its calls: before the call has done anything, or right
 * after, when only the answer is missing. From then on it does not work at all.
 */
final class FailingStore {
  private final StateStore real;
  private final int failingCall;
  private final boolean afterTheEffect;
  private int calls;

  FailingStore(StateStore real, int failingCall, boolean afterTheEffect) {
    this.real = real;
    this.failingCall = failingCall;
    this.afterTheEffect = afterTheEffect;
  }

  StateStore store() {
    return (StateStore)
        Proxy.newProxyInstance(
            StateStore.class.getClassLoader(),
            new Class<?>[] {StateStore.class},
            (proxy, method, arguments) -> through(method, arguments));
  }

  int calls() {
    return calls;
  }

  private Object through(Method method, Object[] arguments) throws Throwable {
    calls++;
    if (calls > failingCall || calls == failingCall && !afterTheEffect) {
      throw new StateFailure.Unavailable("the store is down", null);
    }
    Object result;
    try {
      result = method.invoke(real, arguments);
    } catch (InvocationTargetException e) {
      throw e.getCause();
    }
    if (calls == failingCall) {
      throw new StateFailure.OutcomeUnknown("the answer was lost", null);
    }
    return result;
  }
}
