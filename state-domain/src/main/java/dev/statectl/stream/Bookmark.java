package dev.statectl.stream;

/**
 * One value that a tap keeps for a stream. Immutable; the text form shows no value.
 *
 * @param path where it stands within the stream, such as {@code /replication_key_value}; a
 *     partition is named by its context and not by its number, which moves: {@code
 *     /partitions/{"org":"acme"}/replication_key_value}. Empty when the stream is the value itself
 * @param valueText the value's JSON text, as it is stored
 */
public record Bookmark(String path, String valueText) {

  /** Tells the path, not the value. */
  @Override
  public String toString() {
    return "Bookmark[" + path + "]";
  }
}
