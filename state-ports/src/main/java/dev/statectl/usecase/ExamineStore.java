package dev.statectl.usecase;

import dev.statectl.lock.LockTerms;
import dev.statectl.port.Backend;
import dev.statectl.port.Finding;
import dev.statectl.port.StateFailure;
import dev.statectl.state.StateId;
import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/**
 * Examines a store: the place itself, its clock, its states and its locks. It reads every state,
 * and changes nothing unless it is asked to mend. Thread-safe if the backend is.
 */
public final class ExamineStore {
  private final Backend backend;
  private final LockTerms terms;
  private final Clock clock;

  /**
   * Makes the use case.
   *
   * @param backend the store
   * @param terms how old a lock's row may become
   * @param clock the caller's clock, which is compared with the store's
   */
  public ExamineStore(Backend backend, LockTerms terms, Clock clock) {
    this.backend = backend;
    this.terms = terms;
    this.clock = clock;
  }

  /**
   * Examines the store. What the user may not see, or what is not of the expected form, is a
   * finding and keeps nothing else from being examined.
   *
   * @return what was found, also what is well: first of the place, then of the clock, of the
   *     states, of the locks
   * @throws StateFailure.Unavailable when the store does not answer
   * @throws StateFailure.Denied when the store does not know the user
   * @throws IllegalStateException when the backend was closed
   */
  public List<Finding> examine() {
    // Whoever is not let in at all learns it here, and not as something that could not be examined.
    Instant before = clock.instant();
    Instant store = backend.now();
    Instant after = clock.instant();
    String target = backend.target();
    List<Finding> findings = new ArrayList<>(backend.checkup().examine());
    findings.add(ClockFindings.of(target, store, before, after));
    findings.addAll(
        orUnexamined("states", target, () -> new StateFindings(target).of(backend, store)));
    findings.addAll(
        orUnexamined("locks", target, () -> new LockFindings(target, terms).of(backend.locks())));
    return List.copyOf(findings);
  }

  /**
   * Does what the safe mend of a finding says. Doing it where nothing is wrong any more changes
   * nothing.
   *
   * @param finding a finding of {@link #examine()} whose mend is safe
   * @throws IllegalArgumentException when its mend is not safe
   * @throws StateFailure when the store cannot or may not do it
   * @throws IllegalStateException when the backend was closed
   */
  public void mend(Finding finding) {
    if (!finding.isSafelyMendable()) {
      throw new IllegalArgumentException("no safe mend for " + finding.check());
    }
    if (finding.check().equals(LockFindings.STALE)) {
      StateId id = StateId.ofStored(finding.subject());
      // Looked for anew: a row that is there by now may be of somebody who runs.
      backend.locks().look(id).stream()
          .filter(row -> row.isStale(terms))
          .forEach(row -> backend.locks().withdraw(id, row.lockId()));
    } else {
      backend.checkup().mend(finding);
    }
  }

  private static List<Finding> orUnexamined(
      String check, String target, Supplier<List<Finding>> examination) {
    try {
      return examination.get();
    } catch (StateFailure.Denied | StateFailure.WrongSchema e) {
      return List.of(Finding.unexamined(check, target, String.valueOf(e.getMessage())));
    }
  }
}
