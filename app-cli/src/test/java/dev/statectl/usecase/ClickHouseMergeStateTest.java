package dev.statectl.usecase;

class ClickHouseMergeStateTest extends MergeStateFacts {
  ClickHouseMergeStateTest() {
    super(Place.CLICKHOUSE);
  }
}
