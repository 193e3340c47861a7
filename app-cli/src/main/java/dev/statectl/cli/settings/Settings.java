package dev.statectl.cli.settings;

import java.util.Objects;

/** The settings of a run of the command. */
public final class Settings {
  private Settings() {}

  /**
   * Finds where state is kept. Reads {@code meltano.yml} and {@code .env} of the project, if there
   * is one, and nothing else of the machine. Thread-safe.
   *
   * @param request what the command was started with
   * @return the place of the state and each setting's origin
   * @throws SettingsException when anything is wrong with the settings; it names every mistake
   */
  public static ResolvedSettings resolve(SettingsRequest request) {
    Problems problems = new Problems();
    SettingLayers layers = SettingLayers.read(request, problems);
    ResolvedSettings settings = new BackendChoice(layers, problems).choose();
    problems.throwIfAny();
    return Objects.requireNonNull(settings);
  }
}
