package dev.statectl.cli;

import dev.statectl.cli.settings.BackendLocation.ClickHouseLocation;
import dev.statectl.port.StateHistory;

/** The history that commands work with: one that outlives them. */
final class RecordedHistory {
  private RecordedHistory() {}

  /**
   * Gives the history of the store.
   *
   * @throws CommandFailure when it would end with the command, as on an embedded store
   */
  static StateHistory of(BackendComponent component) {
    if (!(component.settings().location() instanceof ClickHouseLocation)) {
      throw new CommandFailure(
          ExitCode.USAGE,
          "an embedded store keeps no history between commands; only ClickHouse does; nothing was"
              + " changed");
    }
    return component.backend().history();
  }
}
