package dev.penstock.blackbox.files;

import dev.penstock.spi.storage.FileEntry;
import dev.penstock.spi.storage.Storage;
import dev.penstock.spi.storage.StorageFile;
import dev.penstock.spi.storage.StorageOptions;
import dev.penstock.storage.Location;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/// A store of somebody else, as small as can be, which is not found by `ServiceLoader`: files in
/// memory, as `mem://NAME`.
public class HeldStorage implements Storage {
  private final Map<String, byte[]> files;
  private final String version;

  /// Made by `ServiceLoader` in a plugin.
  public HeldStorage() {
    this(Map.of("a.grid", GridFormat.file(2, 3, i -> i)), "");
  }

  /// Holds files by name.
  public HeldStorage(Map<String, byte[]> files, String version) {
    this.files = files;
    this.version = version;
  }

  @Override
  public List<String> schemes() {
    return List.of("mem");
  }

  @Override
  public Set<String> optionKeys() {
    return Set.of("mem-version");
  }

  @Override
  public Storage with(StorageOptions options) {
    return options.get("mem-version").<Storage>map(v -> new HeldStorage(files, v)).orElse(this);
  }

  @Override
  public Optional<FileEntry> stat(Location location) {
    return location.text().equals("mem://")
        ? Optional.of(FileEntry.folder(location))
        : Optional.ofNullable(files.get(name(location)))
            .map(bytes -> new FileEntry(location, bytes.length, false, version));
  }

  private static String name(Location location) {
    return location.text().substring("mem://".length());
  }

  @Override
  public List<FileEntry> list(Location folder) {
    List<FileEntry> all = new ArrayList<>();
    files.keySet().forEach(name -> stat(new Location("mem://" + name)).ifPresent(all::add));
    return all;
  }

  @Override
  public StorageFile open(Location location) {
    return new Held(location, MemorySegment.ofArray(files.get(name(location))), version);
  }

  private record Held(Location location, MemorySegment content, String version)
      implements StorageFile {
    @Override
    public long size() {
      return content.byteSize();
    }

    @Override
    public long read(long offset, MemorySegment target) {
      target.copyFrom(content.asSlice(offset, target.byteSize()));
      return target.byteSize();
    }

    @Override
    public void close() {}
  }
}
