package dev.penstock.delta.internal.log;

import dev.penstock.spi.catalog.Installed;
import dev.penstock.spi.catalog.TableLocations;
import dev.penstock.spi.storage.FileEntry;
import dev.penstock.spi.storage.Storage;
import dev.penstock.spi.storage.StorageFile;
import dev.penstock.storage.Location;
import dev.penstock.storage.StorageException;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// The files of a table, in our stores.
///
/// **Threads.** Safe for any.
///
/// @param locations where they may be, and the options of the stores there
public record TableFiles(TableLocations locations) {
  /// The most bytes of a file of the log, or a deletion vector: they are read as a whole.
  private static final long BYTES_MAX = 1L << 30;

  /// Returns where a file is.
  ///
  /// @throws StorageException if the log must not name it
  public Location location(String path) throws StorageException {
    return locations.find(path);
  }

  /// Returns the store of a file.
  public Storage store(Location location) throws IOException {
    try {
      return Installed.store(location, locations.options(location));
    } catch (IllegalArgumentException e) {
      throw new IOException(e.getMessage(), e);
    }
  }

  /// Looks a file up.
  ///
  /// @throws FileNotFoundException if there is none
  FileEntry stat(String path) throws IOException {
    Location location = location(path);
    Optional<FileEntry> entry = store(location).stat(location);
    if (entry.isEmpty() || entry.get().folder()) {
      throw new FileNotFoundException("Cannot read '" + location + "': there is no such file.");
    }
    return entry.get();
  }

  /// Lists the files of a folder, but not those below its folders.
  ///
  /// @throws FileNotFoundException if there is none
  public List<FileEntry> list(String path) throws IOException {
    Location folder = location(path);
    Storage store = store(folder);
    Optional<FileEntry> entry = store.stat(folder);
    if (entry.isEmpty()) {
      throw new FileNotFoundException("Cannot read '" + folder + "': there is no such folder.");
    }
    Location root = entry.get().location();
    List<FileEntry> files = new ArrayList<>(store.list(root, at -> isDirect(root, at)));
    files.removeIf(file -> !isDirect(root, file.location()));
    return files;
  }

  private static boolean isDirect(Location root, Location file) {
    String below = file.text().substring(root.text().length());
    return below.indexOf('/', below.startsWith("/") ? 1 : 0) < 0;
  }

  /// Reads a file as a whole.
  byte[] bytes(String path) throws IOException {
    try (StorageFile file = store(location(path)).open(location(path))) {
      return bytes(file, 0, file.size());
    }
  }

  /// Reads some bytes of a file.
  ///
  /// @param length how many, at least 0
  byte[] bytes(String path, long offset, long length) throws IOException {
    try (StorageFile file = store(location(path)).open(location(path))) {
      return bytes(file, offset, length);
    }
  }

  private static byte[] bytes(StorageFile file, long offset, long length) throws IOException {
    if (offset < 0 || length < 0 || offset > file.size() - length) {
      throw new IOException(
          ("Cannot read bytes [%s, %s) of %s: the file has %s. It was cut, or the table's"
                  + " log names other bytes.")
              .formatted(offset, offset + length, file.location(), file.size()));
    }
    if (length > BYTES_MAX) {
      throw new IOException(
          "Cannot read %s bytes of %s at once: at most %s."
              .formatted(length, file.location(), BYTES_MAX));
    }
    return file.bytes(offset, (int) length);
  }
}
