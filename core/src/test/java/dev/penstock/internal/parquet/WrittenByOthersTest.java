package dev.penstock.internal.parquet;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.internal.local.LocalStorage;
import dev.penstock.schema.DataType;
import dev.penstock.schema.Field;
import dev.penstock.schema.Schema;
import dev.penstock.spi.format.FileMetadata;
import dev.penstock.spi.storage.StorageFile;
import dev.penstock.storage.Location;
import dev.penstock.testing.Seeded;
import dev.penstock.testing.TestMemory;
import dev.penstock.testing.TestRows;
import java.io.IOException;
import java.math.BigInteger;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/// Files of pyarrow, polars, DuckDB and fastparquet with all encodings and codecs, that
/// `parquet/writers/make.py` made, against the values that it says they have.
class WrittenByOthersTest {
  private static final int ROWS = 300;

  private final ParquetFormat format = new ParquetFormat();

  /// The same formulas as in `make.py`.
  private static @Nullable Object value(Field field, int i) {
    return switch (field.name()) {
      case "i8" -> (long) (byte) (i * 37L);
      case "i32" -> (long) (int) (i * 2654435761L + 12345);
      case "i64" -> i * 0x9E3779B97F4A7C15L;
      case "step" -> 1000 + 3L * i;
      case "sparse" -> (i * 7) % 5 == 0 ? null : (Object) (97L * i * i);
      case "f32" -> i * 0.25f - 10;
      case "f64" -> i % 11 == 4 ? null : (Object) (i * 0.125 - 1000);
      case "text" -> text(field, "row-" + i / 3 + "-" + "x".repeat(i % 5));
      case "maybe" -> i % 3 == 1 ? null : "v".repeat(i % 40);
      case "raw" -> String.format("%02x", i % 256).repeat(i % 7);
      case "flag" -> i % 13 == 0 ? null : (Object) (i % 3 == 0);
      case "money" -> BigInteger.valueOf((i - 150) * 1_000_000_000_000L + i);
      case "day" -> i - 100L;
      case "time" -> i * 1_000_003L;
      case "fixed" -> String.format("%010x", (long) i * i);
      default -> throw new AssertionError(field);
    };
  }

  /// fastparquet writes text as plain bytes here.
  private static String text(Field field, String text) {
    return field.type() instanceof DataType.Binary
        ? HexFormat.of().formatHex(text.getBytes(StandardCharsets.UTF_8))
        : text;
  }

  static Stream<Path> files() throws IOException {
    try {
      Path script =
          Path.of(
              Objects.requireNonNull(
                      WrittenByOthersTest.class.getResource("/parquet/writers/make.py"))
                  .toURI());
      try (Stream<Path> files = Files.list(Objects.requireNonNull(script.getParent()))) {
        return files
            .filter(file -> file.toString().endsWith(".parquet"))
            .sorted()
            .toList()
            .stream();
      }
    } catch (URISyntaxException e) {
      throw new IOException(e);
    }
  }

  private List<List<@Nullable Object>> read(
      Path path, int first, int count, Random random, List<Field> columns) throws IOException {
    try (StorageFile file = new LocalStorage().open(Location.of(path))) {
      FileMetadata metadata = format.readMetadata(file);
      assertThat(metadata.rowCount()).isEqualTo(ROWS);
      columns.addAll(metadata.schema().fields());
      int most = 1 + random.nextInt(ROWS);
      return TestRows.read(
          format,
          file,
          metadata,
          Schema.of(columns),
          first,
          count,
          new TestMemory(64 << 20),
          () -> 1 + random.nextInt(most));
    }
  }

  @Test
  void allFilesAreThere() throws IOException {
    assertThat(files()).hasSize(13);
  }

  @Seeded(runs = 20)
  void everyValueIsTheOneThatWasWritten(Random random) throws IOException {
    for (Path path : files().toList()) {
      int first = random.nextInt(3) == 0 ? 0 : random.nextInt(ROWS);
      int count = first == 0 ? ROWS : random.nextInt(ROWS - first + 1);
      List<Field> columns = new ArrayList<>();
      List<List<@Nullable Object>> values = read(path, first, count, random, columns);
      for (int c = 0; c < columns.size(); c++) {
        Field field = columns.get(c);
        List<@Nullable Object> expected = new ArrayList<>();
        for (int i = first; i < first + count; i++) {
          expected.add(value(field, i));
        }
        assertThat(values.get(c))
            .as("%s of %s, rows [%s, %s)", field, path.getFileName(), first, first + count)
            .isEqualTo(expected);
      }
    }
  }
}
