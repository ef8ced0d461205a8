package dev.penstock.iceberg;

import dev.penstock.filter.Filter;
import dev.penstock.iceberg.internal.files.TableFiles;
import dev.penstock.schema.MissingColumns;
import dev.penstock.schema.Schema;
import dev.penstock.spi.catalog.CatalogFile;
import dev.penstock.spi.catalog.CatalogFiles;
import dev.penstock.spi.catalog.CatalogTable;
import dev.penstock.spi.storage.FileEntry;
import dev.penstock.split.PartitionValue;
import dev.penstock.split.PrunedFile;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.apache.iceberg.DataFile;
import org.apache.iceberg.DeleteFile;
import org.apache.iceberg.FileContent;
import org.apache.iceberg.FileFormat;
import org.apache.iceberg.FileScanTask;
import org.apache.iceberg.HasTableOperations;
import org.apache.iceberg.PartitionField;
import org.apache.iceberg.PartitionSpec;
import org.apache.iceberg.Snapshot;
import org.apache.iceberg.SnapshotSummary;
import org.apache.iceberg.Table;
import org.apache.iceberg.TableScan;
import org.apache.iceberg.expressions.Expression;
import org.apache.iceberg.expressions.Expressions;
import org.apache.iceberg.io.CloseableIterable;
import org.apache.iceberg.transforms.Transform;
import org.apache.iceberg.types.Type;
import org.apache.iceberg.types.Types;
import org.apache.iceberg.util.SnapshotUtil;
import org.jspecify.annotations.Nullable;

/// A table at one snapshot: a dataset reads it unaffected by later changes to the table.
final class PinnedTable implements CatalogTable {
  private static final int FORMAT_VERSION_MAX = 3;
  private static final int DEPTH_MAX = 64;
  private static final long NAMES_MAX = 16 << 20;

  /// Files that a filter rules out are listed only for tables of up to this many files: listing
  /// them reads manifests that the filter would skip.
  private static final long LISTED_MAX = 100_000;

  private final TableSource source;
  private final Table table;
  private final TableFiles files;
  private final TimeTravel.Found found;
  private final Optional<Expression> scanFilter;
  private final IcebergRows rows;

  private PinnedTable(
      TableSource source,
      TableSource.Loaded loaded,
      TimeTravel.Found found,
      List<String> metadataColumns,
      Optional<Expression> scanFilter)
      throws IOException {
    this.source = source;
    this.table = loaded.table();
    this.files = loaded.files();
    this.found = found;
    this.scanFilter = scanFilter;
    requireReadable();
    requireFlat();
    this.rows = IcebergRows.of(table, found.schema(), metadataColumns, files);
  }

  /// Pins a table.
  ///
  /// @param schemaId the schema to read with, if not the snapshot's
  static PinnedTable of(
      TableSource source,
      TableSource.Loaded loaded,
      TimeTravel when,
      OptionalLong schemaId,
      List<String> metadataColumns,
      Optional<Expression> scanFilter)
      throws IOException {
    TimeTravel.Found found;
    try {
      found = when.in(loaded.table(), source.name());
    } catch (IllegalArgumentException e) {
      throw e;
    } catch (RuntimeException e) {
      throw IcebergErrors.of(source, e);
    }
    if (schemaId.isPresent()) {
      found =
          TimeTravel.with(
              found, Math.toIntExact(schemaId.getAsLong()), loaded.table(), source.name());
    }
    return new PinnedTable(source, loaded, found, metadataColumns, scanFilter);
  }

  private void requireReadable() throws IOException {
    int version =
        table instanceof HasTableOperations operations
            ? operations.operations().current().formatVersion()
            : 1;
    if (version > FORMAT_VERSION_MAX) {
      throw unreadable(
          ("it has format version %s but only versions up to %s can be read. Use a newer"
                  + " Penstock.")
              .formatted(version, FORMAT_VERSION_MAX));
    }
    if (found.snapshot() != null && found.snapshot().keyId() != null) {
      throw unreadable("it is encrypted. Encrypted tables cannot be read.");
    }
  }

  /// Iceberg keeps the full name of each field, so that long names around many fields are many
  /// times as long as the metadata.
  private void requireFlat() throws IOException {
    long chars = 0;
    for (Types.NestedField column : found.schema().columns()) {
      chars += names(column, 0, DEPTH_MAX);
      if (chars > NAMES_MAX) {
        throw unreadable(
            "the full names of its fields have more than "
                + NAMES_MAX
                + " characters. Use shorter names, or nest less deeply.");
      }
    }
  }

  /// Returns how many characters the full names of a field and those in it have, up to some more
  /// than are allowed.
  ///
  /// @param before the characters of the name around it
  /// @param left how much deeper it may be nested
  private long names(Types.NestedField field, long before, int left) throws IOException {
    if (left == 0) {
      throw unreadable("a column is nested more than " + DEPTH_MAX + " deep.");
    }
    long name = before + field.name().length() + 1;
    long chars = name;
    if (field.type().isNestedType()) {
      for (Types.NestedField part : field.type().asNestedType().fields()) {
        chars += names(part, name, left - 1);
        if (chars > NAMES_MAX) {
          break;
        }
      }
    }
    return chars;
  }

  private IOException unreadable(String why) {
    return new IOException("Cannot read table '" + source.name() + "': " + why);
  }

  @Override
  public String name() {
    return source.name();
  }

  @Override
  public String version() {
    Snapshot snapshot = found.snapshot();
    return "table %s at %s with schema(%s)"
        .formatted(
            id(),
            snapshot == null ? "no snapshot" : "snapshot(" + snapshot.snapshotId() + ")",
            found.schemaId());
  }

  /// Tables of format version 1 may have no id.
  private String id() {
    String id =
        table instanceof HasTableOperations operations
            ? operations.operations().current().uuid()
            : null;
    return id == null ? table.location() : id;
  }

  OptionalLong snapshotId() {
    Snapshot snapshot = found.snapshot();
    return snapshot == null ? OptionalLong.empty() : OptionalLong.of(snapshot.snapshotId());
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
    Snapshot snapshot = found.snapshot();
    if (snapshot == null) {
      return new CatalogFiles(List.of(), List.of());
    }
    try {
      return files(snapshot, filter);
    } catch (RuntimeException e) {
      throw IcebergErrors.of(source, e);
    }
  }

  private CatalogFiles files(Snapshot snapshot, Optional<Filter> filter) throws IOException {
    // At the current snapshot Iceberg plans with the newest schema, else with the snapshot's.
    boolean current = snapshot.equals(table.currentSnapshot());
    org.apache.iceberg.Schema planned =
        current ? table.schema() : SnapshotUtil.schemaFor(table, snapshot.snapshotId());
    Expression pushed =
        scanFilter.orElseGet(() ->
            filter
                .map(each -> new PushedFilter(found.schema(), planned).translate(each))
                .orElse(Expressions.alwaysTrue()));
    Table plannable = DroppedPartitions.plannable(table, planned, snapshot);
    TableScan scan =
        current ? plannable.newScan() : plannable.newScan().useSnapshot(snapshot.snapshotId());
    List<CatalogFile> kept = new ArrayList<>();
    Set<String> paths = new HashSet<>();
    for (FileScanTask task : plan(scan.filter(pushed))) {
      kept.add(file(task, snapshot));
      if (!paths.add(task.file().location())) {
        throw unreadable(
            "its metadata lists file '%s' twice. Remove one of the entries."
                .formatted(task.file().location()));
      }
    }
    if (kept.isEmpty()) {
      requireManifests(snapshot);
    }
    return new CatalogFiles(kept, pruned(scan, pushed, paths, snapshot));
  }

  /// A manifest list that was cut after its header names no manifests, and looks complete.
  private void requireManifests(Snapshot snapshot) throws IOException {
    String stated = snapshot.summary().getOrDefault(SnapshotSummary.TOTAL_DATA_FILES_PROP, "0");
    if (stated.matches("[1-9][0-9]*") && snapshot.allManifests(table.io()).isEmpty()) {
      throw unreadable(
          ("its snapshot has %s data files but its manifest list names no manifest: %s was"
                  + " cut, or written wrongly. Restore it, or read an older snapshot.")
              .formatted(stated, snapshot.manifestListLocation()));
    }
  }

  /// Returns the files that a scan keeps. Many manifests are read at once.
  private static List<FileScanTask> plan(TableScan scan) throws IOException {
    try (ExecutorService readers =
            Executors.newThreadPerTaskExecutor(
                Thread.ofVirtual().name("penstock-manifest-", 0).factory());
        CloseableIterable<FileScanTask> tasks = scan.planWith(readers).planFiles()) {
      List<FileScanTask> all = new ArrayList<>();
      tasks.forEach(all::add);
      return all;
    }
  }

  private CatalogFile file(FileScanTask task, Snapshot snapshot) throws IOException {
    DataFile file = task.file();
    FileEntry entry = new FileEntry(files.location(file.location()), file.fileSizeInBytes(), false);
    return rows.file(task, details(task, snapshot), entry, files.store(file.location()));
  }

  static IcebergDataFileInfo details(FileScanTask task, Snapshot snapshot) {
    List<IcebergDataFileInfo.Delete> deletes = new ArrayList<>();
    for (DeleteFile delete : task.deletes()) {
      IcebergDataFileInfo.Kind kind =
          delete.content() == FileContent.EQUALITY_DELETES
              ? IcebergDataFileInfo.Kind.EQUALITY
              : delete.format() == FileFormat.PUFFIN
                  ? IcebergDataFileInfo.Kind.VECTOR
                  : IcebergDataFileInfo.Kind.POSITIONS;
      deletes.add(new IcebergDataFileInfo.Delete(kind, delete.location(), delete.recordCount()));
    }
    deletes.sort(
        Comparator.comparing(IcebergDataFileInfo.Delete::path)
            .thenComparing(IcebergDataFileInfo.Delete::kind));
    return new IcebergDataFileInfo(
        task.file().location(),
        snapshot.snapshotId(),
        Objects.requireNonNullElse(task.file().dataSequenceNumber(), 0L),
        task.file().specId(),
        partition(task),
        deletes);
  }

  private static List<PartitionValue> partition(FileScanTask task) {
    PartitionSpec spec = task.spec();
    List<PartitionValue> values = new ArrayList<>();
    for (int i = 0; i < spec.fields().size(); i++) {
      PartitionField field = spec.fields().get(i);
      Class<?> type = spec.javaClasses()[i];
      Object value = task.file().partition().get(i, type);
      Type source = spec.schema().findType(field.sourceId());
      values.add(
          new PartitionValue(field.name(), value == null ? null : text(field, source, value)));
    }
    return values;
  }

  private static String text(PartitionField field, @Nullable Type source, Object value) {
    @SuppressWarnings("unchecked") // The value has the transform's result type, as Iceberg made it.
    Transform<?, Object> transform = (Transform<?, Object>) field.transform();
    return source == null // The column was dropped.
        ? String.valueOf(value)
        : transform.toHumanString(transform.getResultType(source), value);
  }

  /// Returns the files that a scan skips, unless there are too many to list.
  private List<PrunedFile> pruned(
      TableScan scan, Expression pushed, Set<String> kept, Snapshot snapshot) throws IOException {
    if (pushed.op() == Expression.Operation.TRUE || listed(snapshot) > LISTED_MAX) {
      return List.of();
    }
    List<PrunedFile> pruned = new ArrayList<>();
    for (FileScanTask task : plan(scan)) {
      DataFile file = task.file();
      if (!kept.contains(file.location())) {
        pruned.add(
            new PrunedFile(
                files.location(file.location()), file.fileSizeInBytes(), partition(task)));
      }
    }
    pruned.sort(Comparator.comparing(PrunedFile::location));
    return pruned;
  }

  /// Returns how many files the manifests list, by their stated counts.
  private long listed(Snapshot snapshot) {
    return snapshot.dataManifests(table.io()).stream()
        .mapToLong(manifest ->
            Objects.requireNonNullElse(manifest.addedFilesCount(), 0)
                + (long) Objects.requireNonNullElse(manifest.existingFilesCount(), 0))
        .sum();
  }
}
