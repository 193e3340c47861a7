package dev.statectl.contract;

import dev.statectl.port.Backend;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;

/** The backends that one test was given; they are closed after it. */
final class OpenedBackends implements AutoCloseable {
  private final Callable<Backend> hook;
  private final List<Backend> opened = new ArrayList<>();

  OpenedBackends(Callable<Backend> hook) {
    this.hook = hook;
  }

  Backend open() {
    try {
      Backend backend = hook.call();
      opened.add(backend);
      return backend;
    } catch (Exception e) {
      throw new AssertionError("openBackend() failed: " + e, e);
    }
  }

  /** The one under test. */
  Backend first() {
    return opened.get(0);
  }

  @Override
  public void close() {
    opened.forEach(Backend::close);
    opened.clear();
  }
}
