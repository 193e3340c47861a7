package dev.statectl.clickhouse.planted;

/** Planted: not final. */
class Extensible {}
