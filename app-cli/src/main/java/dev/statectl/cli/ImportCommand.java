package dev.statectl.cli;

import dev.statectl.usecase.GuardRails;
import dev.statectl.usecase.ImportStates.Examination;
import dev.statectl.usecase.ImportStates.IfExists;
import dev.statectl.usecase.ImportStates.Plan;
import dev.statectl.usecase.ImportStates.Result;
import dev.statectl.usecase.StateSource;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code statectl import}. */
@Command(
    name = "import",
    customSynopsis = {
      "statectl import [--if-exists=overwrite|skip|fail] [--dry-run] [-y|--force]",
      "                       [--wait=DURATION] [--uri=URI] [--environment=NAME] [FILE]"
    },
    header = "Stores the states of an export, Meltano's or ours.",
    description = {
      "All of the export is checked before the first state is stored. Both halves are stored byte"
          + " for byte, each state under its id's lock. A state that cannot be stored is named, and"
          + " the others are stored all the same; then the command ends with 8.",
      "Unless --if-exists says otherwise, nothing is stored when one of the ids has a state already.",
      GuardedCommand.EXPLAINED
          + " One state that is doubtful keeps all of the export from being imported."
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  meltano state export | statectl import --if-exists=skip -",
      "  statectl import --if-exists=overwrite --yes states.json"
    })
final class ImportCommand implements Callable<Integer> {
  private final BackendRunner backends;
  private final ProcessContext process;
  private final Diagnostics diagnostics;

  @Spec private @Nullable CommandSpec spec;

  @Mixin private final Confirmation confirmation;

  @Mixin private final WaitOption wait = new WaitOption();

  @Parameters(
      index = "0",
      arity = "0..1",
      paramLabel = "FILE",
      description = "The export, in UTF-8; standard input if it is missing or -.")
  private @Nullable String file;

  @Option(
      names = "--if-exists",
      paramLabel = "overwrite|skip|fail",
      defaultValue = "fail",
      description =
          "What becomes of an id that has a state already. fail (default): nothing is imported; skip:"
              + " its state stays; overwrite: it is overwritten, and you are asked first.")
  private Existing ifExists = Existing.fail;

  ImportCommand(
      BackendRunner backends,
      ProcessContext process,
      Confirmation confirmation,
      Diagnostics diagnostics) {
    this.backends = backends;
    this.process = process;
    this.confirmation = confirmation;
    this.diagnostics = diagnostics;
  }

  // Named as they are typed.
  private enum Existing {
    overwrite(IfExists.OVERWRITE),
    skip(IfExists.SKIP),
    fail(IfExists.FAIL);

    private final IfExists meaning;

    Existing(IfExists meaning) {
      this.meaning = meaning;
    }
  }

  @Override
  public Integer call() throws Exception {
    if (file == null && process.terminal().isInteractive()) {
      throw UsageFault.of(spec, "the export is missing: give FILE, or - to type it");
    }
    // Read to its end first: it may come from a command that uses the same store.
    try (ImportFile source = ImportFile.open(file, process.in(), process.workingDirectory())) {
      return backends.runLocking(
          "import", wait, (component, stop) -> importStates(source, component, stop));
    }
  }

  private int importStates(ImportFile source, BackendComponent component, StopRequest stop) {
    String target = component.backend().target();
    GuardRails guardRails = component.guardRails();
    boolean judged = confirmation.needsDoubts();
    Examination examination =
        component
            .importStates()
            .examine(
                interruptible(source, stop),
                ifExists.meaning,
                judged ? guardRails : GuardRails.NONE);
    Plan plan = examination.plan();
    if (ifExists == Existing.fail) {
      plan.example()
          .ifPresent(
              example -> {
                throw new CommandFailure(
                    ExitCode.FAILURE,
                    "the export has ids with a state in "
                        + target
                        + " already, "
                        + plan.existing()
                        + " of "
                        + plan.states()
                        + ", such as '"
                        + example
                        + "'; nothing was changed; say --if-exists=overwrite or --if-exists=skip",
                    "say --if-exists=overwrite or --if-exists=skip");
              });
    }
    if (judged && !confirmation.allows(changePlan(plan, target).withDoubts(examination.doubts()))) {
      return ExitCode.OK.code();
    }
    ChangeTally tally = new ChangeTally();
    ImportFailures failures = new ImportFailures(diagnostics);
    Result result;
    try (ProgressLine progress = diagnostics.progress("importing")) {
      result =
          component
              .importStates()
              .run(
                  counted(source, plan.states(), progress),
                  ifExists.meaning,
                  confirmation.over(guardRails),
                  (id, failure) -> {
                    tally.countFailed(1, ExitCode.of(failure.kind()));
                    failures.add(id, failure);
                  },
                  () -> stop.signal().isPresent());
    }
    failures.end();
    tally.countDone(result.created() + result.updated());
    String said = said(result, target);
    if (stop.signal().isPresent() && result.failed() + result.notTried() > 0) {
      throw new Stopped(stop.signal().get(), "interrupted; " + said);
    }
    if (result.failed() > 0) {
      diagnostics.say(said);
    } else {
      diagnostics.inform(said);
    }
    return tally.exitCode().code();
  }

  private ChangePlan changePlan(Plan plan, String target) {
    String kept =
        ifExists == Existing.overwrite ? " overwritten" : " kept as they are in the store";
    ChangePlan change =
        ChangePlan.of(
            "import",
            StateDescription.counted(plan.states(), "state")
                + " into "
                + target
                + " ("
                + (plan.states() - plan.existing())
                + " new, "
                + plan.existing()
                + kept
                + ")");
    return ifExists == Existing.overwrite && plan.existing() > 0 ? change : change.harmless();
  }

  private static String said(Result result, String target) {
    return "imported into "
        + target
        + ": created "
        + result.created()
        + ", updated "
        + result.updated()
        + ", skipped "
        + result.skipped()
        + ", failed "
        + result.failed()
        + (result.notTried() > 0 ? ", not tried " + result.notTried() : "");
  }

  // Stored states are read meanwhile, which takes its time.
  private static StateSource interruptible(StateSource source, StopRequest stop) {
    return action ->
        source.forEach(
            state -> {
              stop.check();
              action.accept(state);
            });
  }

  private static StateSource counted(StateSource source, long total, ProgressLine progress) {
    return action -> {
      long[] count = {0};
      source.forEach(
          state -> {
            action.accept(state);
            progress.report(++count[0], total);
          });
    };
  }
}
