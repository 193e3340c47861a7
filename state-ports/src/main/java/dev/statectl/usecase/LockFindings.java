package dev.statectl.usecase;

import dev.statectl.lock.LockCandidate;
import dev.statectl.lock.LockTerms;
import dev.statectl.port.Finding;
import dev.statectl.port.LockTable;
import dev.statectl.port.Mend;
import dev.statectl.state.StateId;
import dev.statectl.state.StateIdGlob;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Looks at every row of the lock table: whether it counts, and whether it ever ends to. */
final class LockFindings {
  static final String STALE = "stale-lock";
  static final String FUTURE = "future-lock";

  // Rows have whole seconds, and a row that was written during the walk is newer than its start.
  private static final Duration TOLERATED = Duration.ofSeconds(5);

  private final String target;
  private final LockTerms terms;
  private final Map<StateId, LockCandidate> stale = new LinkedHashMap<>();
  private final List<LockCandidate> future = new ArrayList<>();
  private long held;
  private Duration oldest = Duration.ZERO;

  LockFindings(String target, LockTerms terms) {
    this.target = target;
    this.terms = terms;
  }

  List<Finding> of(LockTable table) {
    table.forEach(StateIdGlob.ALL, this::add);
    List<Finding> findings = new ArrayList<>();
    stale.values().forEach(row -> findings.add(stale(row)));
    future.forEach(row -> findings.add(future(row)));
    if (findings.isEmpty()) {
      findings.add(
          Finding.ok(
              "locks",
              target,
              held == 0
                  ? "no lock is held"
                  : held
                      + (held == 1 ? " lock is" : " locks are")
                      + " held, the oldest row "
                      + oldest.toSeconds()
                      + " seconds old"));
    }
    return findings;
  }

  private void add(LockCandidate row) {
    if (row.isStale(terms)) {
      // One finding for all of an id, since one mend removes them all.
      stale.putIfAbsent(row.id(), row);
    } else if (row.age().plus(TOLERATED).isNegative()) {
      future.add(row);
    } else {
      held++;
      oldest = row.age().compareTo(oldest) > 0 ? row.age() : oldest;
    }
  }

  private Finding stale(LockCandidate row) {
    return Finding.warning(
            STALE,
            row.id().text(),
            "a lock of "
                + row.who()
                + " was left behind: its row is "
                + row.age().toSeconds()
                + " seconds old, and counts no more after "
                + terms.stale().toSeconds(),
            "a run died without letting go; look at how it ended. The row keeps nobody out")
        .withMend(breaking(row).asSafe());
  }

  private static Finding future(LockCandidate row) {
    return Finding.warning(
            FUTURE,
            row.id().text(),
            "a lock of "
                + row.who()
                + " is dated "
                + row.age().negated().toSeconds()
                + " seconds ahead of the store's clock",
            "the clock was set back, or a program dated the row; the lock keeps others out for so"
                + " much longer")
        .withMend(breaking(row));
  }

  private static Mend breaking(LockCandidate row) {
    return Mend.command(
        "statectl lock break --lock-id "
            + ShellWord.of(row.lockId().text())
            + " "
            + ShellWord.of(row.id().text()));
  }
}
