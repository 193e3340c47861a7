package dev.statectl.cli.settings;

/**
 * Where a value comes from.
 *
 * @param layer the kind of place
 * @param place the place in words, such as {@code --uri}, {@code MELTANO_STATE_BACKEND_URI} or
 *     {@code meltano.yml:7}
 */
public record Origin(Layer layer, String place) {
  /** The kinds of place that settings are looked for in; the first that has a value wins. */
  public enum Layer {
    /** The command line. */
    FLAG,
    /** An environment variable. */
    VARIABLE,
    /** The project's {@code .env}. */
    DOTENV,
    /** The active environment's {@code config} in {@code meltano.yml}. */
    PROJECT_ENVIRONMENT,
    /** The top level of {@code meltano.yml}. */
    PROJECT,
    /** A part of the URI. */
    URI,
    /** Nothing was set. */
    DEFAULT
  }
}
