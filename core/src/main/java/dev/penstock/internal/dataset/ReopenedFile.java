package dev.penstock.internal.dataset;

import dev.penstock.spi.storage.FileEntry;
import dev.penstock.spi.storage.Storage;
import dev.penstock.spi.storage.StorageFile;
import dev.penstock.storage.Location;
import java.io.IOException;
import java.lang.foreign.MemorySegment;

/// A file that is open only while it is read: a dataset, which reads it now and then, has no end.
record ReopenedFile(Storage store, FileEntry entry) implements StorageFile {
  @Override
  public Location location() {
    return entry.location();
  }

  @Override
  public long size() {
    return entry.bytes();
  }

  @Override
  public String version() {
    return entry.version();
  }

  @Override
  public long read(long offset, MemorySegment target) throws IOException {
    try (StorageFile opened = store.open(entry)) {
      return opened.read(offset, target);
    }
  }

  @Override
  public void close() {}
}
