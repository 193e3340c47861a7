package dev.statectl.clickhouse.engine;

/** ClickHouse answered a query of a test with an error. */
public final class QueryFailed extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final int httpStatus;
  private final int code;

  /**
   * Creates the failure.
   *
   * @param httpStatus the HTTP status of the answer
   * @param code ClickHouse's error code, or 0 if the answer had none
   * @param message the answer's text
   */
  public QueryFailed(int httpStatus, int code, String message) {
    super(message);
    this.httpStatus = httpStatus;
    this.code = code;
  }

  /**
   * The HTTP status of the answer.
   *
   * @return such as 404
   */
  public int httpStatus() {
    return httpStatus;
  }

  /**
   * ClickHouse's error code.
   *
   * @return such as 60 for an unknown table, or 0 if the answer had none
   */
  public int code() {
    return code;
  }
}
