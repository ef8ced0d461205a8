package dev.penstock.iceberg.internal.files;

import dev.penstock.spi.format.FilePlace;
import dev.penstock.storage.Location;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.zip.GZIPInputStream;
import org.apache.iceberg.inmemory.InMemoryInputFile;
import org.apache.iceberg.io.SeekableInputStream;

/// Refuses a table's compressed metadata file before anybody makes a tree of it if it decompresses
/// to far more than those of real tables do.
final class GzipMetadata {
  /// It may always decompress to this many bytes, and to more only if it has many stored.
  private static final long BYTES_FREE = 64 << 20;

  private static final long RATIO_MAX = 64;

  private GzipMetadata() {}

  /// Returns a file's bytes, checked if its name says that Iceberg decompresses them.
  static SeekableInputStream bounded(SeekableInputStream in, String location) {
    if (!location.endsWith(".gz.metadata.json") && !location.endsWith(".metadata.json.gz")) {
      return in;
    }
    try (in) {
      byte[] bytes = in.readAllBytes();
      requireBounded(bytes, location);
      return new InMemoryInputFile(location, bytes).newStream();
    } catch (IOException e) {
      throw new UncheckedIOException(e.getMessage(), e);
    }
  }

  private static void requireBounded(byte[] bytes, String location) throws IOException {
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
              ("Unsupported Iceberg metadata: its %s bytes decompress to more than %s. Write"
                      + " it without compression, or restore the file.")
                  .formatted(bytes.length, most));
    }
  }
}
