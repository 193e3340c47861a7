package dev.statectl.cli;

import java.util.EnumSet;
import java.util.Set;

/** What became of a change of many states, of which some may fail, and how the command ends. */
final class ChangeTally {
  private final Set<ExitCode> failures = EnumSet.noneOf(ExitCode.class);
  private long done;
  private long failed;

  void countDone(long more) {
    done += more;
  }

  void countFailed(long more, ExitCode why) {
    if (more > 0) {
      failed += more;
      failures.add(why);
    }
  }

  long done() {
    return done;
  }

  long failed() {
    return failed;
  }

  long tried() {
    return done + failed;
  }

  /** Partly, when anything was done; else what all failures agree on. */
  ExitCode exitCode() {
    if (failed == 0) {
      return ExitCode.OK;
    }
    if (done > 0) {
      return ExitCode.PARTLY;
    }
    return failures.size() == 1 ? failures.iterator().next() : ExitCode.FAILURE;
  }
}
