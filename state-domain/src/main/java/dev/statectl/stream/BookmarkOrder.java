package dev.statectl.stream;

import java.math.BigDecimal;
import java.time.Instant;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.regex.Pattern;

/**
 * Which of two values of a bookmark is the later one. Only values of one type are compared:
 *
 * <ol>
 *   <li>two numbers, in JSON or as digits in a string;
 *   <li>two times of ISO 8601 with an offset or {@code Z}, as instants;
 *   <li>two without, a date as the beginning of its day.
 * </ol>
 *
 * Nothing can be said of anything else: a token, a cursor, a list.
 */
public final class BookmarkOrder {
  // More digits are no number that a source counts with, and take long to convert.
  private static final int LONGEST = 1000;
  private static final Pattern DIGITS = Pattern.compile("-?[0-9]+");

  private BookmarkOrder() {}

  /**
   * Compares two values.
   *
   * @param one a value's JSON text
   * @param other another one's
   * @return less than, equal to or more than zero, as {@code one} is earlier, the same or later;
   *     empty when the two cannot be compared
   */
  public static OptionalInt compare(String one, String other) {
    if (one.length() > LONGEST || other.length() > LONGEST) {
      return OptionalInt.empty();
    }
    try {
      if (isString(one) && isString(other)) {
        return compareTexts(unquoted(one), unquoted(other));
      }
      if (isNumber(one) && isNumber(other)) {
        return OptionalInt.of(new BigDecimal(one).compareTo(new BigDecimal(other)));
      }
    } catch (NumberFormatException e) {
      return OptionalInt.empty();
    }
    return OptionalInt.empty();
  }

  private static OptionalInt compareTexts(String one, String other) {
    if (DIGITS.matcher(one).matches() && DIGITS.matcher(other).matches()) {
      return OptionalInt.of(new BigDecimal(one).compareTo(new BigDecimal(other)));
    }
    if (BookmarkTime.hasOffset(one) != BookmarkTime.hasOffset(other)) {
      return OptionalInt.empty();
    }
    Optional<Instant> time = BookmarkTime.of('"' + one + '"');
    Optional<Instant> otherTime = BookmarkTime.of('"' + other + '"');
    return time.isPresent() && otherTime.isPresent()
        ? OptionalInt.of(time.get().compareTo(otherTime.get()))
        : OptionalInt.empty();
  }

  private static boolean isNumber(String value) {
    char c = value.charAt(value.length() - 1);
    return c >= '0' && c <= '9';
  }

  private static boolean isString(String value) {
    return value.charAt(0) == '"' && value.indexOf('\\') < 0;
  }

  private static String unquoted(String value) {
    return value.substring(1, value.length() - 1);
  }
}
