package dev.statectl.state;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Optional;

/**
 * The version of a stored state: the instant of its write, in milliseconds. Of two rows of one id
 * the one with the later version is the state.
 *
 * @param updatedAt the instant, in whole milliseconds
 */
public record StateVersion(Instant updatedAt) implements Comparable<StateVersion> {
  /** The version of a state that no store holds yet. */
  public static final StateVersion NONE = new StateVersion(Instant.EPOCH);

  /**
   * The last version that is given: the end of what ClickHouse's {@code DateTime64(3)} promises to
   * hold. It takes later ones, too, so a row of another program may have one.
   *
   * @see <a href="https://clickhouse.com/docs/sql-reference/data-types/datetime64">DateTime64</a>
   */
  public static final StateVersion LAST =
      new StateVersion(Instant.parse("2299-12-31T23:59:59.999Z"));

  /**
   * Checks the instant.
   *
   * @param updatedAt the instant, in whole milliseconds
   * @throws IllegalArgumentException when it is finer than a millisecond
   */
  public StateVersion {
    if (!updatedAt.truncatedTo(ChronoUnit.MILLIS).equals(updatedAt)) {
      throw new IllegalArgumentException("a version has whole milliseconds: " + updatedAt);
    }
  }

  /**
   * Chooses the version of a write, so that no older write shadows it even after the clock was set
   * back: the clock's time, or one millisecond past the stored version if that is later, but not
   * past {@link #LAST}; and a stored version from there on is kept, since of equal versions the row
   * that was written last is the state.
   *
   * @param stored the newest version stored for the id, or empty when none is
   * @param now the store's clock; what is finer than a millisecond is dropped
   * @return the version to write
   */
  public static StateVersion next(Optional<StateVersion> stored, Instant now) {
    Instant clock = now.truncatedTo(ChronoUnit.MILLIS);
    Instant past = stored.map(v -> v.updatedAt.plusMillis(1)).orElse(clock);
    StateVersion next = new StateVersion(past.isAfter(clock) ? past : clock);
    if (next.compareTo(LAST) <= 0) {
      return next;
    }
    return stored.filter(v -> v.compareTo(LAST) > 0).orElse(LAST);
  }

  @Override
  public int compareTo(StateVersion other) {
    return updatedAt.compareTo(other.updatedAt);
  }

  /** Gives the instant in ISO-8601. */
  @Override
  public String toString() {
    return updatedAt.toString();
  }
}
