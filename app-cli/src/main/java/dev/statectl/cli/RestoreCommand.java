package dev.statectl.cli;

import dev.statectl.state.StateId;
import dev.statectl.state.StateVersion;
import dev.statectl.usecase.RestorePlan;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code statectl restore}. */
@Command(
    name = "restore",
    header = "Stores a version of a state again.",
    description =
        "The version becomes the newest one; history is not rewritten. It is read back and compared."
            + " If somebody else changes the state meanwhile, nothing is restored (5).",
    footerHeading = "%nExamples:%n",
    footer = {
      "  statectl restore dev:tap-a-to-b --version 2026-11-29T12:00:00.123Z --dry-run",
      "  statectl restore dev:tap-a-to-b --version 2026-11-29T12:00:00.123Z -y"
    })
final class RestoreCommand implements Callable<Integer> {
  private final BackendRunner backends;
  private final Diagnostics diagnostics;

  @Mixin private final Confirmation confirmation;

  @Mixin private final WaitOption wait = new WaitOption();

  @Parameters(paramLabel = "ID", description = "The state's id.")
  private String id = "";

  @Option(
      names = {"-h", "--help"},
      usageHelp = true,
      description = "Show this help message and exit.")
  private boolean help;

  @Option(
      names = "--version",
      paramLabel = "VERSION",
      required = true,
      converter = VersionConverter.class,
      description = "Which version, as 'history' shows it.")
  private StateVersion version = StateVersion.NONE;

  RestoreCommand(BackendRunner backends, Confirmation confirmation, Diagnostics diagnostics) {
    this.backends = backends;
    this.confirmation = confirmation;
    this.diagnostics = diagnostics;
  }

  @Override
  public Integer call() throws Exception {
    StateId stateId = StateId.ofStored(id);
    return backends.runLocking(
        "restore",
        wait,
        (component, stop) -> {
          RecordedHistory.of(component);
          RestorePlan plan = component.restoreState().plan(stateId, version);
          return new RestorationScreen(component.backend().target(), confirmation, diagnostics)
              .run(plan, component.restoreState()::apply);
        });
  }
}
