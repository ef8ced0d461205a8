package dev.penstock.tck;

import dev.penstock.spi.storage.FileEntry;
import dev.penstock.spi.storage.Storage;
import dev.penstock.spi.storage.StorageFile;
import dev.penstock.storage.Location;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.function.LongConsumer;

/// Files in a map; right, but for one [StorageFault].
public final class MapStorage implements Storage {
  static final Map<String, byte[]> FILES = new ConcurrentSkipListMap<>();
  static volatile StorageFault fault = StorageFault.NONE;

  /// For `ServiceLoader`.
  public MapStorage() {}

  private static boolean has(StorageFault one) {
    return fault == one;
  }

  @Override
  public List<String> schemes() {
    return List.of("map");
  }

  private static String folder(Location location) {
    String text = location.text();
    return text.endsWith("/") ? text : text + "/";
  }

  private static String version(byte[] content) {
    if (has(StorageFault.VERSIONS_ARE_RANDOM)) {
      return UUID.randomUUID().toString();
    }
    return Integer.toString(
        has(StorageFault.VERSION_IS_THE_SIZE) ? content.length : Arrays.hashCode(content));
  }

  private static FileEntry entry(Location location, byte[] content) {
    return new FileEntry(location, content.length, false, version(content));
  }

  @Override
  public Optional<FileEntry> stat(Location location) {
    byte[] content = FILES.get(location.text());
    if (content != null) {
      return Optional.of(entry(location, content));
    }
    String start =
        has(StorageFault.BEGINNINGS_OF_NAMES_ARE_FILES) ? location.text() : folder(location);
    boolean isFolder = FILES.keySet().stream().anyMatch(name -> name.startsWith(start));
    return isFolder && !has(StorageFault.FOLDERS_ARE_NOTHING)
        ? Optional.of(FileEntry.folder(location))
        : Optional.empty();
  }

  @Override
  public List<FileEntry> list(Location folder) {
    String start =
        has(StorageFault.LIST_HAS_THE_NEIGHBOURS)
            ? folder.text().replaceFirst("/$", "")
            : folder(folder);
    List<FileEntry> files = new ArrayList<>();
    if (has(StorageFault.LIST_HAS_FOLDERS)) {
      files.add(FileEntry.folder(folder));
    }
    FILES.forEach((name, content) -> {
      boolean deep = name.indexOf('/', start.length()) >= 0;
      if (name.startsWith(start) && !(deep && has(StorageFault.LIST_IS_SHALLOW))) {
        files.add(entry(new Location(name), content));
      }
    });
    return files;
  }

  @Override
  public StorageFile open(Location location) throws IOException {
    byte[] content = FILES.get(location.text());
    if (content == null) {
      if (has(StorageFault.GONE_IS_A_BUG)) {
        throw new IllegalStateException("no content");
      }
      throw new IOException("Cannot read '" + location + "': it is gone.");
    }
    return new MapFile(location, content, version(content));
  }

  @Override
  public StorageFile open(FileEntry file) throws IOException {
    StorageFile open = open(file.location());
    return has(StorageFault.OLD_VERSION_IS_KEPT)
        ? new MapFile(file.location(), ((MapFile) open).content, file.version())
        : open;
  }

  @Override
  public boolean create(Location file, byte[] content) {
    if (has(StorageFault.CREATION_REPLACES)) {
      FILES.put(file.text(), content);
      return false;
    }
    byte[] there = FILES.putIfAbsent(file.text(), content);
    return there == null || has(StorageFault.CREATION_ALWAYS_SUCCEEDS);
  }

  private static final class MapFile implements StorageFile {
    private final Location location;
    private final byte[] content;
    private final String version;
    private volatile long reader;
    private volatile long first = -1;

    MapFile(Location location, byte[] content, String version) {
      this.location = location;
      this.content = content;
      this.version = version;
    }

    @Override
    public Location location() {
      return location;
    }

    @Override
    public long size() {
      return content.length;
    }

    @Override
    public String version() {
      return version;
    }

    @Override
    public long read(long offset, MemorySegment target) throws IOException {
      long length = target.byteSize();
      long there = Math.min(length, content.length - offset);
      if (there < length && has(StorageFault.END_IS_FILLED_WITH_ZEROS)) {
        return length;
      }
      if (there < length && !has(StorageFault.END_IS_A_BUG)) {
        throw new IOException(
            "Cannot read '%s': it has %d bytes."
                .formatted(
                    has(StorageFault.ERRORS_NAME_NOTHING) ? "the file" : location, content.length));
      }
      if (first < 0 || Thread.currentThread().threadId() == reader) {
        reader = Thread.currentThread().threadId();
        first = offset;
      }
      long from = has(StorageFault.THREADS_SHARE_A_POSITION) ? first : offset;
      copy(
          has(StorageFault.OFFSET_IS_IGNORED) ? 0 : from,
          target,
          has(StorageFault.READ_FILLS_A_PART) ? length / 2 : length);
      return length;
    }

    private void copy(long from, MemorySegment target, long length) {
      MemorySegment.copy(MemorySegment.ofArray(content), from, target, 0, length);
    }

    @Override
    public long read(long offset, MemorySegment target, LongConsumer arrived) throws IOException {
      long filled = read(offset, target);
      arrived.accept(1);
      if (!has(StorageFault.PROGRESS_STOPS_EARLY)) {
        arrived.accept(target.byteSize());
      }
      return filled;
    }

    @Override
    public void close() {}
  }
}
