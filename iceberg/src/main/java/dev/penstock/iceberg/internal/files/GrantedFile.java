package dev.penstock.iceberg.internal.files;

import dev.penstock.spi.storage.FetchAdvice;
import dev.penstock.spi.storage.FileEntry;
import dev.penstock.spi.storage.StorageFile;
import dev.penstock.storage.Location;
import dev.penstock.storage.StorageException;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.LongConsumer;

/// An open file with access granted for a limited time: when the store says that access has
/// expired, the catalog is asked again and the read restarts.
final class GrantedFile implements StorageFile {
  private final TableFiles files;
  private final List<StorageFile> replaced = new ArrayList<>(); // other threads may be reading them
  private volatile Opened opened;

  /// The file as last opened.
  private record Opened(StorageFile file, long generation) {}

  GrantedFile(TableFiles files, StorageFile file, long generation) {
    this.files = files;
    this.opened = new Opened(file, generation);
  }

  @Override
  public Location location() {
    return opened.file.location();
  }

  @Override
  public long size() {
    return opened.file.size();
  }

  @Override
  public String version() {
    return opened.file.version();
  }

  @Override
  public Optional<FetchAdvice> advice() {
    return opened.file.advice();
  }

  @Override
  public long read(long offset, MemorySegment target) throws IOException {
    return read(offset, target, _ -> {});
  }

  @Override
  public long read(long offset, MemorySegment target, LongConsumer arrived) throws IOException {
    Opened last = opened;
    try {
      return last.file.read(offset, target, arrived);
    } catch (StorageException e) {
      if (e.kind() != StorageException.Kind.DENIED || !files.renew(last.generation)) {
        throw e;
      }
      return again(last).read(offset, target, arrived);
    }
  }

  /// Reopens the file, unless another thread did.
  private synchronized StorageFile again(Opened last) throws IOException {
    if (opened.generation == last.generation) {
      TableFiles.Current current = files.current(location());
      FileEntry entry = new FileEntry(location(), size(), false, version());
      opened = new Opened(current.storage().open(entry), current.generation());
      replaced.add(last.file);
    }
    return opened.file;
  }

  @Override
  public synchronized long retries() {
    return opened.file.retries() + replaced.stream().mapToLong(StorageFile::retries).sum();
  }

  @Override
  public synchronized void close() throws IOException {
    for (StorageFile file : replaced) {
      file.close();
    }
    opened.file.close();
  }
}
