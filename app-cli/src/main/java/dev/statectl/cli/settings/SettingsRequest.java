package dev.statectl.cli.settings;

import java.nio.file.Path;
import java.util.Map;

/**
 * What a command was started with, as far as settings go. Immutable; the text form shows no value.
 *
 * @param workingDirectory the directory that the project is looked for from, upwards, and that
 *     relative paths stand in
 * @param environment the environment variables, by name
 * @param flags the settings given on the command line, as they were given, so for {@link
 *     Setting#PASSWORD} the name of a file; an empty map for none
 */
public record SettingsRequest(
    Path workingDirectory, Map<String, String> environment, Map<Setting, String> flags) {
  /**
   * Copies the maps.
   *
   * @param workingDirectory the directory that the project is looked for from
   * @param environment the environment variables
   * @param flags the settings given on the command line
   */
  public SettingsRequest {
    environment = Map.copyOf(environment);
    flags = Map.copyOf(flags);
  }

  /** Gives the directory and which flags were set, but no value. */
  @Override
  public String toString() {
    return "SettingsRequest[workingDirectory=%s, flags=%s]"
        .formatted(workingDirectory, flags.keySet().stream().sorted().toList());
  }
}
