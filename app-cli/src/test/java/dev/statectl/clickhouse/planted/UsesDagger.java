package dev.statectl.clickhouse.planted;

import dagger.Module;

/** Planted: the layer may not use this type. */
final class UsesDagger {
  Module used;
}
