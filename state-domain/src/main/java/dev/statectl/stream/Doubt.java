package dev.statectl.stream;

/**
 * Something about a change of a state that a person would want to know before it is made.
 * Immutable.
 *
 * @param kind what kind of thing
 * @param message what it is, for an operator: names of streams and bookmarks and sizes, no values
 */
public record Doubt(Kind kind, String message) {

  /** The kinds of doubt. */
  public enum Kind {
    /** Nothing is left of a state that said something. */
    EMPTIED(Severity.ASKED),
    /** Streams are gone that the state had. */
    STREAMS_LOST(Severity.ASKED),
    /** Bookmarks are gone from streams that stay, so that their data may be read from the start. */
    BOOKMARKS_LOST(Severity.ASKED),
    /** A bookmark is earlier than it was, so data would be read once more. */
    BACKWARDS(Severity.ASKED),
    /** The state is ten times as long as it was, and long. */
    GROWN(Severity.ASKED),
    /** The state is longer than states usually are. */
    LARGE(Severity.WARNED),
    /** The state is longer than whoever set up the store allows. */
    TOO_LARGE(Severity.REFUSED);

    private final Severity severity;

    Kind(Severity severity) {
      this.severity = severity;
    }

    /**
     * Tells what such a doubt means for the change.
     *
     * @return the severity
     */
    public Severity severity() {
      return severity;
    }
  }

  /** What a doubt means for the change. */
  public enum Severity {
    /** It is told, and the change is made. */
    WARNED,
    /** The change is made when somebody who was told agrees, or insists beforehand. */
    ASKED,
    /** The change is made only when somebody insists. */
    REFUSED
  }

  /**
   * Tells whether the change is not made unless somebody wants it all the same.
   *
   * @return false when a warning is enough
   */
  public boolean stops() {
    return kind.severity() != Severity.WARNED;
  }
}
