package dev.statectl.usecase;

import dev.statectl.lock.LockId;
import java.util.function.DoubleSupplier;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * What taking and holding a lock needs from the machine, handed in so that nothing here reads a
 * clock or a source of randomness.
 *
 * @param lockIds gives a new lock id at every call
 * @param nanoTime the local monotonic clock, in nanoseconds from any start
 * @param pause how to wait
 * @param random gives numbers from 0 (inclusive) to 1 (exclusive)
 * @param timer runs renewals
 */
public record LockMeans(
    Supplier<LockId> lockIds,
    LongSupplier nanoTime,
    Pause pause,
    DoubleSupplier random,
    RenewalTimer timer) {}
