package dev.statectl.state;

/**
 * Gives ids new names: what a star stands for in one pattern is put in place of the star of
 * another, so that {@code staging:*} to {@code prod:*} makes {@code prod:a-to-b} of {@code
 * staging:a-to-b}. Two different ids never get the same new name. Immutable and thread-safe.
 */
public final class StateIdRewrite {
  private final StateIdGlob from;
  private final StateIdGlob to;
  private final String prefix;
  private final String suffix;
  private final String newPrefix;
  private final String newSuffix;

  private StateIdRewrite(String from, String to) {
    this.from = StateIdGlob.of(from);
    this.to = StateIdGlob.of(to);
    int star = from.indexOf('*');
    this.prefix = from.substring(0, star);
    this.suffix = from.substring(star + 1);
    int newStar = to.indexOf('*');
    this.newPrefix = to.substring(0, newStar);
    this.newSuffix = to.substring(newStar + 1);
  }

  /**
   * Reads the two patterns. A star is their only wildcard: what {@code ?} or a class stands for
   * would have no place in the new name.
   *
   * @param from the pattern that picks the ids
   * @param to the pattern of their new names
   * @return the rewrite
   * @throws IllegalArgumentException when one does not hold exactly one star, holds {@code ?} or
   *     {@code [}, or both are the same
   */
  public static StateIdRewrite of(String from, String to) {
    check("the pattern", from);
    check("the pattern of the new ids", to);
    if (from.equals(to)) {
      throw new IllegalArgumentException(
          "both patterns are the same: every id would keep its name");
    }
    return new StateIdRewrite(from, to);
  }

  private static void check(String what, String pattern) {
    long stars = pattern.chars().filter(c -> c == '*').count();
    if (stars != 1) {
      throw new IllegalArgumentException(what + " must hold exactly one *, it holds " + stars);
    }
    if (pattern.indexOf('?') >= 0 || pattern.indexOf('[') >= 0) {
      throw new IllegalArgumentException(
          what + " may hold no ? and no [: * is the only wildcard that a new id can take over");
    }
  }

  /**
   * Tells which ids are renamed.
   *
   * @return the glob that picks them
   */
  public StateIdGlob sources() {
    return from;
  }

  /**
   * Tells what the new ids look like.
   *
   * @return a glob that picks all of them, and perhaps others
   */
  public StateIdGlob destinations() {
    return to;
  }

  /**
   * Gives an id its new name.
   *
   * @param id an id that {@link #sources()} picks
   * @return the new id, which may be one that may not be written
   * @throws IllegalArgumentException when the id is not picked
   */
  public StateId apply(StateId id) {
    if (!from.matches(id)) {
      throw new IllegalArgumentException("'" + id + "' does not match " + from);
    }
    String text = id.text();
    String kept = text.substring(prefix.length(), text.length() - suffix.length());
    return StateId.ofStored(newPrefix + kept + newSuffix);
  }
}
