package dev.statectl.state;

/**
 * A document is not an export that can be stored. The message says where, by line and column or by
 * JSON Pointer, and what is wrong; it holds ids but no part of a state.
 */
public final class MalformedExportException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /**
   * Makes the failure.
   *
   * @param message where and what
   */
  public MalformedExportException(String message) {
    super(message);
  }
}
