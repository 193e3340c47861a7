package dev.statectl.clickhouse.planted;

import dev.statectl.inmemory.planted.UsesJdbi;

/** Planted: the layer may not use this type. */
final class UsesOtherAdapter {
  UsesJdbi used;
}
