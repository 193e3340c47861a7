package dev.statectl.clickhouse.planted;

import java.util.logging.Logger;

/** Planted: only the command logs. */
final class UsesJdkLogging {
  Logger used;
}
