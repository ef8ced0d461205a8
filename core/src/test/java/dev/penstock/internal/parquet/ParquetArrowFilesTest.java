package dev.penstock.internal.parquet;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.schema.Schema;
import dev.penstock.spi.format.FileMetadata;
import dev.penstock.testing.BytesFile;
import dev.penstock.testing.Seeded;
import dev.penstock.testing.TestMemory;
import dev.penstock.testing.TestRows;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Files that pyarrow wrote, see `nested/generate.py`: their rows go on from page to page.
class ParquetArrowFilesTest {
  private static final int ROWS = 300;

  private final ParquetFormat format = new ParquetFormat();

  private static BytesFile file(String name) throws IOException {
    String path = "/nested/" + name + ".parquet";
    try (InputStream in = ParquetArrowFilesTest.class.getResourceAsStream(path)) {
      return new BytesFile(Objects.requireNonNull(in, path).readAllBytes());
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"plain-v1", "dictionary-v1", "dictionary-v2"})
  void rowsAreWhatTheirNumbersSay(String name) throws IOException {
    BytesFile file = file(name);
    FileMetadata metadata = format.readMetadata(file);
    assertThat(metadata.schema())
        .hasToString(
            "[numbers: list<int64>, texts: list<string> not null,"
                + " points: list<struct<x: float64, y: list<int32>>>,"
                + " scores: map<string, int16> not null]");
    for (int most : new int[] {1, 7, 64, ROWS}) {
      assertThat(read(file, metadata, 0, ROWS, new Random(0), most)).isEqualTo(rows(0, ROWS));
    }
  }

  @Seeded(runs = 30)
  void anyRangeInAnySlicesHasTheSameRows(Random random) throws IOException {
    String[] names = {"plain-v1", "dictionary-v1", "dictionary-v2"};
    BytesFile file = file(names[random.nextInt(names.length)]);
    FileMetadata metadata = format.readMetadata(file);
    int first = random.nextInt(ROWS);
    int count = random.nextInt(ROWS - first + 1);
    int most = 1 + random.nextInt(50);
    assertThat(read(file, metadata, first, count, random, most)).isEqualTo(rows(first, count));
  }

  private List<List<@Nullable Object>> read(
      BytesFile file, FileMetadata metadata, int first, int count, Random random, int most)
      throws IOException {
    Schema all = metadata.schema();
    TestMemory memory = new TestMemory(4 << 20);
    return TestRows.read(
        format, file, metadata, all, first, count, memory, () -> 1 + random.nextInt(most));
  }

  private static List<List<@Nullable Object>> rows(int first, int count) {
    List<List<@Nullable Object>> columns = new ArrayList<>();
    for (int column = 0; column < 4; column++) {
      List<@Nullable Object> values = new ArrayList<>();
      for (int row = first; row < first + count; row++) {
        values.add(
            switch (column) {
              case 0 -> numbers(row);
              case 1 -> texts(row);
              case 2 -> points(row);
              default -> scores(row);
            });
      }
      columns.add(values);
    }
    return columns;
  }

  private static @Nullable Object numbers(int i) {
    List<@Nullable Object> list = new ArrayList<>();
    for (int j = 0; j < i * i % 23; j++) {
      list.add((i + j) % 7 == 0 ? null : i * 100L + j);
    }
    return i % 11 == 5 ? null : list;
  }

  private static Object texts(int i) {
    return IntStream.range(0, i * 5 % 17).mapToObj(j -> "t" + i * j % 97).toList();
  }

  private static @Nullable Object points(int i) {
    List<@Nullable Object> list = new ArrayList<>();
    for (int j = 0; j < i % 4; j++) {
      Map<String, Object> point = new LinkedHashMap<>();
      point.put("x", i + j / 4.0);
      point.put("y", IntStream.range(0, j).mapToObj(k -> (Object) (long) k).toList());
      list.add((i + j) % 5 == 0 ? null : point);
    }
    return i % 13 == 1 ? null : list;
  }

  private static Object scores(int i) {
    List<Object> entries = new ArrayList<>();
    for (int j = 0; j < i % 9; j++) {
      List<@Nullable Object> entry = new ArrayList<>();
      entry.add("k" + j);
      entry.add(j % 3 == 1 ? null : (long) (i - j));
      entries.add(entry);
    }
    return entries;
  }
}
