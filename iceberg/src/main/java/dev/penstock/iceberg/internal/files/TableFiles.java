package dev.penstock.iceberg.internal.files;

import dev.penstock.advice.Advice;
import dev.penstock.spi.catalog.Installed;
import dev.penstock.spi.catalog.TableLocations;
import dev.penstock.spi.storage.FileEntry;
import dev.penstock.spi.storage.Storage;
import dev.penstock.spi.storage.StorageFile;
import dev.penstock.spi.storage.StorageOptions;
import dev.penstock.storage.Location;
import dev.penstock.storage.StorageException;
import java.io.IOException;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Opens the files that a table's metadata names, from our stores.
///
/// Names are mapped first, if the table was moved. The stores' options come from the user and the
/// catalog, and [TableLocations] says which go where. Grants of limited time are renewed before
/// they expire, and when a store says that they have expired.
///
/// **Threads.** Safe for any.
public final class TableFiles implements ReadFiles {
  /// Asks the catalog again for its grants.
  @FunctionalInterface
  public interface Renewal {
    StoreAccess ask() throws IOException;
  }

  private final Storage storage = new TableStorage(this);
  private volatile TableLocations locations;
  private StoreAccess access;
  private @Nullable Renewal renewal;
  private long generation;

  private TableFiles(TableLocations locations, StoreAccess access) {
    this.locations = locations;
    this.access = access;
  }

  /// Reads the location map and the store options from the properties of a FileIO. Until [#at] says
  /// where the table is, all that is read counts as named by the user or the catalog.
  public static TableFiles of(Map<String, String> properties) {
    StoreAccess access = StoreAccess.of(properties);
    return new TableFiles(
        TableLocations.named(MoveProperties.read(properties), access.told()), access);
  }

  /// Says where the table is: from now on its metadata names the files.
  ///
  /// @param table a metadata file or the table's folder, as the user or the catalog names it
  public synchronized void at(String table) {
    locations = locations.at(table);
  }

  @Override
  public StorageFile open(String path) throws IOException {
    return storage.open(location(path));
  }

  @Override
  public FileEntry stat(String path) throws IOException {
    Location location = location(path);
    return storage
        .stat(location)
        .filter(entry -> !entry.folder())
        .orElseThrow(() ->
            new StorageException(
                StorageException.Kind.MISSING,
                ("Cannot read '%s': there is no such file. Restore it, or map the table's"
                        + " location if it was moved.")
                    .formatted(location),
                null));
  }

  @Override
  public Storage store(String path) {
    return storage;
  }

  /// Returns where a file is.
  ///
  /// @throws StorageException if the metadata must not name it
  public Location location(String path) throws StorageException {
    return locations.find(path);
  }

  /// Sets how to renew grants.
  public synchronized void renewBy(Renewal asking) {
    renewal = asking;
  }

  /// Replaces the options of stores.
  public synchronized void grant(StoreAccess fresh) {
    access = fresh;
    generation++;
  }

  public synchronized StoreAccess access() {
    return access;
  }

  /// A store with its current options.
  record Current(Storage storage, long generation, boolean ends) {}

  /// Returns the store that holds a file, with its current options.
  synchronized Current current(Location location) throws IOException {
    if (renewal != null && access.endsSoon(location)) {
      renew(generation);
    }
    try {
      Storage store = Installed.store(location, options(location));
      return new Current(store, generation, renewal != null && access.isGranted());
    } catch (IllegalArgumentException e) {
      throw new IOException(e.getMessage(), e);
    }
  }

  /// Returns the options for a file's store.
  private synchronized StorageOptions options(Location location) {
    return access.options(location, locations.isNamed(location));
  }

  /// Returns what an error says in addition where access is denied.
  synchronized Optional<Advice> missing(Location location) {
    return access.missing(options(location));
  }

  /// Renews the grants, unless they were renewed since.
  ///
  /// @param refused the generation that a store refused
  /// @return false if there is no catalog to ask
  synchronized boolean renew(long refused) throws IOException {
    if (renewal == null) {
      return false;
    }
    if (refused == generation) {
      grant(renewal.ask());
    }
    return true;
  }
}
