package dev.penstock.internal.parquet;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.spi.format.FileMetadata;
import dev.penstock.testing.BytesFile;
import dev.penstock.testing.Seeded;
import dev.penstock.testing.TestMemory;
import dev.penstock.testing.TestRows;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/// Arrays of a fixed size that DuckDB wrote, see `nested/generate_duckdb.py`: a null one has as
/// many levels as one with elements.
class ParquetDuckdbArraysTest {
  private static final int ROWS = 300;

  private final ParquetFormat format = new ParquetFormat();

  @Seeded(runs = 20)
  void nullArraysAreNull(Random random) throws IOException {
    try (InputStream in = getClass().getResourceAsStream("/nested/duckdb-arrays.parquet")) {
      BytesFile file = new BytesFile(Objects.requireNonNull(in).readAllBytes());
      FileMetadata metadata = format.readMetadata(file);
      int first = random.nextInt(ROWS);
      int count = random.nextInt(ROWS - first + 1);
      int most = 1 + random.nextInt(ROWS);
      TestMemory memory = new TestMemory(4 << 20);
      assertThat(
              TestRows.read(
                  format, file, metadata, metadata.schema(), first, count, memory, () -> most))
          .isEqualTo(
              List.of(
                  rows(first, count, ParquetDuckdbArraysTest::e),
                  rows(first, count, ParquetDuckdbArraysTest::grid),
                  rows(first, count, ParquetDuckdbArraysTest::pair),
                  rows(first, count, ParquetDuckdbArraysTest::many),
                  rows(first, count, _ -> null)));
    }
  }

  private static List<@Nullable Object> rows(
      int first, int count, IntFunction<@Nullable Object> row) {
    List<@Nullable Object> rows = new ArrayList<>();
    IntStream.range(first, first + count).forEach(i -> rows.add(row.apply(i)));
    return rows;
  }

  private static @Nullable Object e(int i) {
    return i % 3 == 1 ? null : Arrays.asList((float) i, i % 7 == 0 ? null : i + 0.5f, i * 2f);
  }

  private static @Nullable Object grid(int i) {
    return i % 5 == 2
        ? null
        : Arrays.asList(i % 4 == 0 ? null : List.of((long) i, 1L), List.of(2L, (long) i));
  }

  private static @Nullable Object pair(int i) {
    return i % 4 == 3
        ? null
        : Collections.singletonMap("a", i % 2 == 0 ? null : List.of((long) i, (long) i));
  }

  private static Object many(int i) {
    return rows(0, i % 4, j -> j % 2 == 1 ? null : Arrays.asList("t" + j, null));
  }
}
