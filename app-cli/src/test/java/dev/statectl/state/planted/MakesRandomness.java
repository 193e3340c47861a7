package dev.statectl.state.planted;

import java.security.SecureRandom;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;

/** Planted: every way to make randomness. */
final class MakesRandomness {
  UUID uuid() {
    return UUID.randomUUID();
  }

  Supplier<UUID> uuidReference() {
    return UUID::randomUUID;
  }

  Object random() {
    return new Random();
  }

  Object threadLocal() {
    return ThreadLocalRandom.current();
  }

  Object secure() {
    return new SecureRandom();
  }

  double math() {
    return Math.random();
  }

  RandomGenerator generator() {
    return RandomGenerator.getDefault();
  }

  void shuffle(List<?> list) {
    Collections.shuffle(list);
  }
}
