package dev.statectl.cli;

import dev.statectl.state.StateId;
import dev.statectl.state.StateIdRewrite;
import dev.statectl.usecase.PlanTransfers;
import dev.statectl.usecase.Transfer;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Which states become which, for copying and moving: one, or all that a pattern picks. */
final class TransferOptions {
  @Spec(Spec.Target.MIXEE)
  private @Nullable CommandSpec command;

  @Parameters(index = "0", arity = "0..1", paramLabel = "SRC", description = "The id to take from.")
  private @Nullable String source;

  @Parameters(index = "1", arity = "0..1", paramLabel = "DST", description = "The id to store to.")
  private @Nullable String destination;

  @Option(
      names = "--pattern",
      paramLabel = "GLOB",
      description =
          "Take all ids that match the whole pattern. It holds exactly one *, which is any run of"
              + " characters, and no other wildcard.")
  private @Nullable String pattern;

  @Option(
      names = "--to",
      paramLabel = "GLOB",
      description =
          "What their new ids look like: what the * of --pattern stood for takes the place of the *"
              + " of --to.")
  private @Nullable String to;

  /** Tells whether a pattern picks the states. */
  boolean isForMany() {
    return pattern != null;
  }

  /** Checks what can be checked without a store. */
  void check() {
    if (pattern == null && to == null) {
      if (source == null || destination == null) {
        throw UsageFault.of(command, "give SRC and DST, or --pattern and --to");
      }
      checked(() -> new Transfer(StateId.ofStored(source()), StateId.of(destination()), true));
      return;
    }
    if (source != null) {
      throw UsageFault.of(command, "give either SRC and DST, or --pattern and --to, not both");
    }
    if (pattern == null || to == null) {
      throw UsageFault.of(
          command, "--pattern and --to belong together, " + missing() + " is missing");
    }
    checked(this::rewrite);
  }

  /** Makes the plan; a plan that would lose something is a wrong command line. */
  List<Transfer> plan(PlanTransfers planTransfers) {
    return checked(
        () ->
            isForMany()
                ? planTransfers.plan(rewrite())
                : List.of(
                    planTransfers.plan(
                        StateId.ofStored(source()), StateId.ofStored(destination()))));
  }

  /** The pattern that picks the states. */
  String pattern() {
    return String.valueOf(pattern);
  }

  private String source() {
    return String.valueOf(source);
  }

  private String destination() {
    return String.valueOf(destination);
  }

  private StateIdRewrite rewrite() {
    return StateIdRewrite.of(String.valueOf(pattern), String.valueOf(to));
  }

  private String missing() {
    return pattern == null ? "--pattern" : "--to";
  }

  private interface Checked<T> {
    T get();
  }

  private <T> T checked(Checked<T> call) {
    try {
      return call.get();
    } catch (IllegalArgumentException e) {
      throw UsageFault.of(command, String.valueOf(e.getMessage()));
    }
  }
}
