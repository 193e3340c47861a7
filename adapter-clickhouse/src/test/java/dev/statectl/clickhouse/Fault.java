package dev.statectl.clickhouse;

/** What a network, or what stands in it, does to one request. */
enum Fault {
  /** The answer comes later, but in time. */
  DELAY,
  /** The connection is closed when the request has come; it is not passed on. */
  CUT_BEFORE_THE_REQUEST,
  /** A half of the request is passed on. */
  CUT_IN_THE_REQUEST,
  /** The server answers, and nothing of it arrives. */
  CUT_BEFORE_THE_ANSWER,
  /** The server answers, and a half of it arrives. */
  CUT_IN_THE_ANSWER,
  /** Bytes that are no HTTP, instead of the server's answer. */
  GARBAGE,
  /** An answer of status 200 with another body than the server's. */
  GARBAGE_IN_HTTP,
  /** A page of a gateway that did not reach the server. */
  PAGE_502,
  /** The same, of one that the server told that it is busy. */
  PAGE_503,
  /** A page of a gateway that passed the request on, and gave up waiting for the answer. */
  PAGE_503_LATE,
  /** A page of a server that knows no such place. */
  PAGE_404,
  /** Nothing is passed on, and nothing is closed. */
  STALL_BEFORE_THE_REQUEST,
  /** The server answers, nothing of it arrives, and nothing is closed. */
  STALL_BEFORE_THE_ANSWER,
  /**
   * The server's answer comes a byte at a time, so slowly that it takes longer than one may wait.
   */
  TRICKLE;

  /** Whether the server is sure to see nothing of the request. */
  boolean keepsTheRequest() {
    return switch (this) {
      case CUT_BEFORE_THE_REQUEST,
          CUT_IN_THE_REQUEST,
          PAGE_502,
          PAGE_503,
          PAGE_404,
          STALL_BEFORE_THE_REQUEST ->
          true;
      default -> false;
    };
  }

  /** Whether the caller has the server's answer all the same. */
  boolean isHarmless() {
    return this == DELAY;
  }
}
