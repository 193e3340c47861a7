package dev.statectl.stream;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.Optional;
import java.util.regex.Pattern;

/** Reads the times that taps keep as bookmarks: ISO 8601, and as Python writes it. */
public final class BookmarkTime {
  // Longer texts are no times.
  private static final int LONGEST = 50;
  private static final Pattern DATE = Pattern.compile("[0-9]{4}-[0-9]{2}-[0-9]{2}");
  private static final Pattern SHORT_OFFSET = Pattern.compile("([+-][0-9]{2})([0-9]{2})?$");

  private BookmarkTime() {}

  /**
   * Reads a time.
   *
   * @param valueText a value's JSON text
   * @return the instant; a time without an offset is taken as UTC, a date as the beginning of its
   *     day. Empty when the value is no string with a time in it
   */
  public static Optional<Instant> of(String valueText) {
    if (valueText.length() < 2 || valueText.length() > LONGEST || valueText.charAt(0) != '"') {
      return Optional.empty();
    }
    String text = valueText.substring(1, valueText.length() - 1);
    try {
      return Optional.of(
          hasOffset(text)
              ? OffsetDateTime.parse(iso(text)).toInstant()
              : local(text).toInstant(ZoneOffset.UTC));
    } catch (DateTimeException e) {
      return Optional.empty();
    }
  }

  static boolean hasOffset(String text) {
    return text.length() > 10
        && (text.endsWith("Z") || text.indexOf('+', 10) > 0 || text.lastIndexOf('-') > 10);
  }

  private static LocalDateTime local(String text) {
    return DATE.matcher(text).matches()
        ? LocalDate.parse(text).atStartOfDay()
        : LocalDateTime.parse(iso(text));
  }

  // Python writes a space where ISO 8601 has a T, and offsets as +0000.
  private static String iso(String text) {
    String t = text.length() > 10 && text.charAt(10) == ' ' ? text.replaceFirst(" ", "T") : text;
    return !hasOffset(t) || t.endsWith("Z")
        ? t
        : SHORT_OFFSET
            .matcher(t)
            .replaceFirst(m -> m.group(1) + ":" + (m.group(2) == null ? "00" : m.group(2)));
  }
}
