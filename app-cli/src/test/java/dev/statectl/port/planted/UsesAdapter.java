package dev.statectl.port.planted;

import dev.statectl.clickhouse.ClickHouseSettings;

/** Planted: the layer may not use this type. */
final class UsesAdapter {
  ClickHouseSettings used;
}
