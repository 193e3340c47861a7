package dev.statectl.benchmark;

import java.util.List;
import java.util.stream.IntStream;

/**
 * Runs operations in turns of a few cycles, whoever began last beginning next, so that what else
 * the machine does hits them alike.
 */
final class Turns {
  private final Operation operation;
  private final long[] nanos;
  private final long[] firstNanos;
  private int done;

  private Turns(Operation operation, int cycles) {
    this.operation = operation;
    this.nanos = new long[cycles];
    this.firstNanos = new long[cycles];
  }

  /**
   * How long an operation took.
   *
   * @param whole to its end
   * @param first until its first row
   */
  record Taken(Timing whole, Timing first) {}

  /** Runs them; gives their times in the order in which they were given. */
  static List<Taken> take(Pace pace, List<Operation> operations) {
    List<Turns> all = operations.stream().map(o -> new Turns(o, pace.cycles())).toList();
    for (Turns one : all) {
      IntStream.range(0, pace.warmUp()).forEach(i -> one.operation.run());
    }
    for (int round = 0; round * pace.turn() < pace.cycles(); round++) {
      for (int i = 0; i < all.size(); i++) {
        all.get((round + i) % all.size()).go(pace.turn());
      }
    }
    return all.stream()
        .map(one -> new Taken(Timing.of(one.nanos), Timing.of(one.firstNanos)))
        .toList();
  }

  private void go(int cycles) {
    for (int i = 0; i < cycles && done < nanos.length; i++) {
      Operation.Run run = operation.run();
      nanos[done] = run.nanos();
      firstNanos[done] = run.firstNanos();
      done++;
    }
  }
}
