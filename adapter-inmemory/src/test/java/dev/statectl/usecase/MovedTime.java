package dev.statectl.usecase;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * Time that passes only when a test or a pause says so: the store's clock, the local monotonic
 * clock, waiting and the timer of renewals, all in one thread. The store's clock can be set apart.
 */
final class MovedTime {
  private static final Instant START = Instant.parse("2026-03-04T05:06:07Z");

  private final List<Task> tasks = new ArrayList<>();
  private final List<Duration> pauses = new ArrayList<>();
  private Duration passed = Duration.ZERO;
  private Duration storeClockOff = Duration.ZERO;

  private record Task(Duration at, Runnable run) {}

  final Clock storeClock =
      new Clock() {
        @Override
        public Instant instant() {
          return START.plus(passed).plus(storeClockOff);
        }

        @Override
        public ZoneId getZone() {
          return ZoneOffset.UTC;
        }

        @Override
        public Clock withZone(ZoneId zone) {
          throw new UnsupportedOperationException();
        }
      };

  long nanoTime() {
    return passed.toNanos();
  }

  void pause(Duration duration) {
    pauses.add(duration);
    pass(duration);
  }

  Runnable after(Duration delay, Runnable run) {
    Task task = new Task(passed.plus(delay), run);
    tasks.add(task);
    return () -> tasks.remove(task);
  }

  /** Lets time pass; what is due on the way runs at its time. */
  void pass(Duration duration) {
    Duration end = passed.plus(duration);
    while (true) {
      Task next =
          tasks.stream()
              .filter(t -> t.at().compareTo(end) <= 0)
              .min(Comparator.comparing(Task::at))
              .orElse(null);
      if (next == null) {
        break;
      }
      tasks.remove(next);
      passed = passed.compareTo(next.at()) < 0 ? next.at() : passed;
      next.run().run();
    }
    passed = passed.compareTo(end) < 0 ? end : passed;
  }

  /** Lets time pass while this process is stopped: nothing that is due runs. */
  void passStopped(Duration duration) {
    passed = passed.plus(duration);
  }

  void setStoreClockOff(Duration by) {
    storeClockOff = by;
  }

  List<Duration> pauses() {
    return List.copyOf(pauses);
  }

  int tasks() {
    return tasks.size();
  }
}
