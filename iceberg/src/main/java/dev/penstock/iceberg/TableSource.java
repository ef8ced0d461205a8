package dev.penstock.iceberg;

import dev.penstock.advice.Advice;
import dev.penstock.advice.Remedy;
import dev.penstock.iceberg.internal.files.ErrorText;
import dev.penstock.iceberg.internal.files.TableFiles;
import dev.penstock.iceberg.internal.files.TableFolder;
import dev.penstock.storage.Location;
import java.io.Closeable;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.apache.iceberg.BaseMetadataTable;
import org.apache.iceberg.BaseTable;
import org.apache.iceberg.CatalogProperties;
import org.apache.iceberg.CatalogUtil;
import org.apache.iceberg.HasTableOperations;
import org.apache.iceberg.StaticTableOperations;
import org.apache.iceberg.Table;
import org.apache.iceberg.catalog.Catalog;
import org.apache.iceberg.catalog.TableIdentifier;
import org.apache.iceberg.io.FileIO;
import org.apache.iceberg.io.SupportsStorageCredentials;
import org.apache.iceberg.jdbc.JdbcCatalog;

/// Where a table is found.
sealed interface TableSource {
  /// Returns the table's name in errors and plans.
  String name();

  /// Returns the table's name, without what may be secret in it.
  default String shown() {
    try {
      return this instanceof InFiles ? new Location(name()).text() : name();
    } catch (IllegalArgumentException _) { // reading it will say why
      return "with a secret in its location";
    }
  }

  /// Finds the table as it is now.
  ///
  /// @param told properties for file access, in addition to the source's own
  Loaded load(Map<String, String> told) throws IOException;

  /// A table that was found.
  record Loaded(Table table, TableFiles files) {}

  /// A table in a catalog.
  ///
  /// @param options the catalog's options in Iceberg's terms
  record InCatalog(String name, Map<String, String> options) implements TableSource {
    /// The name of the catalog itself, by which JDBC catalogs find their tables.
    private static final String CATALOG_NAME = "catalog-name";

    /// JDBC catalogs need a place for new tables, even if none is created.
    private static final String NO_WAREHOUSE = "none";

    /// Copies and checks the options.
    ///
    /// @throws IllegalArgumentException if they do not name the kind of catalog
    public InCatalog {
      options = Map.copyOf(options);
      if (name.isBlank()) {
        throw new IllegalArgumentException("Cannot open table '" + name + "': the name is blank.");
      }
      if (!options.containsKey("type") && !options.containsKey(CatalogProperties.CATALOG_IMPL)) {
        throw new IllegalArgumentException(
            ("Cannot open table '%s': the catalog options %s do not say what kind of catalog"
                    + " it is. Set 'type' to rest, jdbc, glue or hive, or 'catalog-impl' to a class.")
                .formatted(name, options.keySet().stream().sorted().toList()));
      }
      String type = options.getOrDefault("type", "").toLowerCase(Locale.ROOT);
      if ((type.equals("rest") || type.equals("jdbc")) && !options.containsKey("uri")) {
        throw Advice.argumentError(
            "Cannot open table '%s': a %s catalog needs %s. Set it to the catalog's"
                + " address, such as %s.",
            name,
            type,
            Remedy.of("catalog", "uri=VALUE", "the option 'uri'"),
            type.equals("rest") ? "http://host:8181" : "jdbc:postgresql://host/db");
      }
    }

    @Override
    public Loaded load(Map<String, String> told) throws IOException {
      Map<String, String> all = new HashMap<>(options);
      all.putIfAbsent(CatalogProperties.FILE_IO_IMPL, PenstockFileIO.class.getName());
      if (isJdbc() && all.getOrDefault(CatalogProperties.WAREHOUSE_LOCATION, "").isEmpty()) {
        all.put(CatalogProperties.WAREHOUSE_LOCATION, NO_WAREHOUSE);
      }
      all.putAll(told);
      try {
        CatalogModule.of(options).ifPresent(CatalogModule::require);
        Catalog catalog =
            CatalogUtil.buildIcebergCatalog(
                options.getOrDefault(CATALOG_NAME, "penstock"), all, null);
        return load(catalog, all);
      } catch (RuntimeException | LinkageError e) {
        throw IcebergErrors.of(this, e);
      }
    }

    boolean isJdbc() {
      return options.getOrDefault("type", "").equalsIgnoreCase("jdbc")
          || options.getOrDefault(CatalogProperties.CATALOG_IMPL, "").endsWith("JdbcCatalog");
    }

    private Loaded load(Catalog catalog, Map<String, String> told) throws IOException {
      TableIdentifier id = TableIdentifier.parse(name);
      boolean found = false;
      try {
        Table table = catalog.loadTable(id);
        if (table instanceof BaseMetadataTable) {
          throw new IllegalArgumentException(
              "it is a metadata table, which has no data files. Name the table itself.");
        }
        TableFiles files = filesOf(table.io(), told);
        at(place(table), table.io(), files);
        found = true;
        if (!(catalog instanceof JdbcCatalog)) { // which has nothing left to do
          CatalogHandle handle = new CatalogHandle(catalog);
          files.renewBy(() -> handle.ask(this, id, told));
        }
        return new Loaded(WholeTable.of(table, files), files);
      } finally {
        if ((!found || catalog instanceof JdbcCatalog) && catalog instanceof Closeable closeable) {
          closeable.close();
        }
      }
    }

    /// Returns where the catalog says that the table is.
    private static String place(Table table) {
      String file =
          table instanceof HasTableOperations operations
              ? operations.operations().current().metadataFileLocation()
              : null;
      return file == null || file.isBlank() ? table.location() : file;
    }

    private static void at(String place, FileIO io, TableFiles files) {
      if (io instanceof PenstockFileIO own) {
        own.at(place);
      } else {
        files.at(place);
      }
    }

    static TableFiles filesOf(FileIO io, Map<String, String> told) {
      if (io instanceof PenstockFileIO own) {
        return own.files();
      }
      Map<String, String> properties = new HashMap<>(properties(io));
      properties.putAll(told);
      TableFiles files = TableFiles.of(properties);
      if (io instanceof SupportsStorageCredentials granted && !granted.credentials().isEmpty()) {
        files.grant(files.access().with(granted.credentials()));
      }
      return files;
    }

    private static Map<String, String> properties(FileIO io) {
      try {
        return io.properties();
      } catch (UnsupportedOperationException _) { // the interface's default
        return Map.of();
      }
    }

    @Override
    public String toString() {
      return name;
    }
  }

  /// A table whose metadata file is known, or its folder in the layout of Hadoop tables.
  record InFiles(String name) implements TableSource {
    /// Checks the name.
    ///
    /// @throws IllegalArgumentException if it is blank
    public InFiles {
      if (name.isBlank()) {
        throw new IllegalArgumentException("Cannot open table '" + name + "': the name is blank.");
      }
    }

    @Override
    public Loaded load(Map<String, String> told) throws IOException {
      PenstockFileIO io = new PenstockFileIO();
      io.initialize(told);
      io.at(name);
      String file = TableFolder.metadataFile(name, io.files());
      try {
        Table table = new BaseTable(new StaticTableOperations(file, io), name);
        table.schema(); // reads the file
        return new Loaded(table, io.files());
      } catch (StackOverflowError | OutOfMemoryError e) {
        throw new IllegalStateException(
            "Cannot read the metadata of table '" + name + "': " + e, e);
      } catch (RuntimeException e) {
        if (io.files().store(file).stat(io.files().location(file)).isEmpty()) {
          throw new IOException(
              ("Cannot read table '%s': there is no such file. Name a metadata file"
                      + " (.metadata.json) of the table, or its folder.")
                  .formatted(name),
              e);
        }
        throw IcebergErrors.ofMetadata(this, e);
      }
    }
  }

  /// Returns texts that must not be shown: the values of catalog options that are not known to be
  /// harmless.
  default List<String> secrets() {
    return switch (this) {
      case InFiles _ -> List.of();
      case InCatalog(String _, Map<String, String> options) -> ErrorText.secrets(options);
    };
  }
}
