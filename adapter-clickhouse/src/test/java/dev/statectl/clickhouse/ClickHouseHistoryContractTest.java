package dev.statectl.clickhouse;

import dev.statectl.clickhouse.engine.TestClickHouse;
import dev.statectl.contract.RawRow;
import dev.statectl.contract.StateHistoryContract;
import dev.statectl.port.Backend;

class ClickHouseHistoryContractTest extends StateHistoryContract {
  private String schema = "";

  @Override
  protected Backend openBackend() {
    schema = TestClickHouse.shared().freshSchema();
    return TestStores.open(schema);
  }

  @Override
  protected void plant(RawRow row) {
    TestStores.plantRow(schema, row);
  }
}
