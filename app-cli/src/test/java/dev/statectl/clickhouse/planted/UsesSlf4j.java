package dev.statectl.clickhouse.planted;

import org.slf4j.Logger;

/** Planted: only the command logs. */
final class UsesSlf4j {
  Logger used;
}
