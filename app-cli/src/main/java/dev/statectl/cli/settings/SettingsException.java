package dev.statectl.cli.settings;

import java.util.List;
import java.util.stream.Collectors;

/**
 * The settings cannot be used. Holds every mistake that was found; the message has a line for each
 * and no secret.
 */
public final class SettingsException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final transient List<SettingsProblem> problems;

  /**
   * Makes the exception.
   *
   * @param problems the mistakes, at least one, in the order they are shown in
   */
  public SettingsException(List<SettingsProblem> problems) {
    super(problems.stream().map(SettingsProblem::toString).collect(Collectors.joining("\n")));
    this.problems = List.copyOf(problems);
  }

  /**
   * Gives the mistakes.
   *
   * @return at least one, in a stable order
   */
  public List<SettingsProblem> problems() {
    return problems;
  }
}
