package dev.statectl.json;

/** The kinds of JSON value. */
public enum JsonKind {
  /** A value in braces. */
  OBJECT("an object"),
  /** A value in brackets. */
  ARRAY("an array"),
  /** A quoted text. */
  STRING("a string"),
  /** A number; {@code NaN}, {@code Infinity} and {@code -Infinity} count as numbers. */
  NUMBER("a number"),
  /** {@code true} or {@code false}. */
  BOOLEAN("a boolean"),
  /** The literal {@code null}. */
  NULL("null");

  private final String described;

  JsonKind(String described) {
    this.described = described;
  }

  /**
   * Names the kind for a message.
   *
   * @return the kind with its article, such as {@code "an array"}
   */
  public String described() {
    return described;
  }
}
