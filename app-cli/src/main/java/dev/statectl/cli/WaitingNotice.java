package dev.statectl.cli;

import dev.statectl.lock.LockCandidate;
import dev.statectl.port.StateFailure.LockHeld;
import java.time.Duration;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Tells a person at a terminal that a command waits for a lock, for whom, and how long it still
 * will: after two seconds, then every ten.
 */
final class WaitingNotice implements Consumer<LockHeld> {
  private static final Duration FIRST = Duration.ofSeconds(2);
  private static final Duration NEXT = Duration.ofSeconds(10);

  private final Diagnostics diagnostics;
  private final Duration timeout;
  private final LongSupplier nanoTime;
  private final long started;
  private @Nullable Duration told;

  WaitingNotice(Diagnostics diagnostics, Duration timeout, LongSupplier nanoTime) {
    this.diagnostics = diagnostics;
    this.timeout = timeout;
    this.nanoTime = nanoTime;
    this.started = nanoTime.getAsLong();
  }

  @Override
  public void accept(LockHeld held) {
    Duration waited = Duration.ofNanos(nanoTime.getAsLong() - started);
    Duration due = told == null ? FIRST : told.plus(NEXT);
    if (waited.compareTo(due) < 0) {
      return;
    }
    diagnostics.say(
        (told == null ? "waiting" : "still waiting")
            + " for the lock of '"
            + held.id()
            + "', "
            + held.candidate().map(c -> describe(c, held)).orElse("which others take in turn")
            + "; giving up in "
            + DurationText.of(timeout.minus(waited)));
    told = waited;
  }

  private static String describe(LockCandidate candidate, LockHeld held) {
    LockDescription lock = new LockDescription(candidate, held.terms());
    return "held by "
        + lock.holder()
        + " since "
        + candidate.since()
        + "; it expires in "
        + DurationText.of(lock.expiresIn())
        + " unless it is renewed";
  }
}
