package dev.penstock.internal.dataset;

import dev.penstock.internal.fetch.VirtualThreads;
import dev.penstock.internal.planfile.PlanOrigin;
import dev.penstock.internal.planfile.TablePlan;
import dev.penstock.internal.table.Discovery;
import dev.penstock.internal.table.FoundFile;
import dev.penstock.internal.table.Providers;
import dev.penstock.schema.MissingColumns;
import dev.penstock.schema.Schema;
import dev.penstock.spi.catalog.CatalogFile;
import dev.penstock.spi.catalog.CatalogTable;
import dev.penstock.spi.format.FileFormat;
import dev.penstock.spi.storage.StorageOptions;
import dev.penstock.storage.Location;
import java.io.IOException;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Where the list of a dataset's files comes from.
sealed interface Origin {
  /// Returns what a plan of the files is made of.
  ///
  /// @param formatName the name of the files' format
  default PlanOrigin planned(String formatName) {
    return switch (this) {
      case Folders folders ->
          new PlanOrigin(
              folders.locations().stream().map(Origin::full).toList(),
              "",
              formatName,
              folders.formatOptions(),
              folders.hive() ? Map.of("partitioning", "hive") : Map.of());
      case Catalog catalog ->
          new PlanOrigin(
              List.of(), catalog.table().version(), "", catalog.formatOptions(), Map.of());
      case Mixed _ -> throw new IllegalStateException("A mixture has no plan.");
    };
  }

  private static String full(String location) {
    return TablePlan.full(new Location(location)).text().replaceAll("(?<=[^/])/+$", "");
  }

  /// Files in folders, of one format or of one that is detected for each; if `hive`, folders are
  /// partitions. The options of the format are sorted by key.
  ///
  /// @param providers the formats and stores that the dataset may use
  record Folders(
      List<String> locations,
      Providers providers,
      Optional<FileFormat> format,
      Map<String, String> formatOptions,
      boolean hive,
      StorageOptions storage)
      implements Origin {
    Discovery.Listing listing() throws IOException {
      Discovery.Listing all =
          Discovery.list(locations, providers, format, hive, storage, new VirtualThreads());
      return new Discovery.Listing(
          all.files().stream().map(file -> file.with(formatOptions)).toList(), all.warning());
    }

    Folders with(FileFormat chosen) {
      return new Folders(locations, providers, Optional.of(chosen), formatOptions, hive, storage);
    }

    Folders with(Providers changed) {
      return new Folders(locations, changed, format, formatOptions, hive, storage);
    }

    Folders with(Map<String, String> changed) {
      return new Folders(locations, providers, format, changed, hive, storage);
    }

    Folders with(StorageOptions changed) {
      return new Folders(locations, providers, format, formatOptions, hive, changed);
    }

    Folders inHivePartitions() {
      return new Folders(locations, providers, format, formatOptions, true, storage);
    }
  }

  /// The files of other datasets. It is not known here what the mixture is; `numberColumn` has a
  /// row's source.
  record Mixed(Object mixture, List<DatasetSettings> sources, Optional<String> numberColumn)
      implements Origin {}

  /// A catalog that lists the files of a table, with its columns and the values of those that a
  /// file lacks. The options of the format are sorted by key.
  record Catalog(
      CatalogTable table, Schema schema, MissingColumns missing, Map<String, String> formatOptions)
      implements Origin {
    /// Returns the files in path order, whatever the catalog's order is.
    List<FoundFile> sorted(List<CatalogFile> files) {
      return files.stream()
          .map(this::found)
          .sorted(Comparator.comparing(file -> file.entry().location()))
          .toList();
    }

    private FoundFile found(CatalogFile file) {
      FoundFile found =
          new FoundFile(
              file.entry(),
              file.storage(),
              file.format(),
              List.of(),
              file.constants(),
              file.details(),
              file.live(),
              file.rows(),
              Map.of(),
              Optional.empty());
      return found.with(formatOptions);
    }
  }
}
