package dev.penstock.iceberg.internal.files;

import dev.penstock.spi.format.FilePlace;
import dev.penstock.storage.Location;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.zip.GZIPInputStream;
import org.apache.iceberg.io.SeekableInputStream;
import org.jspecify.annotations.Nullable;

/// A table's compressed metadata file, refused before anybody makes a tree of it if it decompresses
/// to far more than those of real tables do.
final class GzipMetadata extends SeekableInputStream {
  /// It may always decompress to this many bytes, and to more only if it has many stored.
  private static final long BYTES_FREE = 64 << 20;

  private static final long RATIO_MAX = 64;

  private final SeekableInputStream in;
  private final String location;
  private byte @Nullable [] stored;
  private int at;

  private GzipMetadata(SeekableInputStream in, String location) {
    this.in = in;
    this.location = location;
  }

  /// Returns a file's bytes, checked if its name says that Iceberg decompresses them.
  static SeekableInputStream bounded(SeekableInputStream in, String location) {
    return location.endsWith(".gz.metadata.json") || location.endsWith(".metadata.json.gz")
        ? new GzipMetadata(in, location)
        : in;
  }

  private byte[] stored() throws IOException {
    if (stored == null) {
      byte[] bytes = in.readAllBytes();
      requireBounded(bytes);
      stored = bytes;
    }
    return stored;
  }

  private void requireBounded(byte[] bytes) throws IOException {
    long most = Math.max(BYTES_FREE, RATIO_MAX * bytes.length);
    byte[] piece = new byte[64 << 10];
    long length = 0;
    try (InputStream text = new GZIPInputStream(new ByteArrayInputStream(bytes), piece.length)) {
      int count = 0;
      while (count >= 0 && length <= most) {
        length += count;
        count = text.read(piece);
      }
    } catch (IOException _) {
      return; // Iceberg says what is wrong.
    }
    if (length > most) {
      throw new FilePlace(new Location(location), "")
          .fail(
              -1,
              ("Unsupported Iceberg metadata: its %s bytes decompress to more than %s. Write"
                      + " it without compression, or restore the file.")
                  .formatted(bytes.length, most));
    }
  }

  @Override
  public long getPos() {
    return at;
  }

  @Override
  public void seek(long position) throws IOException {
    at = Math.toIntExact(Math.min(position, stored().length));
  }

  @Override
  public int read() throws IOException {
    byte[] bytes = stored();
    return at < bytes.length ? bytes[at++] & 0xff : -1;
  }

  @Override
  public int read(byte[] target, int offset, int length) throws IOException {
    byte[] bytes = stored();
    if (at == bytes.length) {
      return length == 0 ? 0 : -1;
    }
    int count = Math.min(length, bytes.length - at);
    System.arraycopy(bytes, at, target, offset, count);
    at += count;
    return count;
  }

  @Override
  public void close() throws IOException {
    in.close();
  }
}
