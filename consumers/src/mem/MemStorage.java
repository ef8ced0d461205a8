// @start region=mem-storage
package com.example.mem;

import dev.penstock.spi.storage.FileEntry;
import dev.penstock.spi.storage.Storage;
import dev.penstock.spi.storage.StorageFile;
import dev.penstock.storage.Location;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.AtomicLong;

/// Files in memory, below `mem://`.
public final class MemStorage implements Storage {
  private static final Map<Location, MemFile> FILES = new ConcurrentSkipListMap<>();
  private static final AtomicLong VERSIONS = new AtomicLong();

  public static void put(Location location, byte[] content) {
    FILES.put(location, file(location, content));
  }

  public static void delete(Location location) {
    FILES.remove(location);
  }

  private static MemFile file(Location location, byte[] content) {
    return new MemFile(location, content.clone(), Long.toString(VERSIONS.incrementAndGet()));
  }

  private record MemFile(Location location, byte[] content, String version) implements StorageFile {
    @Override
    public long size() {
      return content.length;
    }

    @Override
    public long read(long offset, MemorySegment target) throws IOException {
      long length = target.byteSize();
      if (offset > content.length - length) {
        throw new IOException(
            "Cannot read bytes [%d, %d) of '%s': it has %d."
                .formatted(offset, offset + length, location, content.length));
      }
      MemorySegment.copy(MemorySegment.ofArray(content), offset, target, 0, length);
      return length;
    }

    @Override
    public void close() {}

    FileEntry entry() {
      return new FileEntry(location, content.length, false, version);
    }
  }

  @Override
  public List<String> schemes() {
    return List.of("mem");
  }

  private static String below(Location folder) {
    return folder.text().endsWith("/") ? folder.text() : folder.text() + "/";
  }

  @Override
  public Optional<FileEntry> stat(Location location) {
    MemFile file = FILES.get(location);
    if (file != null) {
      return Optional.of(file.entry());
    }
    return list(location).isEmpty() ? Optional.empty() : Optional.of(FileEntry.folder(location));
  }

  @Override
  public List<FileEntry> list(Location folder) {
    return FILES.values().stream()
        .filter(file -> file.location().text().startsWith(below(folder)))
        .map(MemFile::entry)
        .toList();
  }

  @Override
  public StorageFile open(Location location) throws IOException {
    MemFile file = FILES.get(location);
    if (file == null) {
      throw new IOException("Cannot read '" + location + "': there is no such file.");
    }
    return file;
  }

  @Override
  public boolean create(Location location, byte[] content) {
    return FILES.putIfAbsent(location, file(location, content)) == null;
  }
}
// @end
