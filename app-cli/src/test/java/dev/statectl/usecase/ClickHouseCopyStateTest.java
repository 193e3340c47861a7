package dev.statectl.usecase;

class ClickHouseCopyStateTest extends CopyStateFacts {
  ClickHouseCopyStateTest() {
    super(Place.CLICKHOUSE);
  }
}
