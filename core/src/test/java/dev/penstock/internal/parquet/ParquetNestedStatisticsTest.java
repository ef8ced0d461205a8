package dev.penstock.internal.parquet;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.internal.local.LocalStorage;
import dev.penstock.schema.DataType;
import dev.penstock.spi.format.Bound;
import dev.penstock.spi.format.ColumnStatistics;
import dev.penstock.spi.format.FileMetadata;
import dev.penstock.spi.format.PageStatistics;
import dev.penstock.spi.storage.StorageFile;
import dev.penstock.storage.Location;
import dev.penstock.testing.Seeded;
import dev.penstock.testing.TestBounds;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.apache.parquet.conf.PlainParquetConfiguration;
import org.apache.parquet.example.data.Group;
import org.apache.parquet.example.data.simple.SimpleGroup;
import org.apache.parquet.hadoop.ParquetFileWriter;
import org.apache.parquet.hadoop.ParquetWriter;
import org.apache.parquet.hadoop.example.ExampleParquetWriter;
import org.apache.parquet.io.LocalOutputFile;
import org.apache.parquet.schema.MessageType;
import org.apache.parquet.schema.MessageTypeParser;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Statistics of columns in structs and lists, held against the values.
class ParquetNestedStatisticsTest {
  private static final MessageType MESSAGE =
      MessageTypeParser.parseMessageType(
          """
          message m {
            optional group a { optional group b { optional int64 x; required int32 y; } }
            optional group l (LIST) { repeated group list { optional int64 element; } }
          }
          """);

  private static final DataType LONG = new DataType.Int(64, true);

  private final ParquetFormat format = new ParquetFormat();
  @TempDir Path folder;

  private final List<@Nullable Object> x = new ArrayList<>();
  private final List<@Nullable Object> y = new ArrayList<>();
  private final List<@Nullable Object> elements = new ArrayList<>();

  @Seeded(runs = 40)
  void noValueContradictsTheStatistics(Random random) throws IOException {
    int rows = 1 + random.nextInt(500);
    Path path = folder.resolve("table.parquet");
    try (ParquetWriter<Group> writer =
        ExampleParquetWriter.builder(new LocalOutputFile(path))
            .withType(MESSAGE)
            .withConf(new PlainParquetConfiguration())
            .withWriteMode(ParquetFileWriter.Mode.OVERWRITE)
            .withPageRowCountLimit(1 + random.nextInt(rows))
            .build()) {
      for (int i = 0; i < rows; i++) {
        writer.write(row(random));
      }
    }
    try (StorageFile file = new LocalStorage().open(Location.of(path))) {
      FileMetadata metadata = format.readMetadata(file);
      check(file, metadata, "a.b.x", LONG, x);
      check(file, metadata, "a.b.y", new DataType.Int(32, true), y);
      ColumnStatistics list = metadata.statistics(0, "l.list.element");
      assertThat(list.nullCount()).isEmpty();
      TestBounds.check(list, LONG, elements);
      assertThat(list.lower() != null).isEqualTo(elements.stream().anyMatch(e -> e != null));
      assertThat(format.pageStatistics(file, metadata, 0, "l.list.element")).isEmpty();
      assertThat(metadata.statistics(0, "a.b")).isEqualTo(ColumnStatistics.UNKNOWN);
      assertThat(metadata.statistics(0, "l")).isEqualTo(ColumnStatistics.UNKNOWN);
    }
  }

  private Group row(Random random) {
    Group row = new SimpleGroup(MESSAGE);
    Long first = random.nextInt(3) == 0 ? null : random.nextLong();
    Integer second = random.nextInt();
    boolean missing = random.nextInt(4) == 0;
    if (missing) {
      if (random.nextBoolean()) {
        row.addGroup("a");
      }
    } else {
      Group part = row.addGroup("a").addGroup("b");
      if (first != null) {
        part.add("x", first);
      }
      part.add("y", second);
    }
    x.add(missing ? null : first);
    y.add(missing ? null : Long.valueOf(second));
    if (random.nextInt(4) == 0) {
      elements.add(
          null); // A missing list counts as a value that is null, and so does an empty one.
      return row;
    }
    Group list = row.addGroup("l");
    int length = random.nextInt(4);
    for (int i = 0; i < length; i++) {
      Group entry = list.addGroup("list");
      Long element = random.nextInt(4) == 0 ? null : random.nextLong();
      if (element != null) {
        entry.add("element", element);
      }
      elements.add(element);
    }
    if (length == 0) {
      elements.add(null);
    }
    return row;
  }

  private void check(
      StorageFile file,
      FileMetadata metadata,
      String column,
      DataType type,
      List<@Nullable Object> values)
      throws IOException {
    ColumnStatistics known = metadata.statistics(0, column);
    assertThat(known.nullCount()).isPresent();
    assertThat(known.lower() != null).isEqualTo(values.stream().anyMatch(value -> value != null));
    TestBounds.check(known, type, values);
    List<PageStatistics> pages = format.pageStatistics(file, metadata, 0, column);
    assertThat(pages).isNotEmpty();
    long row = 0;
    for (PageStatistics page : pages) {
      assertThat(page.firstRow()).isEqualTo(row);
      row += page.rowCount();
      TestBounds.check(page.statistics(), type, values.subList((int) page.firstRow(), (int) row));
      assertThat(page.statistics().nullCount()).isPresent();
    }
    assertThat(row).isEqualTo(values.size());
  }

  @Test
  void columnWithDotsInItsNameComesBeforeThePartOfAStruct() throws IOException {
    MessageType message =
        MessageTypeParser.parseMessageType(
            """
            message m {
              required group a { required binary b; required group c { required int32 d; } }
              required int32 a.b;
              required group a.c { required int64 d; }
            }
            """);
    Path path = folder.resolve("dots.parquet");
    try (ParquetWriter<Group> writer =
        ExampleParquetWriter.builder(new LocalOutputFile(path))
            .withType(message)
            .withConf(new PlainParquetConfiguration())
            .build()) {
      Group row = new SimpleGroup(message);
      Group a = row.addGroup("a").append("b", "text");
      a.addGroup("c").append("d", 1);
      row.append("a.b", 7);
      row.addGroup("a.c").append("d", 2L);
      writer.write(row);
    }
    try (StorageFile file = new LocalStorage().open(Location.of(path))) {
      FileMetadata metadata = format.readMetadata(file);
      assertThat(metadata.statistics(0, "a.b").lower()).isEqualTo(new Bound(7L, true));
      // Of two parts with one path the schema finds that of the first column.
      assertThat(metadata.schema().find("a.c.d").orElseThrow().type())
          .isEqualTo(new DataType.Int(32, true));
      assertThat(metadata.statistics(0, "a.c.d").lower()).isEqualTo(new Bound(1L, true));
    }
  }
}
