package dev.penstock.orc;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.penstock.schema.DataType;
import dev.penstock.schema.Field;
import dev.penstock.schema.Schema;
import dev.penstock.spi.format.FileMetadata;
import dev.penstock.spi.storage.StorageFile;
import dev.penstock.testing.BytesFile;
import dev.penstock.testing.TestMemory;
import dev.penstock.testing.TestRows;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.IntSupplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// ORC's own example files, and how tests read them.
final class OrcFiles {
  static final OrcFormat FORMAT = new OrcFormat();
  private static final long MEMORY_BYTES = 64 << 20;

  private OrcFiles() {}

  /// Returns the files of a folder of the examples that have an ending.
  static List<Path> examples(String folder, String ending) throws IOException {
    Path path = Path.of(System.getProperty("penstock.shared", ""), "data", "orc", folder);
    assumeTrue(Files.isDirectory(path), () -> "No example files at " + path);
    try (Stream<Path> files = Files.list(path)) {
      return files.filter(file -> file.toString().endsWith(ending)).sorted().toList();
    }
  }

  static StorageFile open(Path path) throws IOException {
    return new BytesFile(Files.readAllBytes(path));
  }

  /// Returns the columns that can be read.
  static Schema readable(FileMetadata metadata) {
    return Schema.of(
        metadata.schema().fields().stream()
            .filter(field -> !(field.type() instanceof DataType.Unsupported))
            .toList());
  }

  /// Reads all rows, column by column.
  static List<List<@Nullable Object>> read(
      StorageFile file, FileMetadata metadata, Schema columns, IntSupplier maxRows)
      throws IOException {
    return read(file, metadata, columns, 0, metadata.rowCount(), maxRows);
  }

  static List<List<@Nullable Object>> read(
      StorageFile file,
      FileMetadata metadata,
      Schema columns,
      long first,
      long count,
      IntSupplier maxRows)
      throws IOException {
    TestMemory memory = new TestMemory(MEMORY_BYTES);
    return TestRows.read(FORMAT, file, metadata, columns, first, count, memory, maxRows);
  }

  /// Asserts that good rows are not refused where it is the memory that is.
  static void requireRefusals(
      StorageFile file, FileMetadata metadata, Schema columns, int mostTakes) {
    TestMemory enough = new TestMemory(MEMORY_BYTES);
    TestRows.requireRefusals(
        FORMAT, file, metadata, columns, metadata.rowCount(), enough, mostTakes);
  }

  static Schema one(Field field) {
    return Schema.of(List.of(field));
  }
}
