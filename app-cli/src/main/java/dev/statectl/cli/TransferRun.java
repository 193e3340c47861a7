package dev.statectl.cli;

import dev.statectl.port.StateFailure;
import dev.statectl.state.State;
import dev.statectl.usecase.Transfer;
import java.util.ArrayList;
import java.util.List;

/**
 * Copies or moves what the options say, the same way for both: plan, consent, then one state after
 * the other, each under its own locks. A failure does not keep the others from being tried.
 */
final class TransferRun {
  private static final int SHOWN = 20;

  private final Verb verb;
  private final TransferOptions options;
  private final Confirmation confirmation;
  private final Diagnostics diagnostics;

  /** What is done to one state. */
  interface Verb {
    /** As in {@code copy}. */
    String name();

    /** As in {@code copied}. */
    String past();

    /** What else is lost when the state of a destination is overwritten; empty for nothing. */
    String besides(Transfer transfer);

    /**
     * Does it.
     *
     * @return the state as it is stored now
     * @throws HalfDone when the destination is written and the rest could not be done
     */
    State run(Transfer transfer, BackendComponent component);
  }

  /** The destination is written; the source could not be deleted. */
  static final class HalfDone extends RuntimeException {
    private static final long serialVersionUID = 1L;

    HalfDone(String message) {
      super(message);
    }
  }

  TransferRun(
      Verb verb, TransferOptions options, Confirmation confirmation, Diagnostics diagnostics) {
    this.verb = verb;
    this.options = options;
    this.confirmation = confirmation;
    this.diagnostics = diagnostics;
  }

  int run(BackendComponent component, StopRequest stop) {
    List<Transfer> plan = options.plan(component.planTransfers());
    return options.isForMany() ? runMany(plan, component, stop) : runOne(plan.get(0), component);
  }

  private int runOne(Transfer transfer, BackendComponent component) {
    String target = component.backend().target();
    if (!confirmation.allows(() -> plan(transfer, component, target))) {
      return ExitCode.OK.code();
    }
    try {
      State stored = verb.run(transfer, component);
      diagnostics.inform(
          verb.past()
              + " "
              + route(transfer)
              + " in "
              + target
              + " ("
              + StateDescription.bytes(stored.utf8Length())
              + ")");
      return ExitCode.OK.code();
    } catch (HalfDone e) {
      throw new CommandFailure(ExitCode.PARTLY, String.valueOf(e.getMessage()));
    }
  }

  private ChangePlan plan(Transfer transfer, BackendComponent component, String target) {
    if (transfer.overwrites()) {
      return ChangePlan.of(
          "overwrite",
          StateDescription.ofStored(transfer.destination(), component.getState(), target)
              + " with that of '"
              + transfer.source()
              + "'"
              + verb.besides(transfer));
    }
    long bytes = component.getState().get(transfer.source()).utf8Length();
    return ChangePlan.of(
            verb.name(),
            route(transfer) + " in " + target + " (" + StateDescription.bytes(bytes) + ")")
        .harmless();
  }

  private int runMany(List<Transfer> plan, BackendComponent component, StopRequest stop) {
    String target = component.backend().target();
    if (plan.isEmpty()) {
      throw new CommandFailure(
          ExitCode.NOT_FOUND,
          "no id in " + target + " matches " + options.pattern() + "; nothing was changed");
    }
    if (!confirmation.allows(() -> plan(plan, target))) {
      return ExitCode.OK.code();
    }
    ChangeTally tally = new ChangeTally();
    for (Transfer transfer : plan) {
      if (stop.signal().isPresent()) {
        break;
      }
      runOneOfMany(transfer, component, tally);
    }
    long notTried = plan.size() - tally.done() - tally.failed();
    String result =
        verb.past()
            + " "
            + tally.done()
            + " of "
            + StateDescription.counted(plan.size(), "state")
            + " in "
            + target
            + (tally.failed() > 0 ? ", " + tally.failed() + " failed" : "")
            + (notTried > 0 ? ", " + notTried + " not tried" : "");
    if (tally.done() == plan.size()) {
      diagnostics.inform(result);
    } else {
      diagnostics.say(result);
    }
    return stop.signal().map(StopSignal::exitCode).orElseGet(() -> tally.exitCode().code());
  }

  private void runOneOfMany(Transfer transfer, BackendComponent component, ChangeTally tally) {
    try {
      verb.run(transfer, component);
      tally.countDone(1);
    } catch (HalfDone e) {
      diagnostics.say(transfer + ": " + e.getMessage());
      tally.countFailed(1, ExitCode.PARTLY);
    } catch (StateFailure e) {
      diagnostics.say(transfer + ": " + e.getMessage());
      tally.countFailed(1, FailureReporter.exitCodeOf(e.kind()));
    }
  }

  private ChangePlan plan(List<Transfer> plan, String target) {
    List<String> lines = new ArrayList<>();
    for (Transfer transfer : plan.subList(0, Math.min(SHOWN, plan.size()))) {
      lines.add(transfer + (transfer.overwrites() ? " (overwrites)" : ""));
    }
    if (plan.size() > SHOWN) {
      lines.add("and " + (plan.size() - SHOWN) + " more");
    }
    long overwritten = plan.stream().filter(Transfer::overwrites).count();
    return ChangePlan.of(
            verb.name(),
            StateDescription.counted(plan.size(), "state")
                + " in "
                + target
                + (overwritten > 0 ? ", overwriting " + overwritten : ""))
        .withLines(lines);
  }

  private static String route(Transfer transfer) {
    return "'" + transfer.source() + "' to '" + transfer.destination() + "'";
  }
}
