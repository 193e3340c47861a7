package dev.statectl.clickhouse.planted;

import picocli.CommandLine;

/** Planted: the layer may not use this type. */
final class UsesPicocli {
  CommandLine used;
}
