package dev.statectl.clickhouse.race;

import java.util.concurrent.atomic.AtomicInteger;

/**
 * Merges both tables of a race again and again, as the engine may at any time, with pauses that
 * leave the processes some of the machine.
 */
final class Merging implements AutoCloseable {
  private static final long PAUSE_MILLIS = 100;

  private final RaceSetup setup;
  private final AtomicInteger merges = new AtomicInteger();
  private final Thread thread = new Thread(this::merge, "merging");
  private volatile boolean closed;

  private Merging(RaceSetup setup) {
    this.setup = setup;
  }

  static Merging start(RaceSetup setup) {
    Merging merging = new Merging(setup);
    merging.thread.start();
    return merging;
  }

  int merges() {
    return merges.get();
  }

  @Override
  public void close() {
    closed = true;
    try {
      thread.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void merge() {
    while (!closed) {
      setup
          .endpoint()
          .execute(
              "OPTIMIZE TABLE `" + setup.schema() + "`.`state_lock` FINAL",
              "OPTIMIZE TABLE `" + setup.schema() + "`.`state` FINAL");
      merges.incrementAndGet();
      try {
        Thread.sleep(PAUSE_MILLIS);
      } catch (InterruptedException e) {
        return;
      }
    }
  }
}
