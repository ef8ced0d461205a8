package dev.penstock.report.page;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Base64;
import java.util.zip.Deflater;
import java.util.zip.GZIPOutputStream;

/// Bytes as a page carries them: compressed with gzip, then Base64. Browsers undo both.
final class Packed {
  private Packed() {}

  /// Returns the packed text of bytes.
  static String of(byte[] bytes) {
    ByteArrayOutputStream compressed = new ByteArrayOutputStream();
    try (GZIPOutputStream gzip = new BestGzip(compressed)) {
      gzip.write(bytes);
    } catch (IOException failed) {
      throw new UncheckedIOException(failed); // not of memory
    }
    return Base64.getEncoder().encodeToString(compressed.toByteArray());
  }

  private static final class BestGzip extends GZIPOutputStream {
    BestGzip(ByteArrayOutputStream out) throws IOException {
      super(out);
      def.setLevel(Deflater.BEST_COMPRESSION);
    }
  }
}
