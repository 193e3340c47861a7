package dev.statectl.stream;

import java.util.Optional;

/**
 * What changed in one bookmark. Immutable; the text form shows no value.
 *
 * @param path where it stands within the stream, as in {@link Bookmark#path()}
 * @param before its JSON text before, or empty when it is new
 * @param after its JSON text after, or empty when it is gone
 */
public record BookmarkChange(String path, Optional<String> before, Optional<String> after) {

  /**
   * Tells whether the bookmark went back, so that data would be read once more.
   *
   * @return true when both values are there, can be compared, and the later one is earlier
   */
  public boolean isBackwards() {
    return before.isPresent()
        && after.isPresent()
        && BookmarkOrder.compare(after.get(), before.get()).orElse(0) < 0;
  }

  /** Tells the path, not the values. */
  @Override
  public String toString() {
    return "BookmarkChange[" + path + "]";
  }
}
