package dev.penstock.testing;

import dev.penstock.spi.storage.StorageFile;
import dev.penstock.storage.Location;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.Objects;

/// A file in memory. A read outside of it is a bug of the reader, not an error of the file.
public final class BytesFile implements StorageFile {
  private final byte[] bytes;
  private final String name;
  private long bytesRead;

  public BytesFile(byte[] bytes) {
    this(bytes, "file");
  }

  public BytesFile(byte[] bytes, String name) {
    this.bytes = bytes;
    this.name = name;
  }

  @Override
  public Location location() {
    return new Location("memory://" + name);
  }

  @Override
  public long size() {
    return bytes.length;
  }

  @Override
  public String version() {
    return "";
  }

  @Override
  public long read(long offset, MemorySegment target) throws IOException {
    Objects.checkFromIndexSize(offset, target.byteSize(), bytes.length);
    MemorySegment.copy(MemorySegment.ofArray(bytes), offset, target, 0, target.byteSize());
    bytesRead += target.byteSize();
    return target.byteSize();
  }

  /// Returns how many bytes were read in all.
  public long bytesRead() {
    return bytesRead;
  }

  @Override
  public void close() {}
}
