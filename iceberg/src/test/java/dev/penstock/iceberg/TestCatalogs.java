package dev.penstock.iceberg;

import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.UUID;
import org.apache.iceberg.BaseTable;
import org.apache.iceberg.CatalogUtil;
import org.apache.iceberg.Table;
import org.apache.iceberg.catalog.Catalog;
import org.apache.iceberg.catalog.Namespace;
import org.apache.iceberg.catalog.SupportsNamespaces;

/// Catalogs with the namespace `db`, whose tables lie in a local folder.
final class TestCatalogs {
  private TestCatalogs() {}

  /// Returns the options of a JDBC catalog, in H2.
  static Map<String, String> h2(Path folder) {
    return Map.of(
        "type", "jdbc",
        "catalog-name", "c",
        "uri", "jdbc:h2:" + folder + "/catalog;DATABASE_TO_LOWER=TRUE",
        "warehouse", folder + "/warehouse",
        "jdbc.schema-version", "V1");
  }

  /// Opens a catalog for writing.
  static Catalog open(Map<String, String> options) {
    Map<String, String> all = new HashMap<>(options);
    all.put("io-impl", LocalIO.class.getName());
    return withNamespace(
        CatalogUtil.buildIcebergCatalog(options.getOrDefault("catalog-name", "c"), all, null));
  }

  /// Makes a catalog that is gone with the process.
  static Catalog inMemory(Path folder) {
    Map<String, String> options = new HashMap<>(h2(folder));
    options.put("uri", "jdbc:h2:mem:" + UUID.randomUUID() + ";DATABASE_TO_LOWER=TRUE");
    return open(options);
  }

  private static Catalog withNamespace(Catalog catalog) {
    SupportsNamespaces namespaces = (SupportsNamespaces) catalog;
    if (!namespaces.namespaceExists(Namespace.of("db"))) {
      namespaces.createNamespace(Namespace.of("db"));
    }
    return catalog;
  }

  /// Returns where the metadata of a table is now.
  static String metadata(Table table) {
    return ((BaseTable) table).operations().refresh().metadataFileLocation();
  }
}
