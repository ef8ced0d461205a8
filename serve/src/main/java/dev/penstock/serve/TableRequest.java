package dev.penstock.serve;

import static dev.penstock.serve.ClientOptions.AS_OF;
import static dev.penstock.serve.ClientOptions.CATALOG;
import static dev.penstock.serve.ClientOptions.MAP_LOCATION;
import static dev.penstock.serve.ClientOptions.METADATA;
import static dev.penstock.serve.ClientOptions.REF;
import static dev.penstock.serve.ClientOptions.STORAGE;
import static dev.penstock.serve.ClientOptions.TABLE;
import static dev.penstock.serve.ClientOptions.VERSION;

import dev.penstock.StructuredDataset;
import dev.penstock.delta.DeltaDataset;
import dev.penstock.iceberg.IcebergDataset;
import dev.penstock.internal.document.JsonFields;
import dev.penstock.spi.catalog.TableKind;
import java.time.Instant;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/// A table that a client asks for.
///
/// @param kind the table format; null until the location was looked at
/// @param location the folder of a Delta table, the metadata or folder of an Iceberg table, or its
///   name in the catalog; empty until the location is known
/// @param catalog the options of an Iceberg table's catalog; empty for one without
/// @param version the version of a Delta table or the snapshot of an Iceberg table
/// @param asOf the time whose version is read
/// @param ref the branch or tag of an Iceberg table
/// @param moves where a moved table's files are
/// @param storage the options of the stores
record TableRequest(
    @Nullable TableKind kind,
    String location,
    Map<String, String> catalog,
    OptionalLong version,
    @Nullable Instant asOf,
    @Nullable String ref,
    Map<String, String> moves,
    Map<String, String> storage) {
  /// Reads it; without fields it asks for nothing.
  static TableRequest read(JsonFields fields, Map<String, String> storage) {
    boolean isInCatalog = TABLE.isIn(fields);
    TableRequest request =
        new TableRequest(
            isInCatalog || METADATA.isIn(fields) ? TableKind.ICEBERG : null,
            isInCatalog
                ? TABLE.of(fields)
                : METADATA.isIn(fields)
                    ? AbsolutePaths.location("metadata", METADATA.of(fields))
                    : "",
            AbsolutePaths.catalog(ownValues(CATALOG.of(fields, Map.of()))),
            VERSION.isIn(fields) ? OptionalLong.of(VERSION.of(fields)) : OptionalLong.empty(),
            AS_OF.isIn(fields) ? AS_OF.of(fields) : null,
            REF.isIn(fields) ? REF.of(fields) : null,
            AbsolutePaths.moves(MAP_LOCATION.of(fields, Map.of())),
            storage);
    if (isInCatalog && request.catalog.isEmpty()) {
      throw new IllegalArgumentException(
          "Cannot find table '"
              + request.location
              + "': it has a name but no catalog. Give the catalog's options, or the table's metadata"
              + " instead of a name.");
    }
    fields.requireNoOthers();
    int choices =
        (request.version.isPresent() ? 1 : 0)
            + (request.asOf == null ? 0 : 1)
            + (request.ref == null ? 0 : 1);
    if (choices > 1) {
      throw new IllegalArgumentException(
          "Cannot use more than one of version, as_of and ref for one table.");
    }
    return request;
  }

  /// Refuses values that Iceberg takes from the process's environment and sends to the catalog:
  /// that of the server is not for clients.
  private static Map<String, String> ownValues(Map<String, String> options) {
    options.forEach((key, value) -> {
      if (value.startsWith("env:")) {
        throw new IllegalArgumentException(
            "Cannot use catalog option "
                + key
                + ": it names a variable of the environment, but the server's is not the client's."
                + " Give the value, as of os.environ.");
      }
    });
    return options;
  }

  /// Returns whether the table is named, rather than found at a location.
  boolean isNamed() {
    return kind != null;
  }

  /// Returns the request for the table that is at a location.
  TableRequest at(TableKind found, String uri) {
    return new TableRequest(found, uri, catalog, version, asOf, ref, moves, storage);
  }

  /// Refuses options of a table where there is none.
  void requireUnused() {
    boolean used =
        version.isPresent()
            || asOf != null
            || ref != null
            || !catalog.isEmpty()
            || !moves.isEmpty();
    if (used) {
      throw new IllegalArgumentException(
          "Cannot use version, as_of, ref, catalog or map_location without a table: name its folder"
              + " alone, without a format or partitioning.");
    }
  }

  /// Opens the table.
  ///
  /// @throws IllegalArgumentException if the module for it is not installed
  StructuredDataset dataset() {
    TableKind format = Objects.requireNonNull(kind);
    try {
      return switch (format) {
        case DELTA -> Delta.open(this);
        case ICEBERG -> Iceberg.open(this);
      };
    } catch (NoClassDefFoundError e) {
      throw new IllegalArgumentException(
          "Cannot read "
              + location
              + ": its module is not there. Add the dependency 'dev.penstock:penstock-"
              + format.name().toLowerCase(Locale.ROOT)
              + "'.",
          e);
    }
  }

  /// Loaded only where a Delta table is asked for: its module may be absent.
  private static final class Delta {
    static StructuredDataset open(TableRequest request) {
      if (request.ref != null || !request.catalog.isEmpty()) {
        throw new IllegalArgumentException("Cannot use ref or catalog with a Delta table.");
      }
      DeltaDataset table = DeltaDataset.table(request.location);
      table = MAP_LOCATION.set(table, request.moves, Request.each(DeltaDataset::mapLocation));
      table = STORAGE.set(table, request.storage, Request.each(DeltaDataset::storageOption));
      if (request.version.isPresent()) {
        table = table.version(request.version.getAsLong());
      }
      return (request.asOf == null ? table : table.asOf(request.asOf)).dataset();
    }
  }

  /// Loaded only where an Iceberg table is asked for: its module may be absent.
  private static final class Iceberg {
    static StructuredDataset open(TableRequest request) {
      IcebergDataset table =
          request.catalog.isEmpty()
              ? IcebergDataset.metadata(request.location)
              : IcebergDataset.table(request.location, request.catalog);
      table = MAP_LOCATION.set(table, request.moves, Request.each(IcebergDataset::mapLocation));
      table = STORAGE.set(table, request.storage, Request.each(IcebergDataset::storageOption));
      if (request.version.isPresent()) {
        table = table.snapshot(request.version.getAsLong());
      }
      table = request.asOf == null ? table : table.asOf(request.asOf);
      return (request.ref == null ? table : table.ref(request.ref)).dataset();
    }
  }
}
