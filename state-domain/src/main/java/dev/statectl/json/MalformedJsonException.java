package dev.statectl.json;

/**
 * A text is not the JSON that was asked for. The message says where and what, and shows at most one
 * character of the text, so that it can be printed and logged whatever the text holds.
 */
public final class MalformedJsonException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** Counted from 1. */
  private final int line;

  /** In code points, counted from 1. */
  private final int column;

  /** What is wrong, without the place. */
  private final String reason;

  private MalformedJsonException(int line, int column, String reason) {
    super("line " + line + ", column " + column + ": " + reason);
    this.line = line;
    this.column = column;
    this.reason = reason;
  }

  static MalformedJsonException at(String text, int offset, String reason) {
    int end = Math.min(Math.max(offset, 0), text.length());
    int line = 1;
    int lineStart = 0;
    for (int i = 0; i < end; i++) {
      if (text.charAt(i) == '\n') {
        line++;
        lineStart = i + 1;
      }
    }
    return new MalformedJsonException(line, text.codePointCount(lineStart, end) + 1, reason);
  }

  /**
   * Tells the line of the fault.
   *
   * @return the line, counted from 1
   */
  public int line() {
    return line;
  }

  /**
   * Tells the column of the fault.
   *
   * @return the column in characters (code points), counted from 1
   */
  public int column() {
    return column;
  }

  /**
   * Tells what is wrong, without the place.
   *
   * @return the reason, without any part of the text but at most one character
   */
  public String reason() {
    return reason;
  }
}
