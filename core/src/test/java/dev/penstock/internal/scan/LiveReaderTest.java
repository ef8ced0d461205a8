package dev.penstock.internal.scan;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.internal.local.LocalStorage;
import dev.penstock.internal.parquet.ParquetFormat;
import dev.penstock.internal.table.TableFile;
import dev.penstock.internal.table.TableFiles;
import dev.penstock.schema.Schema;
import dev.penstock.spi.format.FileFormat;
import dev.penstock.spi.format.RowSet;
import dev.penstock.spi.format.SliceReader;
import dev.penstock.spi.storage.Storage;
import dev.penstock.spi.storage.StorageFile;
import dev.penstock.split.DataFileInfo;
import dev.penstock.split.RowRange;
import dev.penstock.storage.Location;
import dev.penstock.testing.Seeded;
import dev.penstock.testing.TestMemory;
import dev.penstock.testing.TestRows;
import dev.penstock.testing.TestTables;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.io.TempDir;

class LiveReaderTest {
  @TempDir private Path folder;

  @Seeded(runs = 60)
  void rowsThatAreLeftComeInTheirOrder(Random random) throws IOException {
    int rows = 1 + random.nextInt(600);
    TestTables.Table table = TestTables.random(random, 1 + random.nextInt(4), rows);
    Path path = folder.resolve("file.parquet");
    TestTables.write(table, TestTables.Layout.random(random, rows), path);
    boolean[] gone = new boolean[rows];
    int oneIn = 1 + random.nextInt(20);
    boolean areMostGone = random.nextBoolean();
    for (int row = 0; row < rows; row++) {
      gone[row] = areMostGone != (random.nextInt(oneIn) == 0);
    }
    RowSet live = RowSet.allBut(rows, LongStream.range(0, rows).filter(row -> gone[(int) row]));
    int left = (int) live.count();
    int first = random.nextInt(left + 1);
    int count = random.nextInt(left - first + 1);

    Storage storage = new LocalStorage();
    try (StorageFile file = storage.open(Location.of(path))) {
      FileFormat format = new ParquetFormat();
      TableFile whole =
          TableFiles.alone(
              new DataFileInfo(file.location(), file.size(), List.of()),
              file.version(),
              format.readMetadata(file),
              format,
              storage);
      TableFile tested = whole.only(live);
      Schema schema = whole.footer().schema();
      List<List<@Nullable Object>> found = new ArrayList<>();
      boolean[] isRead = new boolean[left];
      int at = first;
      schema.fields().forEach(_ -> found.add(new ArrayList<>()));
      if (count > 0) {
        TestMemory memory = new TestMemory(1L << 30);
        try (SliceReader reader =
            LiveReader.open(tested, file, schema, new RowRange(first, count), memory)) {
          while (at < first + count) {
            if (random.nextBoolean()) {
              int skipped = random.nextInt(first + count - at);
              reader.skip(skipped);
              at += skipped;
            }
            int got = reader.next(1 + random.nextInt(100));
            assertThat(got).isPositive();
            Arrays.fill(isRead, at, at + got, true);
            at += got;
            for (int c = 0; c < schema.size(); c++) {
              TestRows.append(reader.column(c), got, found.get(c));
            }
          }
        }
        assertThat(memory.takenBytes()).isZero();
      }
      for (int c = 0; c < schema.size(); c++) {
        List<@Nullable Object> expected = new ArrayList<>();
        for (int row = 0, number = 0; row < rows; row++) {
          if (!gone[row] && isRead[number++]) {
            expected.add(table.columns().get(c).get(row));
          }
        }
        assertThat(found.get(c)).isEqualTo(expected);
      }
    }
  }
}
