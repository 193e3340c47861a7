package dev.statectl.cli;

import dev.statectl.lock.LockId;
import dev.statectl.state.StateId;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code statectl lock break}. */
@Command(
    name = "break",
    header = "Takes a lock from whoever holds it.",
    description = {
      "With --lock-id it is taken from that holder only: when it is not there any more, nothing"
          + " is changed, and the command ends with 5. Without, you are told who holds it and"
          + " asked first.",
      "A holder of ours notices when it renews its lock, and none of its later writes land. The"
          + " Meltano plugin does not notice: make sure that it is not running."
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  statectl lock break dev:tap-a-to-b",
      "  statectl lock break dev:tap-a-to-b --lock-id 00000000-0000-7019-ad00-b5d3e5c8f2a1"
    })
final class LockBreakCommand implements Callable<Integer> {
  private final BackendRunner backends;
  private final Diagnostics diagnostics;

  @Spec private @Nullable CommandSpec spec;

  @Mixin private final Confirmation confirmation;

  @Parameters(paramLabel = "ID", description = "The lock's id: a state's, or @run: and a state's.")
  private String id = "";

  @Option(
      names = "--lock-id",
      paramLabel = "LOCK-ID",
      description = "Whom to take it from, as 'lock show' tells.")
  private @Nullable String lockId;

  LockBreakCommand(BackendRunner backends, Confirmation confirmation, Diagnostics diagnostics) {
    this.backends = backends;
    this.confirmation = confirmation;
    this.diagnostics = diagnostics;
  }

  @Override
  public Integer call() throws Exception {
    StateId stateId = StateId.ofStored(id);
    if (lockId == null) {
      return backends.run(component -> breakHolder(stateId, component));
    }
    if (lockId.isBlank()) {
      throw UsageFault.of(spec, "--lock-id must not be blank");
    }
    LockId given = new LockId(lockId);
    return backends.run(component -> breakGiven(stateId, given, component));
  }

  private int breakHolder(StateId stateId, BackendComponent component) {
    LockDescription holder =
        LockHolders.of(stateId, component).stream()
            .findFirst()
            .orElseThrow(() -> LockHolders.nobody(stateId, component));
    if (!confirmation.allows(() -> plan(stateId, holder, component))) {
      return ExitCode.OK.code();
    }
    return withdraw(
        stateId, holder.candidate().lockId(), ", which was " + holder.sentence(), component);
  }

  private int breakGiven(StateId stateId, LockId given, BackendComponent component) {
    // A lock id is consent by itself, since it can be known only by who has looked.
    if (confirmation.isDryRun()
        && !confirmation.allows(() -> planGiven(stateId, given, component))) {
      return ExitCode.OK.code();
    }
    return withdraw(stateId, given, " (lock id " + given + ")", component);
  }

  private static ChangePlan plan(
      StateId stateId, LockDescription holder, BackendComponent component) {
    return ChangePlan.of("break", lock(stateId, component) + ", " + holder.sentence());
  }

  private static ChangePlan planGiven(StateId stateId, LockId given, BackendComponent component) {
    return Stream.concat(
            component.locks().look(stateId).stream(), component.locks().claimant(stateId).stream())
        .filter(row -> row.lockId().equals(given))
        .findFirst()
        .map(row -> new LockDescription(row, component.locking().terms()))
        .map(holder -> plan(stateId, holder, component))
        .orElseThrow(() -> notHeld(stateId, given, LockHolders.of(stateId, component), component));
  }

  private int withdraw(StateId stateId, LockId mark, String which, BackendComponent component) {
    // A claim alone keeps others out, too.
    boolean claimed =
        component.locks().claimant(stateId).filter(c -> c.lockId().equals(mark)).isPresent();
    if (!component.locks().withdraw(stateId, mark) && !claimed) {
      throw notHeld(stateId, mark, LockHolders.of(stateId, component), component);
    }
    diagnostics.inform("broke " + lock(stateId, component) + which);
    return ExitCode.OK.code();
  }

  private static CommandFailure notHeld(
      StateId stateId, LockId mark, List<LockDescription> others, BackendComponent component) {
    return new CommandFailure(
        ExitCode.CONFLICT,
        lock(stateId, component)
            + " is not held with the lock id "
            + mark
            + " any more; "
            + (others.isEmpty() ? "nobody holds it" : "it is " + others.get(0).sentence())
            + "; nothing was changed");
  }

  private static String lock(StateId stateId, BackendComponent component) {
    return "the lock of '" + stateId + "' in " + component.backend().target();
  }
}
