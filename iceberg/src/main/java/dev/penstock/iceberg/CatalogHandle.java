package dev.penstock.iceberg;

import dev.penstock.iceberg.internal.files.StoreAccess;
import java.io.Closeable;
import java.io.IOException;
import java.lang.ref.Cleaner;
import java.util.Map;
import org.apache.iceberg.Table;
import org.apache.iceberg.catalog.Catalog;
import org.apache.iceberg.catalog.TableIdentifier;
import org.slf4j.LoggerFactory;

/// A catalog that is kept while one of its tables may be read, to renew credentials.
///
/// Datasets are never closed, so the catalog is closed when it becomes unreachable.
final class CatalogHandle {
  private static final Cleaner CLEANER = Cleaner.create();

  private final Catalog catalog;

  CatalogHandle(Catalog catalog) {
    this.catalog = catalog;
    if (catalog instanceof Closeable closeable) {
      CLEANER.register(this, () -> close(closeable));
    }
  }

  private static void close(Closeable catalog) {
    try {
      catalog.close();
    } catch (IOException | RuntimeException e) {
      LoggerFactory.getLogger(CatalogHandle.class).warn("A catalog could not be closed.", e);
    }
  }

  /// Returns the catalog's current grants.
  StoreAccess ask(TableSource source, TableIdentifier table, Map<String, String> told)
      throws IOException {
    try {
      catalog.invalidateTable(table); // else a cached answer may be returned
      Table fresh = catalog.loadTable(table);
      return TableSource.InCatalog.filesOf(fresh.io(), told).access();
    } catch (RuntimeException e) {
      throw IcebergErrors.of(source, e);
    }
  }
}
