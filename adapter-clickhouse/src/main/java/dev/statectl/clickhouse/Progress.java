package dev.statectl.clickhouse;

/** How far an attempt to run a statement came that failed. */
enum Progress {
  /** Not a byte of the statement left: whatever happened, the server does not know of it. */
  NOT_SENT,
  /** At least a part of it left. */
  SENT,
  /** It left, and was ended here because its time was over. */
  OUT_OF_TIME
}
