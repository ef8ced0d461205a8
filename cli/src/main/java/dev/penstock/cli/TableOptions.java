package dev.penstock.cli;

import dev.penstock.StructuredDataset;
import dev.penstock.delta.DeltaDataset;
import dev.penstock.iceberg.IcebergDataset;
import dev.penstock.spi.catalog.TableTime;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/// A table to read instead of files: an Iceberg table that is named, or a table at a URI.
final class TableOptions {
  @Option(
      names = "--table",
      paramLabel = "NAME",
      description = "Iceberg table in a catalog, such as db.flights, instead of URIs.")
  private @Nullable String table;

  @Option(
      names = "--catalog",
      paramLabel = "KEY=VALUE",
      description =
          "Option of the table's catalog, repeatable: type (rest, jdbc, glue or hive), uri,"
              + " warehouse, token, credential, ..., as Iceberg's catalogs take them. @env:NAME"
              + " stands for an environment variable. Secrets are never printed.")
  private List<String> catalog = new ArrayList<>();

  @Option(
      names = "--catalog-file",
      paramLabel = "FILE",
      description = "Options of the catalog, a KEY=VALUE a line, repeatable.")
  private List<Path> catalogFiles = new ArrayList<>();

  @Option(
      names = "--metadata",
      paramLabel = "FILE",
      description = "Metadata file of an Iceberg table, or its folder, instead of URIs.")
  private @Nullable String metadata;

  @Option(
      names = "--snapshot",
      paramLabel = "ID",
      description =
          "Snapshot of an Iceberg table, or version of a Delta table. Default: the current one.")
  private @Nullable Long snapshot;

  @Option(
      names = "--as-of",
      paramLabel = "TIME",
      description =
          "The table as it was at a time, such as 2026-11-01T12:00:00Z; without a zone in UTC.")
  private @Nullable String asOf;

  @Option(names = "--ref", paramLabel = "NAME", description = "The table at a branch or tag.")
  private @Nullable String ref;

  @Option(
      names = "--map-location",
      paramLabel = "FROM=TO",
      description =
          "Where a moved table's files are: locations in its metadata that start with FROM are read"
              + " below TO. Local files and other hosts that a table names are allowed so, too:"
              + " FROM=FROM. May be repeated.")
  private List<String> moves = new ArrayList<>();

  /// Returns whether a table is named instead of files.
  boolean isGiven() {
    return table != null || metadata != null;
  }

  private boolean hasCatalog() {
    return !catalog.isEmpty() || !catalogFiles.isEmpty();
  }

  /// Refuses options that need a table.
  void requireUnused() {
    boolean used =
        hasCatalog() || snapshot != null || asOf != null || ref != null || !moves.isEmpty();
    if (used) {
      throw new UsageException(
          "Cannot use --catalog, --snapshot, --as-of, --ref or --map-location without a table: add"
              + " --table or --metadata, or name the folder of a table.");
    }
  }

  /// Opens the table.
  ///
  /// @param storage the storage options
  StructuredDataset dataset(Map<String, String> storage) {
    return at(access(source(), storage)).dataset();
  }

  /// Opens the Delta table in a folder.
  StructuredDataset delta(String uri, Map<String, String> storage) {
    if (hasCatalog() || ref != null) {
      throw new UsageException(
          "Cannot use --catalog or --ref with '" + uri + "': it is a Delta table.");
    }
    requireOneChoice();
    return UsageException.blame(
            () -> {
              DeltaDataset table = DeltaDataset.table(uri);
              for (String move : moves) {
                table =
                    table.mapLocation(KeyValues.key("--map-location", move), KeyValues.value(move));
              }
              for (Map.Entry<String, String> option : storage.entrySet()) {
                table = table.storageOption(option.getKey(), option.getValue());
              }
              return snapshot != null
                  ? table.version(snapshot)
                  : asOf != null ? table.asOf(time(asOf)) : table;
            })
        .dataset();
  }

  /// Opens the Iceberg table in a folder.
  StructuredDataset iceberg(String uri, Map<String, String> storage) {
    if (hasCatalog()) {
      throw new UsageException(
          "Cannot use --catalog with '"
              + uri
              + "': a table named by its folder is read without a catalog.");
    }
    return at(access(IcebergDataset.metadata(uri), storage)).dataset();
  }

  private IcebergDataset source() {
    if (table != null && metadata != null) {
      throw new UsageException("Cannot use --table with --metadata: name the table one way.");
    }
    if (metadata != null) {
      if (hasCatalog()) {
        throw new UsageException(
            "Cannot use --catalog with --metadata: the metadata is read without a catalog.");
      }
      return IcebergDataset.metadata(metadata);
    }
    Map<String, String> options = KeyValues.of("--catalog", catalogFiles, catalog);
    return UsageException.blame(() -> IcebergDataset.table(Objects.requireNonNull(table), options));
  }

  private IcebergDataset access(IcebergDataset source, Map<String, String> storage) {
    return UsageException.blame(() -> {
      IcebergDataset dataset = source;
      for (String move : moves) {
        dataset = dataset.mapLocation(KeyValues.key("--map-location", move), KeyValues.value(move));
      }
      for (Map.Entry<String, String> option : storage.entrySet()) {
        dataset = dataset.storageOption(option.getKey(), option.getValue());
      }
      return dataset;
    });
  }

  private void requireOneChoice() {
    int choices = (snapshot == null ? 0 : 1) + (asOf == null ? 0 : 1) + (ref == null ? 0 : 1);
    if (choices > 1) {
      throw new UsageException("Cannot use more than one of --snapshot, --as-of and --ref.");
    }
  }

  private IcebergDataset at(IcebergDataset dataset) {
    requireOneChoice();
    return snapshot != null
        ? dataset.snapshot(snapshot)
        : asOf != null ? dataset.asOf(time(asOf)) : ref != null ? dataset.ref(ref) : dataset;
  }

  private static Instant time(String text) {
    try {
      return TableTime.parse(text);
    } catch (IllegalArgumentException e) {
      throw new UsageException(
          "Cannot use --as-of '" + text + "': expected a time such as 2026-11-01T12:00:00Z.");
    }
  }
}
