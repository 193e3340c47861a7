package dev.statectl.cli;

import dev.statectl.lock.LockCandidate;
import dev.statectl.lock.LockTerms;
import dev.statectl.port.StateFailure.LockHeld;
import dev.statectl.state.StateId;
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
  private final boolean person;
  private final Duration timeout;
  private final LongSupplier nanoTime;
  private final long started;
  private @Nullable Duration told;
  private @Nullable LockHeld last;
  private Duration lastSeen = Duration.ZERO;

  /**
   * @param person whether there is one; else nothing is told
   * @param timeout how long the command waits
   */
  WaitingNotice(Diagnostics diagnostics, boolean person, Duration timeout, LongSupplier nanoTime) {
    this.diagnostics = diagnostics;
    this.person = person;
    this.timeout = timeout;
    this.nanoTime = nanoTime;
    this.started = nanoTime.getAsLong();
  }

  @Override
  public void accept(LockHeld held) {
    Duration waited = waited();
    last = held;
    lastSeen = waited;
    Duration due = told == null ? FIRST : told.plus(NEXT);
    if (!person || waited.compareTo(due) < 0) {
      return;
    }
    diagnostics.inform(
        (told == null ? "waiting" : "still waiting")
            + " for the lock of '"
            + held.id()
            + "', "
            + held.candidate().map(c -> describe(c, held)).orElse("which others take in turn")
            + "; giving up in "
            + DurationText.of(timeout.minus(waited)));
    told = waited;
  }

  /** Tells that the lock was taken, if it was told that it is waited for. */
  void taken(StateId id) {
    if (told != null) {
      diagnostics.inform(
          "took the lock of '"
              + id
              + "' after "
              + DurationText.of(waited())
              + (hasExpired() ? "; its holder did not renew it" : ""));
    }
  }

  // A holder that lives renews its lock at half of the time.
  private boolean hasExpired() {
    if (last == null) {
      return false;
    }
    LockTerms terms = last.terms();
    Duration since = waited().minus(lastSeen);
    return last.candidate()
        .filter(row -> row.age().plus(since).compareTo(terms.stale()) >= 0)
        .isPresent();
  }

  private Duration waited() {
    return Duration.ofNanos(nanoTime.getAsLong() - started);
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
