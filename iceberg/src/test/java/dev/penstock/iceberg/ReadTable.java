package dev.penstock.iceberg;

import dev.penstock.DataLoader;
import dev.penstock.StructuredDataset;
import dev.penstock.batch.Batch;
import dev.penstock.batch.OutputFormat;
import dev.penstock.filter.Filter;
import dev.penstock.iceberg.internal.files.ReadFiles;
import dev.penstock.options.LoaderOptions;
import dev.penstock.schema.MissingColumns;
import dev.penstock.schema.Schema;
import dev.penstock.spi.catalog.CatalogFile;
import dev.penstock.spi.catalog.CatalogFiles;
import dev.penstock.spi.catalog.CatalogTable;
import dev.penstock.spi.catalog.Installed;
import dev.penstock.spi.storage.FileEntry;
import dev.penstock.spi.storage.Storage;
import dev.penstock.spi.storage.StorageFile;
import dev.penstock.spi.storage.StorageOptions;
import dev.penstock.storage.Location;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import org.apache.iceberg.FileScanTask;
import org.apache.iceberg.Table;
import org.apache.iceberg.data.IcebergGenerics;
import org.apache.iceberg.data.Record;
import org.apache.iceberg.io.CloseableIterable;
import org.apache.iceberg.types.Types.NestedField;
import org.apache.iceberg.variants.Variant;
import org.jspecify.annotations.Nullable;

/// A table as core reads it: all its files, whatever the filter.
final class ReadTable implements CatalogTable {
  private final Table table;
  private final ReadFiles opens;
  private final IcebergRows rows;

  ReadTable(Table table, ReadFiles files, String... metadataColumns) {
    this.table = table;
    this.opens = files;
    this.rows = IcebergRows.of(table, table.schema(), List.of(metadataColumns), files);
  }

  ReadTable(Table table, String... metadataColumns) {
    this(table, new LocalFiles(), metadataColumns);
  }

  /// Opens files where they are.
  static class LocalFiles implements ReadFiles {
    @Override
    public StorageFile open(String path) throws IOException {
      return store(path).open(new Location(path));
    }

    @Override
    public FileEntry stat(String path) throws IOException {
      return store(path).stat(new Location(path)).orElseThrow(() -> new IOException("no " + path));
    }

    @Override
    public Storage store(String path) {
      return Installed.store(new Location(path), StorageOptions.NONE);
    }
  }

  @Override
  public String name() {
    return table.name();
  }

  @Override
  public String version() {
    return String.valueOf(table.currentSnapshot().snapshotId());
  }

  @Override
  public Schema schema() {
    return rows.schema();
  }

  @Override
  public MissingColumns missingColumns() {
    return rows.missingColumns();
  }

  @Override
  public CatalogFiles files(Optional<Filter> filter) throws IOException {
    List<CatalogFile> files = new ArrayList<>();
    try (CloseableIterable<FileScanTask> tasks = table.newScan().planFiles()) {
      for (FileScanTask task : tasks) {
        String path = task.file().location();
        files.add(
            rows.file(
                task,
                PinnedTable.details(task, table.currentSnapshot()),
                opens.stat(path),
                opens.store(path)));
      }
    }
    return new CatalogFiles(files, List.of());
  }

  StructuredDataset dataset() {
    return new StructuredDataset(this);
  }

  /// Reads all rows as texts, in the order of the loader.
  static List<String> read(StructuredDataset dataset, UnaryOperator<LoaderOptions> change) {
    try (DataLoader loader =
        DataLoader.of(
            dataset,
            change.apply(LoaderOptions.defaults().batchSize(100).output(OutputFormat.MAP)))) {
      List<String> rows = new ArrayList<>();
      for (Batch batch : loader) {
        try (batch) {
          rows.addAll(texts(batch));
        }
      }
      return rows;
    }
  }

  static List<String> texts(Batch batch) {
    List<String> rows = new ArrayList<>();
    for (int i = 0; i < batch.rowCount(); i++) {
      StringBuilder row = new StringBuilder();
      for (String name : batch.names()) {
        row.append(name).append('=').append(text(batch.list(name).get(i), true)).append(' ');
      }
      rows.add(row.toString());
    }
    return rows;
  }

  /// Reads all rows with Iceberg's reader.
  static List<String> expected(Table table) throws IOException {
    return expected(table, table.schema().columns().stream().map(NestedField::name).toList());
  }

  /// Reads some columns of all rows with Iceberg's reader.
  static List<String> expected(Table table, List<String> columns) throws IOException {
    List<String> rows = new ArrayList<>();
    // The reader cannot select lists of variants.
    IcebergGenerics.ScanBuilder scan = IcebergGenerics.read(table);
    boolean areAll = columns.size() == table.schema().columns().size();
    try (CloseableIterable<Record> records = (areAll ? scan : scan.select(columns)).build()) {
      for (Record record : records) {
        // The reader adds columns that deletes need.
        rows.add(
            columns.stream()
                .map(column -> column + "=" + text(record.getField(column), false) + " ")
                .collect(Collectors.joining()));
      }
    }
    return rows;
  }

  /// Returns rows in the one order that does not depend on who read them.
  static List<String> sorted(List<String> rows) {
    return rows.stream().sorted().toList();
  }

  /// Returns what a value is, the same for Iceberg's objects and ours.
  ///
  /// @param ours whether a map is a struct of ours, whose maps are lists of entries; else it is a
  ///   map of Iceberg's
  private static String text(@Nullable Object value, boolean ours) {
    return switch (value) {
      case null -> "null";
      case Record struct ->
          struct.struct().fields().stream()
              .map(field -> field.name() + ":" + text(struct.getField(field.name()), ours) + ",")
              .collect(Collectors.joining("", "{", "}"));
      case Map<?, ?> struct when ours ->
          struct.entrySet().stream()
              .map(entry -> entry.getKey() + ":" + text(entry.getValue(), true) + ",")
              .collect(Collectors.joining("", "{", "}"));
      case Map<?, ?> map -> text(List.copyOf(map.entrySet()), false);
      case Map.Entry<?, ?> entry ->
          text(entry.getKey(), ours) + "->" + text(entry.getValue(), ours);
      case List<?> list -> {
        List<String> texts = list.stream().map(element -> text(element, ours)).toList();
        boolean entries = !list.isEmpty() && list.getFirst() instanceof Map.Entry;
        yield (entries ? sorted(texts) : texts).toString();
      }
      case byte[] bytes -> HexFormat.of().formatHex(bytes);
      case ByteBuffer bytes -> {
        byte[] copy = new byte[bytes.remaining()];
        bytes.duplicate().get(copy);
        yield HexFormat.of().formatHex(copy);
      }
      case Variant variant -> text(VariantObjects.of(variant.value()), true);
      case OffsetDateTime time -> time.toInstant().toString();
      default -> value.toString();
    };
  }
}
