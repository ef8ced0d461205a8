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
import dev.penstock.testing.TestNested;
import dev.penstock.testing.TestNested.Nested;
import dev.penstock.testing.TestRows;
import dev.penstock.testing.TestTables.Layout;
import dev.penstock.testing.TestTables.Table;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.io.TempDir;

/// Structs, lists and maps that parquet-java wrote.
class ParquetNestedTest {
  private final ParquetFormat format = new ParquetFormat();
  @TempDir Path folder;

  @Seeded(runs = 400)
  void everyRowComesBackWhateverTheShapeAndLayout(Random random) throws IOException {
    int rows = random.nextInt(1 + random.nextInt(1000));
    Nested nested = TestNested.random(random, 1 + random.nextInt(3), rows, 1 + random.nextInt(4));
    Table table = nested.table();
    Path path = folder.resolve("table.parquet");
    nested.write(Layout.random(random, rows), path);
    try (StorageFile file = new LocalStorage().open(Location.of(path))) {
      FileMetadata metadata = format.readMetadata(file);
      assertThat(metadata.schema()).isEqualTo(table.schema());
      TestRows.requireSame(random, format, file, metadata, table, table.schema(), 0, rows);
      for (int i = 0; i < 3; i++) {
        int first = random.nextInt(rows + 1);
        int count = random.nextInt(rows - first + 1);
        TestRows.requireSame(
            random, format, file, metadata, table, someColumns(random, table), first, count);
      }
    }
  }

  @Seeded(runs = 200)
  void rowsThatAreSkippedLeaveTheOthersAsTheyAre(Random random) throws IOException {
    int rows = random.nextInt(1 + random.nextInt(2000));
    Nested nested = TestNested.random(random, 1 + random.nextInt(3), rows, random.nextInt(3));
    Table table = nested.table();
    Path path = folder.resolve("table.parquet");
    nested.write(Layout.random(random, rows), path);
    boolean[] wanted = new boolean[rows];
    int stretch = 1 + random.nextInt(1 + random.nextInt(600));
    boolean want = random.nextBoolean();
    for (int i = 0; i < rows; i++) {
      want ^= random.nextInt(stretch) == 0;
      wanted[i] = want;
    }
    Schema columns = someColumns(random, table);
    int most = 1 + random.nextInt(1 + random.nextInt(2000));
    try (StorageFile file = new LocalStorage().open(Location.of(path))) {
      FileMetadata metadata = format.readMetadata(file);
      List<List<@Nullable Object>> values =
          TestRows.readSome(
              format, file, metadata, columns, wanted, new TestMemory(64 << 20), () -> most);
      for (int c = 0; c < columns.size(); c++) {
        List<@Nullable Object> all = table.values(columns.fields().get(c).name());
        List<@Nullable Object> some = new ArrayList<>();
        for (int row = 0; row < rows; row++) {
          if (wanted[row]) {
            some.add(all.get(row));
          }
        }
        assertThat(values.get(c)).as("%s", columns.fields().get(c)).isEqualTo(some);
      }
    }
  }

  /// Returns some columns or parts of structs, in any order.
  private static Schema someColumns(Random random, Table table) {
    List<String> names = new ArrayList<>();
    table.schema().fields().forEach(field -> addNames(field, "", names));
    Collections.shuffle(names, random);
    return Schema.of(
        names.subList(0, random.nextInt(Math.min(6, names.size()) + 1)).stream()
            .map(name -> table.schema().find(name).orElseThrow())
            .toList());
  }

  private static void addNames(Field field, String before, List<String> names) {
    names.add(before + field.name());
    if (field.type() instanceof DataType.Struct(List<Field> parts)) {
      parts.forEach(part -> addNames(part, before + field.name() + ".", names));
    }
  }
}
