package org.example;

import dev.penstock.spi.storage.FileEntry;
import dev.penstock.spi.storage.Storage;
import dev.penstock.spi.storage.StorageFile;
import dev.penstock.storage.Location;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Optional;

/// A store of somebody else, of one file of some bytes for each [Mistake].
public final class OddStorage implements Storage {
  private static final byte[] BYTES =
      "an odd file".getBytes(java.nio.charset.StandardCharsets.UTF_8);

  /// Made by `ServiceLoader`.
  public OddStorage() {}

  @Override
  public List<String> schemes() {
    return List.of("odd");
  }

  private static FileEntry entry(Location location) {
    boolean isFolder = !location.text().endsWith(".odd");
    return isFolder
        ? FileEntry.folder(location)
        : new FileEntry(location, BYTES.length, false, "1");
  }

  @Override
  public Optional<FileEntry> stat(Location location) throws IOException {
    return Mistake.of(location.text()).stat(Optional.of(entry(location)));
  }

  @Override
  public List<FileEntry> list(Location folder) throws IOException {
    Location file = new Location(folder.text() + "/a.odd");
    return Mistake.of(folder.text()).list(List.of(entry(file)));
  }

  @Override
  public StorageFile open(Location location) throws IOException {
    Mistake mistake = Mistake.of(location.text());
    return mistake.open(new OpenFile(location, mistake, mistake.nextOpened()));
  }

  private record OpenFile(Location location, Mistake mistake, int before) implements StorageFile {
    @Override
    public long size() {
      return mistake.size(BYTES.length);
    }

    @Override
    public String version() {
      return mistake.version(before, "1");
    }

    @Override
    public long read(long offset, MemorySegment target) throws IOException {
      long length = Math.min(target.byteSize(), BYTES.length - offset);
      MemorySegment.copy(MemorySegment.ofArray(BYTES), offset, target, 0, length);
      return mistake.read(length);
    }

    @Override
    public void close() throws IOException {
      mistake.closeFile();
    }
  }
}
