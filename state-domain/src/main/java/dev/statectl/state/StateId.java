package dev.statectl.state;

import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Names one pipeline's state. An id is an opaque text; by convention it reads {@code
 * environment:tap-to-target[:suffix]}, and nothing here takes it apart.
 *
 * <p>An id that is written ({@link #of(String)}) is not blank and at most {@value #MAX_LENGTH}
 * characters long. Rows that other programs stored may break that rule; they are still read, listed
 * and removed under their own text ({@link #ofStored(String)}).
 *
 * <p>Ids are ordered by code point, which is also the order of their UTF-8 bytes and so the order
 * in which ClickHouse keeps them. Immutable and thread-safe.
 */
public final class StateId implements Comparable<StateId> {
  /** The length of the longest id that is written, in characters (code points). */
  public static final int MAX_LENGTH = 1024;

  private final String text;

  private StateId(String text) {
    this.text = Objects.requireNonNull(text, "text");
  }

  /**
   * Makes an id that may be written.
   *
   * @param text the id's text, not null
   * @return the id
   * @throws IllegalArgumentException when the text is blank, longer than {@value #MAX_LENGTH}
   *     characters, or holds half of a surrogate pair
   */
  public static StateId of(String text) {
    StateId id = new StateId(text);
    id.fault()
        .ifPresent(
            fault -> {
              throw new IllegalArgumentException(fault);
            });
    return id;
  }

  /**
   * Takes an id as a store holds it, whatever it is.
   *
   * @param text the id's text, not null
   * @return the id
   */
  public static StateId ofStored(String text) {
    return new StateId(text);
  }

  /**
   * Tells why the id may not be written.
   *
   * @return the fault in words, or empty when the id may be written
   */
  public Optional<String> fault() {
    if (text.isBlank()) {
      return Optional.of("a state id must not be blank");
    }
    int length = text.codePointCount(0, text.length());
    if (length > MAX_LENGTH) {
      return Optional.of(
          "a state id has at most " + MAX_LENGTH + " characters, this one has " + length);
    }
    boolean halfPair = text.codePoints().anyMatch(c -> c >= 0xD800 && c <= 0xDFFF);
    return halfPair
        ? Optional.of("a state id must not hold half of a surrogate pair")
        : Optional.empty();
  }

  /**
   * Gives the id's text.
   *
   * @return the text, unchanged
   */
  public String text() {
    return text;
  }

  @Override
  public int compareTo(StateId other) {
    int length = Math.min(text.length(), other.text.length());
    for (int i = 0; i < length; i++) {
      char a = text.charAt(i);
      char b = other.text.charAt(i);
      if (a != b) {
        // Chars of surrogate pairs sort below U+E000, but the characters they make sort above.
        boolean aPair = Character.isSurrogate(a);
        boolean bPair = Character.isSurrogate(b);
        return aPair == bPair ? Character.compare(a, b) : aPair ? 1 : -1;
      }
    }
    return Integer.compare(text.length(), other.text.length());
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof StateId id && text.equals(id.text);
  }

  @Override
  public int hashCode() {
    return text.hashCode();
  }

  /** Gives the id's text. */
  @Override
  public String toString() {
    return text;
  }
}
