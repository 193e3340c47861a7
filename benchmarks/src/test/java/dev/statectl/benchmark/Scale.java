package dev.statectl.benchmark;

import java.util.List;

/** How much is measured: counts of all groups, so that each reads its own here. */
enum Scale {
  /** What docs/performance.md shows. */
  FULL(300, 12, 1_500, 1_000_000, 100_000, 200, 3_000),
  /** Some minutes less, to see whether a change shows. */
  QUICK(60, 4, 100, 20_000, 5_000, 20, 500),
  /** Only to see that everything can be measured. */
  SMOKE(4, 2, 6, 200, 60, 3, 60);

  private final int cycles;
  private final int largeCycles;
  private final int checkpoints;
  private final int ids;
  private final int imported;
  private final int slow;
  private final int millis;

  Scale(int cycles, int largeCycles, int checkpoints, int ids, int imported, int slow, int millis) {
    this.cycles = cycles;
    this.largeCycles = largeCycles;
    this.checkpoints = checkpoints;
    this.ids = ids;
    this.imported = imported;
    this.slow = slow;
    this.millis = millis;
  }

  /** Cycles of an operation of milliseconds. */
  int cycles() {
    return cycles;
  }

  /** Cycles of an operation of a second or so. */
  int largeCycles() {
    return largeCycles;
  }

  /** Checkpoints that a pipeline saves. */
  int checkpoints() {
    return checkpoints;
  }

  /** The most ids that are listed. */
  int ids() {
    return ids;
  }

  /** The most states that are imported. */
  int imported() {
    return imported;
  }

  /** How often something is done that takes tens of milliseconds each time. */
  int slow() {
    return slow;
  }

  /** How many contend for locks. */
  List<Integer> contenders() {
    return this == SMOKE ? List.of(1, 2) : List.of(1, 2, 8, 32);
  }

  /** How long contenders contend. */
  int millis() {
    return millis;
  }
}
