package dev.penstock.internal.parquet;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.internal.local.LocalStorage;
import dev.penstock.schema.Field;
import dev.penstock.schema.Schema;
import dev.penstock.spi.format.FileMetadata;
import dev.penstock.spi.storage.StorageFile;
import dev.penstock.storage.Location;
import dev.penstock.testing.Seeded;
import dev.penstock.testing.TestEncodings;
import dev.penstock.testing.TestMemory;
import dev.penstock.testing.TestRows;
import dev.penstock.testing.TestTables;
import dev.penstock.testing.TestTables.Layout;
import dev.penstock.testing.TestTables.Table;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.io.TempDir;

class ParquetRoundTripTest {
  private final ParquetFormat format = new ParquetFormat();
  @TempDir Path folder;

  @Seeded(runs = 200)
  void everyRowComesBackWhateverTheLayout(Random random) throws IOException {
    int rows = random.nextInt(1 + random.nextInt(3000));
    Table table = TestTables.random(random, 1 + random.nextInt(6), rows);
    Layout layout = Layout.random(random, rows);
    Path path = folder.resolve("table.parquet");
    TestTables.write(table, layout, path);
    try (StorageFile file = new LocalStorage().open(Location.of(path))) {
      FileMetadata metadata = format.readMetadata(file);
      assertThat(metadata.rowCount()).isEqualTo(rows);
      assertThat(metadata.schema()).isEqualTo(table.schema());
      TestRows.requireSame(random, format, file, metadata, table, table.schema(), 0, rows);
      for (int i = 0; i < 3; i++) {
        int first = random.nextInt(rows + 1);
        int count = random.nextInt(rows - first + 1);
        TestRows.requireSame(
            random, format, file, metadata, table, someColumns(random, table), first, count);
      }
      TestMemory enough = new TestMemory(64 << 20);
      TestRows.requireRefusals(format, file, metadata, table.schema(), rows, enough, 30);
    }
  }

  @Seeded(runs = 6)
  void largePagesOfManyColumnsComeBack(Random random) throws IOException {
    int rows = 12_000 + random.nextInt(2000);
    int pageRows = 3 * rows / 4; // 72 KB and more of 8 bytes each
    Table table = TestTables.random(random, 64, rows);
    Layout some = Layout.random(random, rows);
    Layout layout =
        new Layout(
            some.codec(), some.v2(), false, 1, pageRows, rows, some.crc(), TestEncodings.PLAIN);
    Path path = folder.resolve("large.parquet");
    TestTables.write(table, layout, path);
    try (StorageFile file = new LocalStorage().open(Location.of(path))) {
      FileMetadata metadata = format.readMetadata(file);
      TestRows.requireSame(random, format, file, metadata, table, table.schema(), 0, rows);
    }
  }

  private static Schema someColumns(Random random, Table table) {
    List<Field> fields = new ArrayList<>(table.schema().fields());
    Collections.shuffle(fields, random);
    return Schema.of(fields.subList(0, random.nextInt(fields.size() + 1)));
  }
}
