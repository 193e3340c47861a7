package dev.statectl.usecase;

class InMemoryExportImportTest extends ExportImportFacts {
  InMemoryExportImportTest() {
    super(Place.IN_MEMORY);
  }
}
