package dev.statectl.cli.settings;

/**
 * A setting's value in one of the layers. The text form shows no value, since it may be a secret.
 *
 * @param value the value, its references to variables filled in
 * @param origin the layer and the place
 */
record Candidate(Expansion value, Origin origin) {
  static Candidate of(String text, Origin.Layer layer, String place) {
    return new Candidate(Expansion.of(text), new Origin(layer, place));
  }

  String text() {
    return value.text();
  }

  /** Whether it stands on the command line or in the environment, so was set for this run. */
  boolean setForThisRun() {
    return origin.layer() == Origin.Layer.FLAG || origin.layer() == Origin.Layer.VARIABLE;
  }

  /**
   * Whether it counts as set where it stands as a variable: an empty one does not, since shells and
   * CI systems define variables that they have no value for. An empty environment is none.
   */
  boolean isSetAsVariable(Setting setting) {
    return !text().isEmpty() || !value.missing().isEmpty() || setting == Setting.ENVIRONMENT;
  }

  @Override
  public String toString() {
    return "Candidate[" + origin + "]";
  }
}
