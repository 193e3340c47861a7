package dev.statectl.usecase;

import dev.statectl.lock.LockId;
import java.time.Clock;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.DoubleSupplier;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;

/**
 * What taking and holding a lock needs from the machine, handed in so that nothing here reads a
 * clock or a source of randomness.
 *
 * @param lockIds gives a new lock id at every call
 * @param nanoTime the local monotonic clock, in nanoseconds from any start
 * @param pause how to wait
 * @param random gives numbers from 0 (inclusive) to 1 (exclusive)
 * @param timer runs renewals, and the writes of a {@link StateSession}
 */
public record LockMeans(
    Supplier<LockId> lockIds,
    LongSupplier nanoTime,
    Pause pause,
    DoubleSupplier random,
    Timer timer) {

  /**
   * Puts the means together from what the JDK has.
   *
   * @param clock gives lock ids their time; the wall clock
   * @param random gives lock ids and pauses their randomness; processes must not share its seed
   * @param nanoTime the local monotonic clock, such as {@code System::nanoTime}
   * @param pause how to wait, such as {@code duration -> Thread.sleep(duration.toMillis())}
   * @param timer runs renewals, and the writes of a {@link StateSession}, for which it should have
   *     a second thread; its threads should be daemons, and it is the caller's to shut down, after
   *     the locks and sessions are closed
   * @return the means, thread-safe when the parts are
   */
  public static LockMeans of(
      Clock clock,
      RandomGenerator random,
      LongSupplier nanoTime,
      Pause pause,
      ScheduledExecutorService timer) {
    return new LockMeans(
        () -> LockId.of(clock.instant(), random.nextInt()),
        nanoTime,
        pause,
        random::nextDouble,
        (delay, task) -> {
          Future<?> scheduled = timer.schedule(task, delay.toNanos(), TimeUnit.NANOSECONDS);
          return () -> scheduled.cancel(false);
        });
  }
}
