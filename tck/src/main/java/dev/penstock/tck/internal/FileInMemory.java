package dev.penstock.tck.internal;

import dev.penstock.spi.storage.StorageFile;
import dev.penstock.storage.Location;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;

/// A local file that was read at once.
public final class FileInMemory implements StorageFile {
  private final Path path;
  private final byte[] bytes;
  private boolean closed;

  /// Reads a file.
  ///
  /// @param path the file
  /// @throws IOException if it cannot be read
  public FileInMemory(Path path) throws IOException {
    this.path = path;
    this.bytes = Files.readAllBytes(path);
  }

  @Override
  public Location location() {
    return Location.of(path);
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
  public long read(long offset, MemorySegment target) {
    if (offset < 0 || offset > bytes.length - target.byteSize()) {
      throw new AssertionError(
          "The format reads bytes [%d, %d) of a file of %d."
              .formatted(offset, offset + target.byteSize(), bytes.length));
    }
    MemorySegment.copy(MemorySegment.ofArray(bytes), offset, target, 0, target.byteSize());
    return target.byteSize();
  }

  /// {@return whether somebody has closed it}
  public boolean isClosed() {
    return closed;
  }

  @Override
  public void close() {
    closed = true;
  }
}
