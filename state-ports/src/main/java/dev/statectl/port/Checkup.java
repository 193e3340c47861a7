package dev.statectl.port;

import java.util.List;

/**
 * The port that looks at a store itself: its server or files, its tables, the user's rights. What
 * every store has, its states and locks, is looked at by {@link dev.statectl.usecase.ExamineStore},
 * which begins with this.
 *
 * <p>An examination changes nothing. What the user may not see is a finding of its own ({@link
 * Finding#unexamined}) and no failure. Implementations are thread-safe.
 */
public interface Checkup {
  /** The checkup of a store of which there is nothing to say. */
  Checkup NONE =
      new Checkup() {
        @Override
        public List<Finding> examine() {
          return List.of();
        }

        @Override
        public void mend(Finding finding) {
          throw new IllegalArgumentException("no safe mend for " + finding.check());
        }
      };

  /**
   * Examines the store.
   *
   * @return what was found, also what is well, in a fixed order of checks
   * @throws StateFailure.Unavailable when the store does not answer
   * @throws StateFailure.Denied when the store does not know the user
   * @throws IllegalStateException when the backend was closed
   */
  List<Finding> examine();

  /**
   * Does what the safe mend of a finding says. Doing it where nothing is wrong any more changes
   * nothing.
   *
   * @param finding a finding of {@link #examine()} whose mend is safe
   * @throws IllegalArgumentException when the finding is not of this store or its mend is not safe
   * @throws StateFailure.Unavailable when the store does not answer, or cannot do it at present
   * @throws StateFailure.Denied when the user may not do it
   * @throws StateFailure.WrongSchema when the store is not of the form that the mend is for
   * @throws IllegalStateException when the backend was closed
   */
  void mend(Finding finding);
}
