package dev.penstock.delta;

import dev.penstock.delta.internal.log.LogEngine;
import dev.penstock.delta.internal.log.TableFiles;
import dev.penstock.filter.Filter;
import dev.penstock.schema.Field;
import dev.penstock.schema.Schema;
import dev.penstock.spi.catalog.CatalogFile;
import dev.penstock.spi.catalog.CatalogFiles;
import dev.penstock.spi.catalog.CatalogTable;
import dev.penstock.spi.catalog.FileFilter;
import dev.penstock.spi.catalog.Installed;
import dev.penstock.spi.fields.MatchedFormat;
import dev.penstock.spi.fields.TableField;
import dev.penstock.spi.format.ColumnStatistics;
import dev.penstock.spi.format.FieldId;
import dev.penstock.spi.format.FileFormat;
import dev.penstock.spi.format.FileMetadata;
import dev.penstock.spi.format.FilePlace;
import dev.penstock.spi.format.LiveRows;
import dev.penstock.spi.storage.FileEntry;
import dev.penstock.spi.storage.StorageFile;
import dev.penstock.split.PartitionValue;
import dev.penstock.split.PrunedFile;
import dev.penstock.storage.Location;
import io.delta.kernel.Snapshot;
import io.delta.kernel.data.Row;
import io.delta.kernel.internal.InternalScanFileUtils;
import io.delta.kernel.internal.ScanImpl;
import io.delta.kernel.internal.actions.DeletionVectorDescriptor;
import io.delta.kernel.internal.util.ColumnMapping;
import io.delta.kernel.internal.util.ColumnMapping.ColumnMappingMode;
import io.delta.kernel.internal.util.Utils;
import io.delta.kernel.utils.CloseableIterator;
import io.delta.kernel.utils.FileStatus;
import java.io.IOException;
import java.time.DateTimeException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// A table at one version: a dataset reads it unaffected by later commits.
final class DeltaTable implements CatalogTable {
  /// Files that a filter rules out are listed only up to this many.
  private static final int LISTED_MAX = 100_000;

  private final String name;
  private final TableFiles files;
  private final LogEngine engine;
  private final Snapshot snapshot;
  private final ColumnMappingMode mode;
  private final List<DeltaColumn> columns;
  private final Schema schema;
  private final FileFormat format;

  private DeltaTable(String name, TableFiles files, LogEngine engine, Snapshot snapshot) {
    this.name = name;
    this.files = files;
    this.engine = engine;
    this.snapshot = snapshot;
    this.mode = ColumnMapping.getColumnMappingMode(snapshot.getMetadata().getConfiguration());
    DeltaTypes.requireFlat(snapshot.getSchema());
    this.columns = DeltaColumn.of(snapshot.getSchema(), mode);
    List<TableField> fields = columns.stream().map(DeltaColumn::table).toList();
    this.schema = Schema.of(fields.stream().map(TableField::field).toList());
    // Spark's 96-bit timestamps are whole microseconds in UTC.
    FileFormat parquet =
        Installed.format("parquet").withOptions(Map.of("int96-unit", "us", "int96-zone", "utc"));
    this.format =
        new MatchedFormat(
            parquet, fields, DeltaColumn.ids(columns, mode), List.of(), this::requireIds);
  }

  /// Pins a table.
  static DeltaTable of(String name, TableFiles files, LogEngine engine, Snapshot snapshot)
      throws IOException {
    try {
      return new DeltaTable(name, files, engine, snapshot);
    } catch (RuntimeException | StackOverflowError e) {
      throw DeltaErrors.of(name, e);
    }
  }

  /// Without ids in a file, a table that maps its columns by id would read it as nulls.
  private void requireIds(StorageFile file, FileMetadata metadata) throws IOException {
    if (mode == ColumnMappingMode.ID
        && metadata.fieldIds().stream().noneMatch(DeltaTable::isGiven)) {
      throw new FilePlace(file.location(), "")
          .fail(
              "None of its columns has a field id, by which Delta table '"
                  + name
                  + "' finds them. Write the file again with the engine that writes the table.");
    }
  }

  private static boolean isGiven(FieldId id) {
    return id.id().isPresent();
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public String version() {
    return "table " + snapshot.getMetadata().getId() + " at version(" + snapshot.getVersion() + ")";
  }

  long number() {
    return snapshot.getVersion();
  }

  @Override
  public Schema schema() {
    return schema;
  }

  /// A data file of the version.
  ///
  /// @param partition partition column to its text; null is null
  private record Added(
      Location location,
      FileStatus file,
      Map<String, @Nullable String> partition,
      @Nullable String statistics,
      @Nullable DeletionVectorDescriptor vector) {}

  @Override
  public CatalogFiles files(Optional<Filter> filter) throws IOException {
    Optional<FileFilter> wanted = filter.map(each -> FileFilter.of(each, schema));
    List<CatalogFile> kept = new ArrayList<>();
    List<PrunedFile> pruned = new ArrayList<>();
    for (Added added : added()) {
      Map<String, @Nullable LogValue> partition = partition(added);
      if (wanted.isEmpty() || mayMatch(wanted.get(), added, partition)) {
        kept.add(file(added, partition));
      } else if (pruned.size() < LISTED_MAX) {
        pruned.add(new PrunedFile(added.location, added.file.getSize(), partitionValues(added)));
      }
    }
    pruned.sort(Comparator.comparing(PrunedFile::location));
    return new CatalogFiles(kept, pruned);
  }

  private List<Added> added() throws IOException {
    List<Added> all = new ArrayList<>();
    ScanImpl scan = (ScanImpl) snapshot.getScanBuilder().build();
    try (CloseableIterator<Row> rows = Utils.intoRows(scan.getScanFiles(engine, true))) {
      while (rows.hasNext()) {
        all.add(added(rows.next()));
      }
    } catch (RuntimeException e) {
      throw DeltaErrors.of(name, e);
    }
    return all;
  }

  private Added added(Row row) throws IOException {
    Row add = row.getStruct(InternalScanFileUtils.ADD_FILE_ORDINAL);
    int statistics = InternalScanFileUtils.ADD_FILE_STATS_ORDINAL;
    Location location =
        files
            .locations()
            .find(
                add.getString(add.getSchema().indexOf("path")),
                () -> InternalScanFileUtils.getAddFileStatus(row).getPath());
    return new Added(
        location,
        InternalScanFileUtils.getAddFileStatus(row),
        new HashMap<>(InternalScanFileUtils.getPartitionValues(row)),
        add.isNullAt(statistics) ? null : add.getString(statistics),
        InternalScanFileUtils.getDeletionVectorDescriptorFromRow(row));
  }

  private boolean mayMatch(
      FileFilter wanted, Added added, Map<String, @Nullable LogValue> partition) {
    FileStatistics[] statistics = new FileStatistics[1]; // read when needed
    return wanted.mayMatch(column -> {
      if (partition.containsKey(column)) {
        LogValue value = partition.get(column);
        return value != null && value.bound() == null
            ? ColumnStatistics.UNKNOWN
            : FileFilter.constant(value == null ? null : value.bound());
      }
      if (statistics[0] == null) {
        statistics[0] = FileStatistics.of(columns, schema, added.statistics);
      }
      return statistics[0].of(column);
    });
  }

  /// Returns the values of the partition columns.
  private Map<String, @Nullable LogValue> partition(Added added) throws IOException {
    Map<String, @Nullable LogValue> values = new HashMap<>();
    for (String column : snapshot.getPartitionColumnNames()) {
      Field field = schema.find(column).orElseThrow();
      values.put(
          field.name(), value(added, field, DeltaColumn.storedPath(columns, column).getFirst()));
    }
    return values;
  }

  private @Nullable LogValue value(Added added, Field field, String storedName) throws IOException {
    String text = added.partition.get(storedName);
    if (text == null || text.isEmpty()) {
      return null;
    }
    try {
      return LogValue.of(field.type(), text);
    } catch (IllegalArgumentException | ArithmeticException | DateTimeException e) {
      throw new IOException(
          ("Cannot read Delta table '%s': partition column '%s' of type %s has the value"
                  + " '%s' for %s.")
              .formatted(name, field.name(), field.type(), text, added.file.getPath()),
          e);
    }
  }

  private static List<PartitionValue> partitionValues(Added added) {
    return added.partition.entrySet().stream()
        .map(entry -> new PartitionValue(entry.getKey(), entry.getValue()))
        .sorted(Comparator.comparing(PartitionValue::key))
        .toList();
  }

  private CatalogFile file(Added added, Map<String, @Nullable LogValue> partition)
      throws IOException {
    Map<String, Optional<Object>> constants = new HashMap<>();
    partition.forEach((column, value) ->
        constants.put(column, value == null ? Optional.empty() : Optional.of(value.value())));
    DeletionVectorDescriptor vector = added.vector;
    Optional<LiveRows> live =
        vector == null
            ? Optional.empty()
            : Optional.of(new DeletedRows(engine, files.locations(), snapshot.getPath(), vector));
    return new CatalogFile(
        new FileEntry(added.location, added.file.getSize(), false),
        files.store(added.location),
        format,
        constants,
        Optional.of(
            new DeltaFileDetails(
                partitionValues(added), vector == null ? 0 : vector.getCardinality())),
        live,
        FileStatistics.rows(added.statistics));
  }
}
