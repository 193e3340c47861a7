package dev.statectl.stream;

import java.math.BigDecimal;
import java.time.DateTimeException;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
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
  private static final Pattern DATE = Pattern.compile("[0-9]{4}-[0-9]{2}-[0-9]{2}");
  private static final Pattern SHORT_OFFSET = Pattern.compile("([+-][0-9]{2})([0-9]{2})?$");

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
    } catch (NumberFormatException | DateTimeException e) {
      return OptionalInt.empty();
    }
    return OptionalInt.empty();
  }

  private static OptionalInt compareTexts(String one, String other) {
    if (DIGITS.matcher(one).matches() && DIGITS.matcher(other).matches()) {
      return OptionalInt.of(new BigDecimal(one).compareTo(new BigDecimal(other)));
    }
    if (hasOffset(one) && hasOffset(other)) {
      return OptionalInt.of(
          OffsetDateTime.parse(iso(one))
              .toInstant()
              .compareTo(OffsetDateTime.parse(iso(other)).toInstant()));
    }
    if (hasOffset(one) || hasOffset(other)) {
      return OptionalInt.empty();
    }
    return OptionalInt.of(local(one).compareTo(local(other)));
  }

  private static LocalDateTime local(String text) {
    return DATE.matcher(text).matches()
        ? LocalDate.parse(text).atStartOfDay()
        : LocalDateTime.parse(iso(text));
  }

  // Python writes a space where ISO 8601 has a T, and offsets as +0000.
  private static String iso(String text) {
    String t = text.length() > 10 && text.charAt(10) == ' ' ? text.replaceFirst(" ", "T") : text;
    return t.endsWith("Z") || t.length() < 19
        ? t
        : SHORT_OFFSET
            .matcher(t)
            .replaceFirst(m -> m.group(1) + ":" + (m.group(2) == null ? "00" : m.group(2)));
  }

  private static boolean hasOffset(String text) {
    return text.length() > 10
        && (text.endsWith("Z") || text.indexOf('+', 10) > 0 || text.lastIndexOf('-') > 10);
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
