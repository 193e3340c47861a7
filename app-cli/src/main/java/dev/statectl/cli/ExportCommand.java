package dev.statectl.cli;

import dev.statectl.port.StateFailure;
import dev.statectl.state.ExportFormat;
import dev.statectl.state.StateIdGlob;
import dev.statectl.usecase.ExportStates.Exported;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code statectl export}. */
@Command(
    name = "export",
    customSynopsis = {
      "statectl export [--pattern=GLOB] [--dry-run] [-y] [--uri=URI] [--environment=NAME] [FILE]"
    },
    header = "Writes the states of many ids, as 'meltano state export' does.",
    description = {
      "The document is an object with a state a line: {ID: {\"completed\": {...}, \"partial\":"
          + " {...}}}. Halves come out byte for byte. 'statectl import' and 'meltano state import'"
          + " read it.",
      "A FILE is there as a whole or not at all; before one is overwritten you are asked. A state"
          + " that cannot be read is named and left out; then the command ends with 8."
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  statectl export > states.json",
      "  statectl export --pattern 'prod:*' --yes prod.json"
    })
final class ExportCommand implements Callable<Integer> {
  private final BackendRunner backends;
  private final Path workingDirectory;
  private final DataOutput out;
  private final Diagnostics diagnostics;

  @Mixin private final Confirmation confirmation;

  @Option(
      names = "--pattern",
      paramLabel = "GLOB",
      defaultValue = "*",
      description = "Only ids that match the whole pattern, as in 'list'.")
  private String pattern = "*";

  @Parameters(
      index = "0",
      arity = "0..1",
      paramLabel = "FILE",
      description = "Where to write to; standard output if it is missing or -.")
  private @Nullable String file;

  ExportCommand(
      BackendRunner backends,
      Path workingDirectory,
      DataOutput out,
      Confirmation confirmation,
      Diagnostics diagnostics) {
    this.backends = backends;
    this.workingDirectory = workingDirectory;
    this.out = out;
    this.confirmation = confirmation;
    this.diagnostics = diagnostics;
  }

  @Override
  public Integer call() throws Exception {
    if (file == null || file.equals("-")) {
      return backends.run(this::exportToOutput);
    }
    String name = file;
    try (ReplacedFile replaced = ReplacedFile.of(name, workingDirectory)) {
      return backends.run(component -> exportToFile(name, replaced, component));
    }
  }

  private int exportToOutput(BackendComponent component) {
    String what = "the states of " + component.backend().target() + " to standard output";
    if (!confirmation.isDryRun()
        || confirmation.allows(() -> ChangePlan.of("export", what).harmless())) {
      Exported exported = export(component, out::append);
      return exitCode(exported, component.backend().target());
    }
    return ExitCode.OK.code();
  }

  private int exportToFile(String name, ReplacedFile replaced, BackendComponent component) {
    String target = component.backend().target();
    if (!confirmation.allows(() -> plan(name, replaced, target))) {
      return ExitCode.OK.code();
    }
    Exported exported = export(component, replaced::append);
    replaced.replace();
    diagnostics.inform(
        "exported "
            + StateDescription.counted(exported.exported(), "state")
            + " of "
            + target
            + " to "
            + name);
    return exitCode(exported, target);
  }

  private static ChangePlan plan(String name, ReplacedFile replaced, String target) {
    if (replaced.exists()) {
      return ChangePlan.of(
          "overwrite",
          "the file "
              + name
              + " ("
              + StateDescription.bytes(replaced.size())
              + ") with the states of "
              + target);
    }
    return ChangePlan.of("export", "the states of " + target + " to the new file " + name)
        .harmless();
  }

  private Exported export(BackendComponent component, Consumer<String> text) {
    try (ProgressLine progress = diagnostics.progress("exporting")) {
      long[] states = {0};
      return component
          .exportStates()
          .export(
              StateIdGlob.of(pattern),
              piece -> {
                text.accept(piece);
                // Stands before each but the first.
                if (piece.equals(ExportFormat.SEPARATOR)) {
                  progress.report(++states[0], 0);
                }
              },
              failure -> diagnostics.say(message(failure)));
    }
  }

  private int exitCode(Exported exported, String target) {
    ChangeTally tally = new ChangeTally();
    tally.countDone(exported.exported());
    tally.countFailed(exported.unreadable(), ExitCode.FAILURE);
    if (exported.unreadable() > 0) {
      diagnostics.say(
          StateDescription.counted(exported.unreadable(), "state")
              + " of "
              + target
              + " could not be read, and the export is without");
    }
    return tally.exitCode().code();
  }

  private static String message(StateFailure failure) {
    return String.valueOf(failure.getMessage());
  }
}
