package dev.penstock.spi.catalog;

import dev.penstock.spi.storage.FileEntry;
import dev.penstock.spi.storage.Storage;
import dev.penstock.spi.storage.StorageOptions;
import dev.penstock.storage.Location;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Optional;

/// The table formats that a location is recognised as, by the names of its folders.
public enum TableKind {
  /// A Delta table, by its `_delta_log`.
  DELTA,
  /// An Iceberg table, by its `data` and the metadata files in `metadata`.
  ICEBERG;

  /// {@return the kind of table that a location is the folder of; empty if of none}
  ///
  /// @param uri the location
  /// @param options the options of its store
  /// @throws IllegalArgumentException if `uri` is not a location, or no module here reads its store
  /// @throws UncheckedIOException if the store cannot tell
  public static Optional<TableKind> at(String uri, StorageOptions options) {
    try {
      Location location = new Location(uri);
      Storage store = Installed.store(location, options);
      Optional<FileEntry> folder = store.stat(location).filter(FileEntry::folder);
      if (folder.isEmpty()) {
        return Optional.empty();
      }
      String root = folder.get().location().text();
      if (has(store, root, "_delta_log")) {
        return Optional.of(DELTA);
      }
      return has(store, root, "data") && hasMetadata(store, root)
          ? Optional.of(ICEBERG)
          : Optional.empty();
    } catch (IOException e) {
      throw new UncheckedIOException(e.getMessage(), e);
    }
  }

  /// Returns whether there is a metadata file of Iceberg: other datasets have such folders, too.
  private static boolean hasMetadata(Storage store, String root) throws IOException {
    return has(store, root, "metadata")
        && store.list(folder(root, "metadata")).stream()
            .anyMatch(file -> file.location().name().endsWith(".metadata.json"));
  }

  private static boolean has(Storage store, String root, String name) throws IOException {
    return store.stat(folder(root, name)).filter(FileEntry::folder).isPresent();
  }

  private static Location folder(String root, String name) {
    return new Location(root + (root.endsWith("/") ? "" : "/") + name);
  }
}
