package dev.statectl.cli;

import dev.statectl.cli.settings.BackendLocation.ClickHouseLocation;
import dev.statectl.cli.settings.ResolvedSettings;
import dev.statectl.cli.settings.Setting;
import dev.statectl.cli.settings.Settings;
import dev.statectl.cli.settings.SettingsReport;
import dev.statectl.cli.settings.SettingsRequest;

/** The settings of this run, from the command line and its surroundings. */
final class CommandSettings {
  private final ConnectionOptions options;
  private final ProcessContext process;

  CommandSettings(ConnectionOptions options, ProcessContext process) {
    this.options = options;
    this.process = process;
  }

  /** Finds out what is set, right or wrong. Asks for nothing. */
  SettingsReport inspect() {
    return Settings.inspect(
        new SettingsRequest(process.workingDirectory(), process.environment(), options.flags()));
  }

  /** Whether the password is to be asked for on the terminal. */
  boolean asksForPassword() {
    return options.asksForPassword();
  }

  /**
   * Gives the settings, with the password that is asked for if an option says so.
   *
   * @throws dev.statectl.cli.settings.SettingsException when they cannot be used
   * @throws CommandFailure when the password cannot be asked for
   */
  ResolvedSettings resolve() {
    ResolvedSettings settings = inspect().resolved();
    return asksForPassword() ? withPassword(settings) : settings;
  }

  private ResolvedSettings withPassword(ResolvedSettings settings) {
    if (options.flags().containsKey(Setting.PASSWORD)) {
      throw refusal("give either --ask-password or --password-file, not both");
    }
    if (!(settings.location() instanceof ClickHouseLocation location)) {
      throw refusal("--ask-password: an embedded store has no password; leave the option out");
    }
    Terminal terminal = process.terminal();
    if (!terminal.isInteractive()) {
      throw refusal(
          "--ask-password: there is no terminal to ask on (standard input and error must both be one); give"
              + " the password as "
              + Setting.PASSWORD.variable()
              + " or by --password-file");
    }
    String password =
        terminal.askSecret(
            PrintableText.escaped(
                "Password of %s at %s:%d: "
                    .formatted(
                        location.settings().user(),
                        location.settings().host(),
                        location.settings().port())));
    if (password == null) {
      throw new CommandFailure(ExitCode.FAILURE, "no password was given; nothing was changed");
    }
    return new ResolvedSettings(
        location.withPassword(password), settings.settings(), settings.notices());
  }

  private static CommandFailure refusal(String message) {
    return new CommandFailure(ExitCode.USAGE, message);
  }
}
