package dev.statectl.usecase;

import dev.statectl.port.Finding;
import dev.statectl.port.Mend;
import java.time.Duration;
import java.time.Instant;

/** Compares the store's clock with the caller's. */
final class ClockFindings {
  private static final String CHECK = "clock";
  private static final Duration WORTH_KNOWING = Duration.ofSeconds(5);
  private static final Duration TOO_MUCH = Duration.ofMinutes(5);

  private ClockFindings() {}

  /**
   * Judges a time that the store told between two of the caller's: only what lies outside of those
   * is a difference.
   */
  static Finding of(String target, Instant store, Instant before, Instant after) {
    Duration spread =
        store.isBefore(before)
            ? Duration.between(store, before)
            : store.isAfter(after) ? Duration.between(after, store) : Duration.ZERO;
    if (spread.compareTo(WORTH_KNOWING) < 0) {
      return Finding.ok(
          CHECK, target, "the store's clock agrees with this machine's within 5 seconds");
    }
    String what =
        "the store's clock is "
            + spread.toSeconds()
            + " seconds "
            + (store.isBefore(before) ? "behind" : "ahead of")
            + " this machine's";
    String why =
        "versions and locks go by the store's clock and stay right, but lock ids begin with the"
            + " time of this machine: where several wait for a lock, who is ahead waits longest,"
            + " and times in logs do not fit together";
    Mend mend =
        Mend.advice("set both clocks by NTP; on this machine: sudo timedatectl set-ntp true");
    return (spread.compareTo(TOO_MUCH) < 0
            ? Finding.info(CHECK, target, what, why)
            : Finding.warning(CHECK, target, what, why))
        .withMend(mend);
  }
}
