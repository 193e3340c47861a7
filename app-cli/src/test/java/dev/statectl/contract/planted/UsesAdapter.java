package dev.statectl.contract.planted;

import dev.statectl.clickhouse.ClickHouseSettings;

/** Planted: the layer may not use this type. */
public final class UsesAdapter {
  ClickHouseSettings used;
}
