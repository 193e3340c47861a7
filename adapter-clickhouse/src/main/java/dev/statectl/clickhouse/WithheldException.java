package dev.statectl.clickhouse;

import java.sql.SQLException;
import java.util.StringJoiner;

/**
 * Stands for a failure below, without its text: the texts of the server and of the driver may quote
 * statements and so states. What remains is the kinds of the failures, their codes, and where they
 * happened.
 */
final class WithheldException extends Exception {
  private static final long serialVersionUID = 1L;

  private final int serverCode;
  private final boolean passing;

  private WithheldException(String message, int serverCode, boolean passing) {
    super(message);
    this.serverCode = serverCode;
    this.passing = passing;
  }

  static WithheldException of(Throwable failure) {
    return of(failure, false);
  }

  /** For a failure that may pass, or not. */
  static WithheldException of(Throwable failure, boolean passing) {
    StringJoiner kinds = new StringJoiner(", caused by ", "", " (their texts are withheld)");
    for (Throwable link = failure; link != null; link = link.getCause()) {
      String kind = link.getClass().getName();
      kinds.add(
          link instanceof SQLException sql
              ? kind + "[" + sql.getSQLState() + "/" + sql.getErrorCode() + "]"
              : kind);
    }
    WithheldException withheld =
        new WithheldException(kinds.toString(), serverCode(failure), passing);
    withheld.setStackTrace(failure.getStackTrace());
    return withheld;
  }

  /** The code with which the server answered; 0 when it is not an answer of the server. */
  int serverCode() {
    return serverCode;
  }

  /** Whether the same statement may go better a moment later. */
  boolean mayPass() {
    return passing;
  }

  private static int serverCode(Throwable failure) {
    for (Throwable link = failure; link != null; link = link.getCause()) {
      if (link instanceof SQLException sql && sql.getErrorCode() != 0) {
        return sql.getErrorCode();
      }
    }
    return 0;
  }
}
