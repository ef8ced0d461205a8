package dev.penstock.internal.parquet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.penstock.internal.local.LocalStorage;
import dev.penstock.schema.Schema;
import dev.penstock.spi.format.FileMetadata;
import dev.penstock.spi.storage.StorageFile;
import dev.penstock.storage.Location;
import dev.penstock.testing.TestMemory;
import dev.penstock.testing.TestRows;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Conformance files whose values lie beside them as text, in order.
class ParquetExpectedTest {
  private static final Path FOLDER =
      Path.of(System.getProperty("penstock.shared", ""), "data", "parquet-testing", "data");

  private final ParquetFormat format = new ParquetFormat();

  @ParameterizedTest
  @ValueSource(
      strings = {
        "delta_binary_packed",
        "delta_byte_array",
        "delta_encoding_optional_column",
        "delta_encoding_required_column"
      })
  void everyValueIsTheOneInTheText(String name) throws IOException {
    Path path = FOLDER.resolve(name + ".parquet");
    assumeTrue(Files.exists(path), () -> "No conformance file " + path);
    List<String> lines = Files.readAllLines(FOLDER.resolve(name + "_expect.csv"));
    try (StorageFile file = new LocalStorage().open(Location.of(path))) {
      FileMetadata metadata = format.readMetadata(file);
      Schema schema = metadata.schema();
      long rows = metadata.rowCount();
      assertThat(lines).hasSize((int) rows + 1);
      for (int most : new int[] {1000, 7}) {
        List<List<@Nullable Object>> columns =
            TestRows.read(
                format, file, metadata, schema, 0, rows, new TestMemory(64 << 20), () -> most);
        for (int row = 0; row < rows; row++) {
          List<@Nullable String> cells = cells(lines.get(row + 1));
          assertThat(cells).hasSize(columns.size());
          for (int c = 0; c < columns.size(); c++) {
            Object value = columns.get(c).get(row);
            assertThat(value == null ? null : value.toString())
                .as("row %s, %s", row, schema.fields().get(c))
                .isEqualTo(cells.get(c));
          }
        }
      }
    }
  }

  /// Returns the cells of a line; an empty one without quotes is null.
  private static List<@Nullable String> cells(String line) {
    List<@Nullable String> cells = new ArrayList<>();
    int at = 0;
    while (at <= line.length()) {
      boolean quoted = at < line.length() && line.charAt(at) == '"';
      int end = quoted ? line.indexOf('"', at + 1) : line.indexOf(',', at);
      end = end < 0 ? line.length() : end;
      String cell = line.substring(quoted ? at + 1 : at, end);
      cells.add(cell.isEmpty() && !quoted ? null : cell);
      at = quoted ? end + 2 : end + 1;
    }
    return cells;
  }
}
