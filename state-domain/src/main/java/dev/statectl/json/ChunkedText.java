package dev.statectl.json;

import java.util.ArrayList;
import java.util.List;

/**
 * Builds a long text in chunks. A {@link StringBuilder} takes two bytes a character for the whole
 * text as soon as one character needs them, and gives its text as a copy; of a few hundred chunks
 * only those do that hold such a character, and they are joined without a copy between.
 */
final class ChunkedText {
  private static final int CHUNK = 1 << 16;

  private final List<String> chunks = new ArrayList<>();
  private final StringBuilder chunk;

  /**
   * @param expected about how long the text becomes
   */
  ChunkedText(int expected) {
    this.chunk = new StringBuilder(Math.min(expected, CHUNK));
  }

  void append(String text, int start, int end) {
    if (end - start >= CHUNK) {
      closeChunk();
      chunks.add(text.substring(start, end));
      return;
    }
    if (chunk.length() + end - start > CHUNK) {
      closeChunk();
    }
    chunk.append(text, start, end);
  }

  void append(String text) {
    append(text, 0, text.length());
  }

  /** The text, which ends the building. */
  String join() {
    if (chunks.isEmpty()) {
      return chunk.toString();
    }
    closeChunk();
    return String.join("", chunks);
  }

  private void closeChunk() {
    if (!chunk.isEmpty()) {
      chunks.add(chunk.toString());
      chunk.setLength(0);
    }
  }
}
