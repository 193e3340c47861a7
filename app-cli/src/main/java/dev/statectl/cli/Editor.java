package dev.statectl.cli;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * The editor that a person wants: {@code VISUAL}, else {@code EDITOR}, else {@code vi}. As with
 * git, the value is a command for the shell, which may have arguments.
 *
 * @see <a href="https://pubs.opengroup.org/onlinepubs/9799919799/basedefs/V1_chap08.html">POSIX,
 *     environment variables</a>
 */
final class Editor {
  private final ProcessContext process;
  private final String command;

  Editor(ProcessContext process) {
    this.process = process;
    Map<String, String> environment = process.environment();
    this.command =
        Stream.of("VISUAL", "EDITOR")
            .map(name -> environment.getOrDefault(name, ""))
            .filter(value -> !value.isBlank())
            .findFirst()
            .orElse("vi");
  }

  /**
   * Opens a file and waits until the person is done. Signals go to the editor: Ctrl-C is a key
   * there.
   *
   * @throws CommandFailure when the editor says that it failed
   * @throws Stopped when a signal ended it
   */
  void open(Path file) throws IOException, InterruptedException {
    StopRequest stop = new StopRequest(process.signals());
    StopSignals.Registration taken = process.signals().take(stop::receive);
    int code;
    try (taken) {
      RunningCommand running =
          RunningCommand.start(
              // The shell itself lives on when the editor takes a Ctrl-C.
              List.of("sh", "-c", "trap : INT; " + command + " \"$@\"", "editor", file.toString()),
              process.environment(),
              process.workingDirectory());
      stop.passTo(
          signal -> {
            if (!process.signals().reachesChildren(signal)) {
              running.send(signal);
            }
          });
      while (!running.hasEndedSoon()) {
        continue;
      }
      running.awaitSignalled();
      code = running.exitCode();
    } catch (RunningCommand.NotStarted e) {
      throw new CommandFailure(ExitCode.FAILURE, e.getMessage() + "; nothing was changed");
    }
    if (code != 0) {
      stop.check();
      throw new CommandFailure(
          ExitCode.FAILURE,
          "the editor '" + command + "' ended with " + code + "; nothing was changed",
          "set VISUAL or EDITOR to the editor that you want");
    }
  }
}
