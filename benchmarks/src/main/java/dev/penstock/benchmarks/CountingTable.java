package dev.penstock.benchmarks;

import dev.penstock.filter.Filter;
import dev.penstock.schema.Schema;
import dev.penstock.spi.catalog.CatalogFile;
import dev.penstock.spi.catalog.CatalogFiles;
import dev.penstock.spi.catalog.CatalogTable;
import dev.penstock.spi.catalog.Installed;
import dev.penstock.spi.format.FileFormat;
import dev.penstock.spi.storage.Storage;
import dev.penstock.spi.storage.StorageOptions;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/// The files of a [CountingStore] as a table of a catalog that states how many rows each has.
///
/// @param rows the rows of each file
record CountingTable(CountingStore store, Schema schema, long rows) implements CatalogTable {
  @Override
  public String name() {
    return "counting";
  }

  @Override
  public String version() {
    return "1";
  }

  @Override
  public CatalogFiles files(Optional<Filter> filter) {
    Storage connected = store.with(StorageOptions.NONE);
    FileFormat parquet = Installed.format("parquet");
    List<CatalogFile> files =
        store.files().stream()
            .map(entry ->
                new CatalogFile(
                    entry,
                    connected,
                    parquet,
                    Map.of(),
                    Optional.empty(),
                    Optional.empty(),
                    OptionalLong.of(rows)))
            .toList();
    return new CatalogFiles(files, List.of());
  }
}
