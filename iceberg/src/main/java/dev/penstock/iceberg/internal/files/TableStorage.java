package dev.penstock.iceberg.internal.files;

import dev.penstock.advice.Advice;
import dev.penstock.spi.storage.FileEntry;
import dev.penstock.spi.storage.Storage;
import dev.penstock.spi.storage.StorageFile;
import dev.penstock.storage.Location;
import dev.penstock.storage.StorageException;
import java.io.IOException;
import java.util.List;
import java.util.Optional;

/// The stores that hold a table's files, with current options at each request.
///
/// A file that was not looked up yet is looked up when it is opened: its size comes from the store,
/// not from a manifest.
record TableStorage(TableFiles files) implements Storage {
  /// A request to the store that holds a file.
  @FunctionalInterface
  private interface Request<T> {
    T ask(Storage store) throws IOException;
  }

  /// Makes the request, and repeats it once if the access has expired.
  private <T> T ask(Location location, Request<T> request) throws IOException {
    TableFiles.Current current = files.current(location);
    try {
      return request.ask(current.storage());
    } catch (StorageException e) {
      if (e.kind() != StorageException.Kind.DENIED) {
        throw e;
      }
      if (!current.ends() || !files.renew(current.generation())) {
        throw denied(location, e);
      }
      try {
        return request.ask(files.current(location).storage());
      } catch (StorageException again) {
        throw again.kind() == StorageException.Kind.DENIED ? denied(location, again) : again;
      }
    }
  }

  private StorageException denied(Location location, StorageException e) {
    return files
        .missing(location)
        .map(missing -> new StorageException(e.kind(), Advice.of("%s %s", e.advice(), missing), e))
        .orElse(e);
  }

  @Override
  public List<String> schemes() {
    return List.of();
  }

  @Override
  public Optional<FileEntry> stat(Location location) throws IOException {
    return ask(location, store -> store.stat(location));
  }

  @Override
  public List<FileEntry> list(Location folder) throws IOException {
    return ask(folder, store -> store.list(folder));
  }

  @Override
  public StorageFile open(Location location) throws IOException {
    return granted(ask(location, store -> store.open(location)));
  }

  @Override
  public StorageFile open(FileEntry file) throws IOException {
    return file.version().isEmpty()
        ? open(file.location())
        : granted(ask(file.location(), store -> store.open(file)));
  }

  private StorageFile granted(StorageFile open) throws IOException {
    TableFiles.Current current = files.current(open.location());
    return current.ends() ? new GrantedFile(files, open, current.generation()) : open;
  }
}
