package dev.statectl.state.planted;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Clock;
import java.time.Instant;
import java.time.LocalDate;
import java.util.Collections;
import java.util.Date;
import java.util.List;
import java.util.UUID;
import java.util.random.RandomGenerator;

/** Planted, and allowed: what the purity rules must let through. */
final class TakesItsSurroundings {
  Instant instant(Clock clock) {
    return clock.instant();
  }

  LocalDate localDate(Clock clock) {
    return LocalDate.now(clock);
  }

  Date date(long millis) {
    return new Date(millis);
  }

  UUID uuid(RandomGenerator random) {
    return new UUID(random.nextLong(), random.nextLong());
  }

  void sort(List<String> list) {
    Collections.sort(list);
  }

  UncheckedIOException wrap(IOException e) {
    return new UncheckedIOException(e);
  }
}
