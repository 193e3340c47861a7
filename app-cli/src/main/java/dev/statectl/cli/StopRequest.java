package dev.statectl.cli;

import dev.statectl.usecase.Pause;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Whether a command that locks was asked to end. The first signal ends its waiting, so that it can
 * let go of what it holds; a second one ends the process, or, where signals are passed on, its
 * trying to let go.
 */
final class StopRequest implements Pause {
  private final StopSignals signals;

  // Guarded by this.
  private boolean interrupts;
  private @Nullable StopSignal first;
  private @Nullable Consumer<StopSignal> receiver;

  StopRequest(StopSignals signals) {
    this.signals = signals;
  }

  /** Takes in a signal. */
  void receive(StopSignal signal) {
    Consumer<StopSignal> told;
    boolean again;
    synchronized (this) {
      again = first != null;
      if (!again) {
        first = signal;
      }
      interrupts = true;
      notifyAll();
      told = receiver;
    }
    if (told != null) {
      told.accept(signal);
    } else if (again) {
      signals.end(signal);
    }
  }

  /** From now on a signal, also one that has come, goes to a receiver and does nothing else. */
  void passTo(Consumer<StopSignal> other) {
    StopSignal missed;
    synchronized (this) {
      receiver = other;
      missed = first;
    }
    if (missed != null) {
      other.accept(missed);
    }
  }

  /** The first signal that came. */
  synchronized Optional<StopSignal> signal() {
    return Optional.ofNullable(first);
  }

  /**
   * Ends what is under way if a signal came; for works that have changed nothing yet.
   *
   * @throws Stopped when one came
   */
  void check() {
    signal()
        .ifPresent(
            signal -> {
              throw new Stopped(signal);
            });
  }

  /**
   * Waits.
   *
   * @throws InterruptedException when a signal came, before or meanwhile; each signal ends one
   *     pause
   */
  @Override
  public synchronized void pause(Duration duration) throws InterruptedException {
    long end = System.nanoTime() + duration.toNanos();
    for (long left = duration.toNanos(); left > 0 && !interrupts; left = end - System.nanoTime()) {
      TimeUnit.NANOSECONDS.timedWait(this, left);
    }
    if (interrupts) {
      interrupts = false;
      throw new InterruptedException();
    }
  }
}
