package dev.statectl.cli.settings;

import java.util.List;

/**
 * A text whose references to variables were filled in. The text form shows no value, since it may
 * be a secret.
 *
 * @param text the result; references to missing variables are left out
 * @param missing the variables that are not set, with the places that refer to them
 * @param changed whether there was any reference
 */
record Expansion(String text, List<Missing> missing, boolean changed) {
  /** A variable that is not set, and the place that refers to it. */
  record Missing(String variable, String place) {}

  static Expansion of(String text) {
    return new Expansion(text, List.of(), false);
  }

  @Override
  public String toString() {
    return "Expansion" + missing;
  }
}
