package dev.statectl.cli;

import dev.statectl.cli.settings.BackendLocation.SnapshotLocation;
import dev.statectl.cli.settings.ResolvedSettings;
import dev.statectl.cli.settings.Settings;
import dev.statectl.cli.settings.SettingsRequest;
import dev.statectl.port.Backend;
import java.nio.file.Path;

/**
 * The way from a parsed command line to an open backend, the same for every command: settings,
 * component, use cases; and back, on every path, to a closed one.
 */
final class BackendRunner {
  private final ConnectionOptions options;
  private final ProcessContext process;
  private final Diagnostics diagnostics;

  BackendRunner(ConnectionOptions options, ProcessContext process, Diagnostics diagnostics) {
    this.options = options;
    this.process = process;
    this.diagnostics = diagnostics;
  }

  /** What a command does with an open backend. */
  @FunctionalInterface
  interface Action {
    ExitCode run(BackendComponent component) throws Exception;
  }

  /** Opens the backend, runs the action and closes the backend. */
  ExitCode run(Action action) throws Exception {
    ResolvedSettings settings =
        Settings.resolve(
            new SettingsRequest(
                process.workingDirectory(), process.environment(), options.flags()));
    settings.notices().forEach(diagnostics::say);
    if (settings.location() instanceof SnapshotLocation location && location.byDefault()) {
      diagnostics.say(
          "using the embedded store " + displayed(location.file()) + " (no --uri given)");
    }
    BackendComponent component = DaggerBackendComponent.factory().create(settings, process.clock());
    Backend backend = component.backend();
    try (backend) {
      return action.run(component);
    }
  }

  private Path displayed(Path file) {
    Path directory = process.workingDirectory();
    return file.startsWith(directory) ? directory.relativize(file) : file;
  }
}
