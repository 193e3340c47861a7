package dev.statectl.clickhouse.planted;

/** Planted: only the command logs. */
final class UsesSystemLogger {
  System.Logger used;
}
