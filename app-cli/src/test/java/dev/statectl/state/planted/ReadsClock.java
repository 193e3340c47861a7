package dev.statectl.state.planted;

import java.time.*;
import java.util.*;
import java.util.function.Supplier;

/** Planted: every way to read a clock. */
final class ReadsClock {
  Instant instant() {
    return Instant.now();
  }

  Supplier<Instant> reference() {
    return Instant::now;
  }

  LocalDate localDate() {
    return LocalDate.now();
  }

  ZonedDateTime zoned(ZoneId zone) {
    return ZonedDateTime.now(zone);
  }

  Clock clock() {
    return Clock.systemUTC();
  }

  Clock ticks(ZoneId zone) {
    return Clock.tickSeconds(zone);
  }

  long millis() {
    return System.currentTimeMillis();
  }

  long nanos() {
    return System.nanoTime();
  }

  Date date() {
    return new Date();
  }

  Calendar calendar() {
    return Calendar.getInstance();
  }
}
