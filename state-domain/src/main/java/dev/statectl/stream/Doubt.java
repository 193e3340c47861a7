package dev.statectl.stream;

/**
 * Something about a change of a state that a person would want to know before it is made.
 * Immutable.
 *
 * @param kind what kind of thing
 * @param message what it is, for an operator: names of streams and sizes, no values
 */
public record Doubt(Kind kind, String message) {

  /** The kinds of doubt, and whether they stop a change. */
  public enum Kind {
    /** Nothing is left of a state that said something. */
    EMPTIED(true),
    /** Streams are gone that the state had. */
    STREAMS_LOST(true),
    /** A bookmark is earlier than it was, so data would be read once more. */
    BACKWARDS(true),
    /** The state is ten times as long as it was, and long. */
    GROWN(true),
    /** The state is longer than states usually are; only worth a warning. */
    LARGE(false);

    private final boolean stops;

    Kind(boolean stops) {
      this.stops = stops;
    }

    /**
     * Tells whether such a change is made only when somebody insists.
     *
     * @return false when a warning is enough
     */
    public boolean stops() {
      return stops;
    }
  }
}
