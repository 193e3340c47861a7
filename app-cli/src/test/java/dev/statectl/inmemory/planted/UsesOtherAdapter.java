package dev.statectl.inmemory.planted;

import dev.statectl.clickhouse.ClickHouseSettings;

/** Planted: the layer may not use this type. */
final class UsesOtherAdapter {
  ClickHouseSettings used;
}
