package dev.statectl.cli.settings;

/** The settings of a run of the command. */
public final class Settings {
  private Settings() {}

  /**
   * Finds where state is kept. Reads {@code meltano.yml} and {@code .env} of the project, if there
   * is one, the password file that a flag names, and nothing else of the machine. Thread-safe.
   *
   * @param request what the command was started with
   * @return the place of the state and each setting's origin
   * @throws SettingsException when anything is wrong with the settings; it names every mistake
   */
  public static ResolvedSettings resolve(SettingsRequest request) {
    return inspect(request).resolved();
  }

  /**
   * Finds out what is set, and where, also when something is wrong. Reads what {@link #resolve}
   * reads. Thread-safe.
   *
   * @param request what the command was started with
   * @return each setting's value and origin, and every mistake
   */
  public static SettingsReport inspect(SettingsRequest request) {
    Problems problems = new Problems();
    SettingLayers layers = SettingLayers.read(request, problems);
    return new BackendChoice(layers, problems).choose();
  }
}
