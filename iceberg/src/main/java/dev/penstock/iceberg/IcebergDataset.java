package dev.penstock.iceberg;

import dev.penstock.StructuredDataset;
import dev.penstock.advice.CheckReturnValue;
import dev.penstock.iceberg.internal.files.MoveProperties;
import dev.penstock.iceberg.internal.files.StoreAccess;
import dev.penstock.spi.catalog.LocationMap;
import dev.penstock.spi.storage.StorageOptions;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;
import org.apache.iceberg.expressions.Expression;
import org.jspecify.annotations.Nullable;

/// An Apache Iceberg table to read: its location, snapshot and credentials.
///
/// ```java
/// StructuredDataset late = IcebergDataset.table("db.flights", Map.of("type", "rest", "uri", uri))
///     .asOf(Instant.parse("2026-11-01T00:00:00Z"))
///     .dataset()
///     .where("delay >= 15");
/// ```
///
/// [#dataset()] returns a [StructuredDataset], on which you set columns, filter and splits. A
/// filter also rules out files by the table's metadata, before they are opened.
///
/// **One snapshot.** The table is opened on first use, and its snapshot is fixed from then on: for
/// all datasets and loaders of this object, all epochs and workers. It is part of a `LoaderState`.
/// To resume in another process, or to let several processes read the same snapshot, pass its id to
/// [#snapshot(long)].
///
/// Immutable: every setting returns a changed copy, which opens the table itself.
///
/// **Threads.** Safe for any.
///
/// **Errors.** Wrong settings, and a snapshot or name that the table does not have, throw
/// [IllegalArgumentException]. Problems with catalog or files throw [UncheckedIOException]. No
/// message contains a secret.
@CheckReturnValue
public final class IcebergDataset {
  private final TableSource source;
  private final TimeTravel when;
  private final OptionalLong schemaId;
  private final Access access;
  private final List<String> metadataColumns;
  private final Optional<Expression> scanFilter;
  private volatile @Nullable PinnedTable pinned; // set with the monitor of this

  /// How files are accessed.
  ///
  /// @param storage storage option to value, sorted
  private record Access(LocationMap map, Map<String, String> storage) {
    Map<String, String> properties() {
      Map<String, String> properties = new TreeMap<>();
      storage.forEach((key, value) -> properties.put(StoreAccess.OPTION + key, value));
      MoveProperties.write(map, properties);
      return properties;
    }
  }

  private IcebergDataset(
      TableSource source,
      TimeTravel when,
      OptionalLong schemaId,
      Access access,
      List<String> metadataColumns,
      Optional<Expression> scanFilter) {
    this.source = source;
    this.when = when;
    this.schemaId = schemaId;
    this.access = access;
    this.metadataColumns = metadataColumns;
    this.scanFilter = scanFilter;
  }

  private IcebergDataset(TableSource source) {
    this(
        source,
        new TimeTravel.Newest(),
        OptionalLong.empty(),
        new Access(LocationMap.NONE, Map.of()),
        List.of(),
        Optional.empty());
  }

  /// Names a table in a catalog.
  ///
  /// @param name the table with its namespaces, for example `db.flights`
  /// @param catalogOptions the options of Iceberg's catalogs, passed on unchanged: `type` (`rest`,
  ///   `jdbc`, or with their modules `glue` and `hive`) or `catalog-impl`, `uri`, `warehouse`,
  ///   `token` or `credential`, ...; and `catalog-name`, under which a JDBC catalog stores its
  ///   tables
  /// @return the table
  /// @throws IllegalArgumentException if the options do not name the kind of catalog
  public static IcebergDataset table(String name, Map<String, String> catalogOptions) {
    return new IcebergDataset(new TableSource.InCatalog(name, catalogOptions));
  }

  /// Names a table by its metadata, without a catalog.
  ///
  /// @param location a metadata file, for example `s3://b/flights/metadata/v3.metadata.json`; or
  ///   the folder of a table whose metadata files are `metadata/v1.metadata.json` and so on, of
  ///   which the newest is read
  /// @return the table
  public static IcebergDataset metadata(String location) {
    return new IcebergDataset(new TableSource.InFiles(location));
  }

  /// Chooses a snapshot by its id; the default is the current one. Columns are those of the
  /// snapshot's schema.
  ///
  /// @param id the snapshot, as [#snapshotId()] returns it
  /// @return the changed dataset
  public IcebergDataset snapshot(long id) {
    return with(new TimeTravel.ToSnapshot(id));
  }

  /// Chooses the snapshot that was current at a time.
  ///
  /// @param time the time
  /// @return the changed dataset
  public IcebergDataset asOf(Instant time) {
    return with(new TimeTravel.AsOf(Objects.requireNonNull(time)));
  }

  /// Chooses the snapshot that a branch or tag names. A branch has the columns of the table's
  /// newest schema, a tag those of the snapshot's.
  ///
  /// @param name the branch or tag
  /// @return the changed dataset
  public IcebergDataset ref(String name) {
    return with(new TimeTravel.ToRef(Objects.requireNonNull(name)));
  }

  private IcebergDataset with(TimeTravel choice) {
    return new IcebergDataset(source, choice, schemaId, access, metadataColumns, scanFilter);
  }

  /// Chooses one of the table's schemas to read with, instead of the snapshot's.
  ///
  /// @param id the number of the schema
  /// @return the changed dataset
  public IcebergDataset schema(int id) {
    return new IcebergDataset(
        source, when, OptionalLong.of(id), access, metadataColumns, scanFilter);
  }

  /// Sets where the files of a moved table are: locations in its metadata that start with one
  /// prefix are read from another. If several prefixes match, the longest counts.
  ///
  /// It also says which places in the metadata are meant, if need be by mapping a prefix to itself:
  /// storage options go to the origin (scheme, host and port) of the table and to those of
  /// replacements. The metadata of a table that is not on this machine may name local files, and
  /// locations with `..`, only below a mapped prefix.
  ///
  /// @param from a prefix in the metadata, for example `hdfs://nn/warehouse/flights`
  /// @param to its replacement, for example `s3://bucket/flights`
  /// @return the changed dataset
  /// @throws IllegalArgumentException if `from` is empty or `to` contains a secret
  public IcebergDataset mapLocation(String from, String to) {
    return with(new Access(access.map.with(from, to), access.storage));
  }

  /// Sets an option of the stores that hold the table's files, as
  /// [StructuredDataset#storageOption(String, String)]. It overrides the catalog; if it sets
  /// credentials, those from the catalog are not used. Other origins than that of the table get it
  /// only if a location is [mapped][#mapLocation] to them.
  ///
  /// @param key an option, for example `endpoint` or `access-key-id`
  /// @param value its value, which replaces an earlier one
  /// @return the changed dataset
  /// @throws IllegalArgumentException if no store here takes the option
  public IcebergDataset storageOption(String key, String value) {
    StorageOptions.NONE.with(key, value);
    var _ = new StructuredDataset(".").storageOption(key, value); // which checks that it exists
    Map<String, String> storage = new TreeMap<>(access.storage);
    storage.put(key, value);
    return with(new Access(access.map, storage));
  }

  private IcebergDataset with(Access changed) {
    return new IcebergDataset(source, when, schemaId, changed, metadataColumns, scanFilter);
  }

  /// Adds metadata columns after the table's own: `_file` and `_pos` (where a row is stored), and
  /// in format version 3 `_row_id` and `_last_updated_sequence_number`.
  ///
  /// @param names the columns
  /// @return the changed dataset
  public IcebergDataset metadataColumns(String... names) {
    return new IcebergDataset(source, when, schemaId, access, List.of(names), scanFilter);
  }

  /// Replaces the filter for planning: files that this expression rules out are not read, whatever
  /// the dataset's filter says. Without it, the dataset's filter is translated; parts without a
  /// translation rule nothing out.
  ///
  /// @param expression the expression for planning, for example
  ///   `Expressions.equal(Expressions.bucket("id", 16), 3)`, or `Expressions.alwaysTrue()` to push
  ///   nothing
  /// @return the changed dataset
  public IcebergDataset scanFilter(Expression expression) {
    return new IcebergDataset(
        source,
        when,
        schemaId,
        access,
        metadataColumns,
        Optional.of(Objects.requireNonNull(expression)));
  }

  /// Returns the rows of the table at its snapshot. Opens the table on the first call.
  ///
  /// @return the dataset, with all columns
  /// @throws IllegalArgumentException if there is no such snapshot, branch, tag or schema
  /// @throws UncheckedIOException if the catalog has no such table, does not answer or denies
  ///   access, or the table cannot be read
  public StructuredDataset dataset() {
    return new StructuredDataset(pinned());
  }

  /// Returns the snapshot that is read. Opens the table on the first call.
  ///
  /// @return its id; empty for a table without snapshots, which has no rows
  /// @throws IllegalArgumentException as [#dataset()]
  /// @throws UncheckedIOException as [#dataset()]
  public OptionalLong snapshotId() {
    return pinned().snapshotId();
  }

  synchronized PinnedTable pinned() {
    PinnedTable known = pinned;
    if (known == null) {
      try {
        known =
            PinnedTable.of(
                source,
                source.load(access.properties()),
                when,
                schemaId,
                metadataColumns,
                scanFilter);
      } catch (IOException e) {
        throw new UncheckedIOException(e.getMessage(), e);
      }
      pinned = known;
    }
    return known;
  }

  /// Shows the table and its snapshot, and the columns if the table was opened already. Options of
  /// the catalog and the stores are never shown.
  @Override
  public String toString() {
    PinnedTable known = pinned;
    return "IcebergDataset %s, %s"
        .formatted(
            source.shown(),
            known == null
                ? when.asked() + ", not opened yet"
                : found(known.snapshotId()) + ", columns " + known.schema().summary());
  }

  private static String found(OptionalLong snapshot) {
    return snapshot.isPresent() ? "snapshot " + snapshot.getAsLong() : "no snapshot";
  }
}
