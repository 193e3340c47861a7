package dev.statectl.stream;

import java.util.List;

/**
 * What changed in one stream between two states. Immutable.
 *
 * @param stream the stream's name
 * @param kind whether the stream is new, gone or other than it was
 * @param bookmarks the bookmarks that changed; of a stream that is new or gone, all of them. Empty
 *     when the text changed and no bookmark did
 */
public record StreamChange(String stream, Kind kind, List<BookmarkChange> bookmarks) {

  /**
   * Makes a change; the list is copied.
   *
   * @param stream the stream's name
   * @param kind how it changed
   * @param bookmarks the bookmarks that changed
   */
  public StreamChange {
    bookmarks = List.copyOf(bookmarks);
  }

  /** How a stream changed. */
  public enum Kind {
    /** Only the later state has it. */
    ADDED,
    /** Only the earlier state has it. */
    LOST,
    /** Both have it, and not the same text. */
    CHANGED
  }

  /**
   * Tells whether a bookmark of the stream went back.
   *
   * @return true when one did
   */
  public boolean isBackwards() {
    return bookmarks.stream().anyMatch(BookmarkChange::isBackwards);
  }
}
