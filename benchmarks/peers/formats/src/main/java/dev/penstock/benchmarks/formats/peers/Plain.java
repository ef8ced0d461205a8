package dev.penstock.benchmarks.formats.peers;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.zip.GZIPInputStream;

/// The text of files that may be in gzip.
final class Plain {
  private Plain() {}

  static InputStream open(Path file) throws IOException {
    InputStream bytes = Files.newInputStream(file);
    return file.toString().endsWith(".gz") ? new GZIPInputStream(bytes, 64 << 10) : bytes;
  }
}
