package dev.penstock.orc;

import dev.penstock.format.MalformedFileException;
import dev.penstock.spi.format.FileMetadata;
import dev.penstock.spi.storage.StorageFile;
import java.io.IOException;
import java.nio.file.Path;

/// Reads files in a JVM of its own and prints for each the error that it gives.
final class SmallHeap {
  private SmallHeap() {}

  /// Arguments: for each file its path and the row to start with.
  public static void main(String[] arguments) throws IOException {
    for (int i = 0; i < arguments.length; i += 2) {
      try (StorageFile file = OrcFiles.open(Path.of(arguments[i]))) {
        FileMetadata metadata = OrcFiles.FORMAT.readMetadata(file);
        long first = Long.parseLong(arguments[i + 1]);
        long rows = Math.min(metadata.rowCount() - first, 1 << 16);
        OrcFiles.read(file, metadata, metadata.schema(), first, rows, () -> 1000);
        System.out.println("read");
      } catch (MalformedFileException e) {
        System.out.println(e.getMessage());
      }
    }
  }
}
