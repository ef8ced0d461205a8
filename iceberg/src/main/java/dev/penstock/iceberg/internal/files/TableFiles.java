package dev.penstock.iceberg.internal.files;

import dev.penstock.spi.catalog.Installed;
import dev.penstock.spi.storage.FileEntry;
import dev.penstock.spi.storage.Storage;
import dev.penstock.spi.storage.StorageFile;
import dev.penstock.storage.Location;
import dev.penstock.storage.StorageException;
import java.io.IOException;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Opens the files that a table's metadata names, from our stores.
///
/// Names are mapped first, where the table was moved. What the stores are told comes from the user
/// and from the catalog; what the catalog grants for a time is asked for again before it ends, and
/// when a store says that it has ended.
///
/// **Threads.** Safe for any.
public final class TableFiles implements ReadFiles {
  /// Asks the catalog again for what it grants.
  @FunctionalInterface
  public interface Renewal {
    StoreAccess ask() throws IOException;
  }

  private final LocationMap map;
  private final Storage storage = new TableStorage(this);
  private StoreAccess access;
  private @Nullable Renewal renewal;
  private long generation;

  private TableFiles(LocationMap map, StoreAccess access) {
    this.map = map;
    this.access = access;
  }

  /// Reads from the properties of a FileIO where files are and what stores are told.
  public static TableFiles of(Map<String, String> properties) {
    return new TableFiles(LocationMap.of(properties), StoreAccess.of(properties));
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
                "Cannot read '"
                    + location
                    + "': there is no such file. Restore it, or map the table's location if it was"
                    + " moved.",
                null));
  }

  @Override
  public Storage store(String path) {
    return storage;
  }

  /// Returns where a file is.
  ///
  /// @param path as the table's metadata names it
  public Location location(String path) {
    return new Location(map.apply(path));
  }

  /// Says how to ask for what is granted again.
  public synchronized void renewBy(Renewal asking) {
    renewal = asking;
  }

  /// Replaces what stores are told.
  public synchronized void grant(StoreAccess fresh) {
    access = fresh;
    generation++;
  }

  public synchronized StoreAccess access() {
    return access;
  }

  /// A store as it is told now.
  ///
  /// @param generation how often what it is told has changed
  /// @param ends whether what it is told is granted for a time
  record Current(Storage storage, long generation, boolean ends) {}

  /// Returns the store that has a file, told what holds now.
  synchronized Current current(Location location) throws IOException {
    if (renewal != null && access.endsSoon(location)) {
      renew(generation);
    }
    try {
      Storage store = Installed.store(location, access.options(location));
      return new Current(store, generation, renewal != null && access.isGranted());
    } catch (IllegalArgumentException e) {
      throw new IOException(e.getMessage(), e);
    }
  }

  /// Asks for what is granted again, unless that was done since.
  ///
  /// @param refused the generation that a store refused
  /// @return false if nobody can be asked
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
