package dev.penstock.score.parquet;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.internal.local.LocalStorage;
import dev.penstock.internal.parquet.ParquetFormat;
import dev.penstock.schema.Field;
import dev.penstock.schema.Schema;
import dev.penstock.spi.format.FileMetadata;
import dev.penstock.spi.storage.StorageFile;
import dev.penstock.storage.Location;
import dev.penstock.testing.JavaParquet;
import dev.penstock.testing.TestMemory;
import dev.penstock.testing.TestRows;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// What two readers find in a file: parquet-java's and ours.
final class ReadBack {
  private ReadBack() {}

  /// Asserts columns and values, which are in the form of [TestRows].
  static void requireSame(
      Path path, byte[] file, List<OutputColumn> columns, List<? extends List<?>> values)
      throws IOException {
    Files.write(path, file);
    Schema schema =
        Schema.of(columns.stream().map(c -> new Field(c.name(), c.type(), c.nullable())).toList());
    List<List<@Nullable Object>> ours = ours(path, schema);
    for (int i = 0; i < columns.size(); i++) {
      String name = columns.get(i).name();
      assertThat(ours.get(i)).as("%s, read by us", name).isEqualTo(values.get(i));
      assertThat(JavaParquet.column(path, name, columns.get(i).type()))
          .as("%s, read by parquet-java", name)
          .isEqualTo(values.get(i));
    }
  }

  private static List<List<@Nullable Object>> ours(Path path, Schema schema) throws IOException {
    ParquetFormat format = new ParquetFormat();
    try (StorageFile file = new LocalStorage().open(Location.of(path))) {
      FileMetadata metadata = format.readMetadata(file);
      assertThat(metadata.schema()).isEqualTo(schema);
      return TestRows.read(
          format,
          file,
          metadata,
          schema,
          0,
          metadata.rowCount(),
          new TestMemory(256 << 20),
          () -> 1000);
    }
  }
}
