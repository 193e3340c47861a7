package dev.statectl.inmemory;

import java.time.Duration;

/**
 * Lets time pass while another program holds a snapshot; passed in, so that waiting is testable.
 */
@FunctionalInterface
interface Pause {
  void pause(Duration duration) throws InterruptedException;
}
