package dev.statectl.usecase;

class ClickHouseMoveStateTest extends MoveStateFacts {
  ClickHouseMoveStateTest() {
    super(Place.CLICKHOUSE);
  }
}
