package dev.statectl.cli;

import dev.statectl.port.StateFailure;
import dev.statectl.state.State;
import dev.statectl.usecase.Transfer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

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

    /** As in {@code copying}. */
    String present();

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
      throw SelectedStates.none(options.pattern(), target);
    }
    if (!confirmation.allows(() -> plan(plan, target))) {
      return ExitCode.OK.code();
    }
    ChangeTally tally = new ChangeTally();
    try (ProgressLine progress = diagnostics.progress(verb.present())) {
      boolean goOn = true;
      for (int i = 0; goOn && i < plan.size(); i++) {
        goOn = stop.signal().isEmpty() && runOneOfMany(plan.get(i), component, stop, tally);
        progress.report(i + 1L, plan.size());
      }
    }
    String said = said(plan.size(), target, tally);
    Optional<StopSignal> signal = stop.signal();
    if (signal.isPresent() && tally.tried() < plan.size()) {
      throw new Stopped(signal.get(), "interrupted; " + said);
    }
    if (tally.failed() == 0) {
      diagnostics.inform(said);
    } else {
      diagnostics.say(said);
    }
    return tally.exitCode().code();
  }

  private String said(int total, String target, ChangeTally tally) {
    StringBuilder said = new StringBuilder(verb.past()).append(' ');
    if (tally.done() < total) {
      said.append(tally.done()).append(" of ");
    }
    said.append(StateDescription.counted(total, "state")).append(" in ").append(target);
    if (tally.failed() > 0) {
      said.append("; ").append(tally.failed()).append(" not ").append(verb.past());
    }
    if (tally.tried() < total) {
      said.append("; ").append(total - tally.tried()).append(" not tried");
    }
    return said.toString();
  }

  // Tells whether to go on.
  private boolean runOneOfMany(
      Transfer transfer, BackendComponent component, StopRequest stop, ChangeTally tally) {
    try {
      verb.run(transfer, component);
      tally.countDone(1);
    } catch (HalfDone e) {
      diagnostics.say(transfer + ": " + e.getMessage());
      tally.countFailed(1, ExitCode.PARTLY);
    } catch (StateFailure e) {
      if (stop.signal().isPresent() && Thread.interrupted()) {
        return false;
      }
      diagnostics.say("not " + verb.past() + ": " + transfer + ": " + e.getMessage());
      tally.countFailed(1, ExitCode.of(e.kind()));
    }
    return true;
  }

  private ChangePlan plan(List<Transfer> plan, String target) {
    List<String> lines = new ArrayList<>();
    for (Transfer transfer : plan.subList(0, Math.min(SHOWN, plan.size()))) {
      lines.add("  " + transfer + (transfer.overwrites() ? " (overwrites)" : ""));
    }
    if (plan.size() > SHOWN) {
      lines.add("  and " + (plan.size() - SHOWN) + " more");
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
