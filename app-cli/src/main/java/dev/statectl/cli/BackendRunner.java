package dev.statectl.cli;

import dev.statectl.cli.settings.BackendLocation.SnapshotLocation;
import dev.statectl.cli.settings.ResolvedSettings;
import dev.statectl.inmemory.InMemoryBackend;
import dev.statectl.lock.LockTerms;
import dev.statectl.port.Backend;
import dev.statectl.port.StateFailure;
import java.nio.file.Path;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The way from a parsed command line to an open backend, the same for every command: settings,
 * component, use cases; and back, on every path, to a closed one.
 */
final class BackendRunner {
  // A store as a whole is mostly held for the moment that a command takes.
  private static final Duration STORE_WAIT = InMemoryBackend.DEFAULT_LOCK_TIMEOUT;

  private final CommandSettings commandSettings;
  private final ProcessContext process;
  private final Diagnostics diagnostics;
  private @Nullable ResolvedSettings resolved;

  BackendRunner(CommandSettings settings, ProcessContext process, Diagnostics diagnostics) {
    this.commandSettings = settings;
    this.process = process;
    this.diagnostics = diagnostics;
  }

  /** What a command does with an open backend. */
  @FunctionalInterface
  interface Action {
    int run(BackendComponent component) throws Exception;
  }

  /** What a command that locks does with an open backend, as long as it is not asked to stop. */
  @FunctionalInterface
  interface LockingAction {
    int run(BackendComponent component, StopRequest stop) throws Exception;
  }

  /**
   * Opens the backend, runs the action and closes the backend.
   *
   * @return the exit code
   */
  int run(Action action) throws Exception {
    ResolvedSettings settings = settings();
    LockTerms terms = settings.location().locks();
    return run(
        settings, locking(terms, STORE_WAIT, "", new StopRequest(process.signals())), action);
  }

  /**
   * Does the same for a command that takes locks. When the process is asked to end, the command
   * waits for no lock any more, and lets go of those that it has.
   *
   * @param command the command's name
   * @param wait how long it waits for a lock
   */
  int runLocking(String command, WaitOption wait, LockingAction action) throws Exception {
    ResolvedSettings settings = settings();
    LockTerms terms = settings.location().locks();
    StopRequest stop = new StopRequest(process.signals());
    Locking locking =
        locking(
            terms.withTimeout(wait.or(terms.timeout())), wait.or(STORE_WAIT), " " + command, stop);
    StopSignals.Registration taken = process.signals().take(stop::receive);
    try (taken) {
      int code = run(settings, locking, component -> action.run(component, stop));
      // What was under way was brought to its end, and said.
      return stop.signal().map(StopSignal::exitCode).orElse(code);
    } catch (StateFailure.Unavailable e) {
      StopSignal signal = stop.signal().orElseThrow(() -> e);
      // It was set to end the waiting.
      Thread.interrupted();
      throw new Stopped(signal, String.valueOf(e.getMessage()));
    }
  }

  private Locking locking(LockTerms terms, Duration storeWait, String command, StopRequest stop) {
    return new Locking(
        terms,
        storeWait,
        "statectl" + command + " by " + process.owner(),
        stop,
        new WaitingNotice(
            diagnostics, process.terminal().isInteractive(), terms.timeout(), System::nanoTime));
  }

  private int run(ResolvedSettings settings, Locking locking, Action action) throws Exception {
    BackendComponent component =
        DaggerBackendComponent.factory().create(settings, process.clock(), diagnostics, locking);
    Backend backend = component.backend();
    try (backend) {
      return action.run(component);
    } finally {
      component.renewals().shutdownNow();
    }
  }

  // Once for a command, though it may open the backend again: what is noticed is said once.
  private ResolvedSettings settings() {
    if (resolved == null) {
      resolved = resolve();
    }
    return resolved;
  }

  private ResolvedSettings resolve() {
    ResolvedSettings settings = commandSettings.resolve();
    settings.notices().forEach(diagnostics::inform);
    settings.dangers().forEach(diagnostics::say);
    if (settings.location() instanceof SnapshotLocation location && location.byDefault()) {
      diagnostics.inform(
          "using the embedded store " + displayed(location.file()) + " (no --uri given)");
    }
    return settings;
  }

  private Path displayed(Path file) {
    Path directory = process.workingDirectory();
    return file.startsWith(directory) ? directory.relativize(file) : file;
  }
}
