package dev.statectl.benchmark;

/** What is measured: does its work once at each run. */
@FunctionalInterface
interface Operation extends AutoCloseable {
  /** Does it once. */
  Run run();

  /** Gives back what it holds. */
  @Override
  default void close() {}

  /**
   * How long a run took.
   *
   * @param nanos until its end
   * @param firstNanos until its first row was there; the same where there are no rows
   */
  record Run(long nanos, long firstNanos) {}

  /** Work that has its result at its end. */
  static Operation of(Runnable work) {
    return () -> {
      long start = System.nanoTime();
      work.run();
      long nanos = System.nanoTime() - start;
      return new Run(nanos, nanos);
    };
  }

  /** Work that calls what it is given with each row. */
  static Operation ofRows(java.util.function.Consumer<Runnable> walk) {
    return () -> {
      long[] first = {0};
      long start = System.nanoTime();
      walk.accept(
          () -> {
            if (first[0] == 0) {
              first[0] = System.nanoTime();
            }
          });
      return new Run(System.nanoTime() - start, first[0] - start);
    };
  }
}
