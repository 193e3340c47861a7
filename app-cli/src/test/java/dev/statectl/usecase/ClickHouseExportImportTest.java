package dev.statectl.usecase;

class ClickHouseExportImportTest extends ExportImportFacts {
  ClickHouseExportImportTest() {
    super(Place.CLICKHOUSE);
  }
}
