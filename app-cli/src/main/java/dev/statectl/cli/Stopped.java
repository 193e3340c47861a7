package dev.statectl.cli;

/** A command ended early because a signal asked it to. */
final class Stopped extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final StopSignal signal;

  /** While nothing was changed yet. */
  Stopped(StopSignal signal) {
    this(signal, "interrupted; nothing was changed");
  }

  /**
   * At any time.
   *
   * @param message what was done until then
   */
  Stopped(StopSignal signal, String message) {
    super(message);
    this.signal = signal;
  }

  StopSignal signal() {
    return signal;
  }
}
