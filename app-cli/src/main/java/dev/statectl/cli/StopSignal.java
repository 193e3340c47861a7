package dev.statectl.cli;

/** The signals by which a process is asked to end. */
enum StopSignal {
  /** The terminal is gone. */
  HUP(1),
  /** Ctrl-C. */
  INT(2),
  /** What {@code kill} sends. */
  TERM(15);

  private final int number;

  StopSignal(int number) {
    this.number = number;
  }

  /** The exit code of a process that a signal ended, as shells give it. */
  int exitCode() {
    return 128 + number;
  }
}
