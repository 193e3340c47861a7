package dev.statectl.cli;

import dev.statectl.port.StateHistory;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code statectl history disable}. */
@Command(
    name = "disable",
    header = "Records no more states; what is recorded stays.",
    footerHeading = "%nExamples:%n",
    footer = {"  statectl history disable -y"})
final class HistoryDisableCommand implements Callable<Integer> {
  private final BackendRunner backends;
  private final Diagnostics diagnostics;

  @Mixin private final Confirmation confirmation;

  HistoryDisableCommand(
      BackendRunner backends, Confirmation confirmation, Diagnostics diagnostics) {
    this.backends = backends;
    this.confirmation = confirmation;
    this.diagnostics = diagnostics;
  }

  @Override
  public Integer call() throws Exception {
    return backends.run(
        component -> {
          StateHistory history = RecordedHistory.of(component);
          String target = component.backend().target();
          if (!confirmation.allows(
              () -> ChangePlan.of("stop recording", "the history of " + target))) {
            return ExitCode.OK.code();
          }
          history.disable();
          diagnostics.inform("history of " + target + " is recorded no more; the records stay");
          return ExitCode.OK.code();
        });
  }
}
