package dev.statectl.usecase.planted;

import java.time.Instant;

/** Planted: a clock in a use case. */
final class ReadsClock {
  Instant instant() {
    return Instant.now();
  }
}
