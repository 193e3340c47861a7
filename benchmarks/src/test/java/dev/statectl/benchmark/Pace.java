package dev.statectl.benchmark;

/**
 * How much is measured of an operation.
 *
 * @param warmUp cycles before it counts
 * @param cycles cycles that count
 * @param turn cycles of one before it is the next one's turn
 * @param recordings how many different cycles are recorded, to be sent again in turn
 * @param driver whether the bare driver takes part
 */
record Pace(int warmUp, int cycles, int turn, int recordings, boolean driver) {
  private static final int MOST_RECORDINGS = 50;
  private static final int LONGEST_TURN = 10;

  static Pace of(int cycles) {
    return new Pace(
        Math.max(1, cycles / 5),
        cycles,
        Math.max(1, Math.min(LONGEST_TURN, cycles / 4)),
        Math.min(MOST_RECORDINGS, cycles),
        true);
  }

  /** With one recording: for requests that are too large to keep many, or that are all alike. */
  Pace alike() {
    return new Pace(warmUp, cycles, turn, 1, driver);
  }

  /** Without a warm-up: for what takes seconds. */
  Pace cold() {
    return new Pace(0, cycles, turn, recordings, driver);
  }

  Pace withoutDriver() {
    return new Pace(warmUp, cycles, turn, recordings, false);
  }
}
