package dev.statectl.lock;

import java.time.Instant;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Names one candidate for one lock. The Python plugin names its candidates by random UUIDs and lets
 * the smallest win; ours ({@link #of(Instant, int)}) look like UUIDs and sort before those, among
 * themselves by time.
 *
 * <p>The form is {@code 00000000-0000-7ttt-tttt-ttttrrrrrrrr}: a fixed prefix, eleven hexadecimal
 * digits of milliseconds since 1970, eight random ones. A random UUID sorts before that only when
 * its first 48 bits are zero.
 *
 * @param text the id's text, not blank
 */
public record LockId(String text) implements Comparable<LockId> {
  private static final String PREFIX = "00000000-0000-7";
  private static final Pattern OURS =
      Pattern.compile(PREFIX + "([0-9a-f]{3})-([0-9a-f]{4})-([0-9a-f]{4})[0-9a-f]{8}");
  private static final long LAST_MILLISECOND = (1L << 44) - 1;

  /**
   * Checks the text.
   *
   * @param text the id's text, not blank
   * @throws IllegalArgumentException when it is blank
   */
  public LockId {
    Objects.requireNonNull(text, "text");
    if (text.isBlank()) {
      throw new IllegalArgumentException("a lock id must not be blank");
    }
  }

  /**
   * Makes the id of a new candidate.
   *
   * @param now the time by any clock: it decides who is first among ours, not who is safe
   * @param random 32 random bits, which tell candidates of one millisecond apart
   * @return the id
   * @throws IllegalArgumentException when the time is before 1970 or after the year 2527
   */
  public static LockId of(Instant now, int random) {
    long millis = now.toEpochMilli();
    if (millis < 0 || millis > LAST_MILLISECOND) {
      throw new IllegalArgumentException("no lock id can be made for the time " + now);
    }
    String digits = String.format(Locale.ROOT, "%011x%08x", millis, random);
    return new LockId(
        PREFIX + digits.substring(0, 3) + "-" + digits.substring(3, 7) + "-" + digits.substring(7));
  }

  /**
   * Tells whether the id was made by {@link #of}, and not by the Python plugin.
   *
   * @return true for one of ours
   */
  public boolean isOurs() {
    return text.startsWith(PREFIX);
  }

  /**
   * Tells when the id was made, by the clock of whoever made it.
   *
   * @return the instant, in whole seconds; empty unless {@link #of} made the id
   */
  public Optional<Instant> madeAt() {
    Matcher matcher = OURS.matcher(text);
    if (!matcher.matches()) {
      return Optional.empty();
    }
    String digits = matcher.group(1) + matcher.group(2) + matcher.group(3);
    return Optional.of(Instant.ofEpochSecond(Long.parseLong(digits, 16) / 1000));
  }

  /** Compares as the plugin does: as texts. */
  @Override
  public int compareTo(LockId other) {
    return text.compareTo(other.text);
  }

  /** Gives the id's text. */
  @Override
  public String toString() {
    return text;
  }
}
