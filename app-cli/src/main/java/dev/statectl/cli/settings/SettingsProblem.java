package dev.statectl.cli.settings;

/**
 * A mistake in the settings. Immutable; holds no secret.
 *
 * @param where the flag, the variable, or the file with line and key
 * @param what what is wrong
 * @param remedy what to do
 * @param missing whether nothing is wrong, but a setting that connecting needs is not set
 */
public record SettingsProblem(String where, String what, String remedy, boolean missing) {
  /** Gives the problem on one line, as it is shown. */
  @Override
  public String toString() {
    return where + ": " + what + "; " + remedy;
  }
}
