package dev.statectl.cli;

import dev.statectl.port.HistoryStatus;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;

/** {@code statectl history status}. */
@Command(
    name = "status",
    header = "Tells whether history is recorded, and for how long it is kept.",
    footerHeading = "%nExamples:%n",
    footer = {"  statectl history status"})
final class HistoryStatusCommand implements Callable<Integer> {
  private final BackendRunner backends;
  private final DataOutput out;

  HistoryStatusCommand(BackendRunner backends, DataOutput out) {
    this.backends = backends;
    this.out = out;
  }

  @Override
  public Integer call() throws Exception {
    return backends.run(
        component -> {
          HistoryStatus status = RecordedHistory.of(component).status();
          String kept = status.keep().map(keep -> ", kept for " + DurationText.of(keep)).orElse("");
          out.line(
              switch (status.recording()) {
                case NEVER -> "never recorded";
                case ON -> "recorded" + kept;
                case OFF -> "recorded no more" + kept;
                case BROKEN ->
                    "broken: the table is gone and the view is not; 'history enable' mends it,"
                        + " 'history disable' ends it";
              });
          return ExitCode.OK.code();
        });
  }
}
