package dev.statectl.clickhouse;

import dev.statectl.port.StateFailure;

/** A read met no table or no database; whether that is a failure is for the caller to say. */
final class TableMissingException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final transient StateFailure failure;

  TableMissingException(StateFailure failure) {
    super(failure.getMessage(), failure);
    this.failure = failure;
  }

  /** What to report if the table is there after all. */
  StateFailure failure() {
    return failure;
  }
}
