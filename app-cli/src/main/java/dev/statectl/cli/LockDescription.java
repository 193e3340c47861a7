package dev.statectl.cli;

import dev.statectl.lock.LockCandidate;
import dev.statectl.lock.LockTerms;
import java.time.Duration;

/** Words and numbers for a row of the lock table. */
record LockDescription(LockCandidate candidate, LockTerms terms) {

  /** Who it is, for people. */
  String holder() {
    return candidate.who();
  }

  /** Whose program it is. */
  String whose() {
    return candidate.lockId().isOurs() ? "ours" : "plugin's";
  }

  /** For how long it has been held. */
  Duration age() {
    return Duration.between(candidate.since(), candidate.seenAt());
  }

  /** How long it will still count, unless it is renewed; negative when it counts no more. */
  Duration expiresIn() {
    return terms.stale().minus(candidate.age());
  }

  /** As in {@code held by statectl set by etl@host pid 7 since … (lock id …)}. */
  String sentence() {
    return "held by "
        + holder()
        + " since "
        + candidate.since()
        + " (lock id "
        + candidate.lockId()
        + ")";
  }
}
