package dev.statectl.port;

import java.util.Objects;
import java.util.Optional;

/**
 * What an examination of a store found in one respect: that it is well, or what is wrong. It names
 * no secret and quotes no state. Immutable and thread-safe.
 *
 * @param level how bad it is
 * @param check which respect it is, a fixed name of small letters and hyphens such as {@code
 *     lock-table-key}, so that programs can tell findings apart
 * @param subject what it is about: a table, a state's or lock's id, a file, or the store
 * @param what what was found, in words
 * @param why why it matters; empty where it is well
 * @param mend how to mend it; empty where there is nothing to mend
 */
public record Finding(
    Level level, String check, String subject, String what, String why, Optional<Mend> mend) {

  /** How bad a finding is, in ascending order. */
  public enum Level {
    /** It is as it should be. */
    OK,
    /** Nothing is in danger, but it is worth knowing. */
    INFO,
    /** States or locks are in danger, or will be, or the Meltano plugin beside is. */
    WARNING,
    /** States are lost, hidden or mixed up, or writes or locks fail. */
    ERROR
  }

  /**
   * Checks the components.
   *
   * @param level how bad it is
   * @param check which respect it is
   * @param subject what it is about
   * @param what what was found
   * @param why why it matters; empty where it is well
   * @param mend how to mend it
   * @throws IllegalArgumentException when the check is no fixed name, or when why is missing of
   *     what is not well
   */
  public Finding {
    Objects.requireNonNull(mend, "mend");
    if (!check.matches("[a-z]+(-[a-z]+)*")) {
      throw new IllegalArgumentException("not the name of a check: " + check);
    }
    if (level != Level.OK && why.isBlank()) {
      throw new IllegalArgumentException(check + " does not say why it matters");
    }
  }

  /**
   * Makes the finding that all is well.
   *
   * @param check which respect it is
   * @param subject what it is about
   * @param what what was found
   * @return the finding, of level {@link Level#OK}
   */
  public static Finding ok(String check, String subject, String what) {
    return new Finding(Level.OK, check, subject, what, "", Optional.empty());
  }

  /**
   * Makes a finding of what is worth knowing.
   *
   * @param check which respect it is
   * @param subject what it is about
   * @param what what was found
   * @param why why it matters
   * @return the finding, of level {@link Level#INFO}, without a mend
   */
  public static Finding info(String check, String subject, String what, String why) {
    return new Finding(Level.INFO, check, subject, what, why, Optional.empty());
  }

  /**
   * Makes a finding of a danger.
   *
   * @param check which respect it is
   * @param subject what it is about
   * @param what what was found
   * @param why why it matters
   * @return the finding, of level {@link Level#WARNING}, without a mend
   */
  public static Finding warning(String check, String subject, String what, String why) {
    return new Finding(Level.WARNING, check, subject, what, why, Optional.empty());
  }

  /**
   * Makes a finding of a damage.
   *
   * @param check which respect it is
   * @param subject what it is about
   * @param what what was found
   * @param why why it matters
   * @return the finding, of level {@link Level#ERROR}, without a mend
   */
  public static Finding error(String check, String subject, String what, String why) {
    return new Finding(Level.ERROR, check, subject, what, why, Optional.empty());
  }

  /**
   * Makes the finding that something could not be seen, which is no failure of the examination.
   *
   * @param check which respect it is
   * @param subject what it is about
   * @param reason why it could not be seen
   * @return the finding, of level {@link Level#INFO}, without a mend
   */
  public static Finding unexamined(String check, String subject, String reason) {
    return info(
        check,
        subject,
        "could not be examined: " + reason,
        "whether all is well here is not known");
  }

  /**
   * Gives the same finding with the way to mend it.
   *
   * @param way how to mend it
   * @return the finding
   */
  public Finding withMend(Mend way) {
    return new Finding(level, check, subject, what, why, Optional.of(way));
  }

  /**
   * Tells whether {@link Checkup#mend} may mend it.
   *
   * @return true when there is a mend that is safe
   */
  public boolean isSafelyMendable() {
    return mend.filter(Mend::safe).isPresent();
  }
}
