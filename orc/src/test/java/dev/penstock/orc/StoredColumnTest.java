package dev.penstock.orc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.schema.Field;
import dev.penstock.schema.Schema;
import dev.penstock.spi.format.ColumnStatistics;
import dev.penstock.spi.format.FileMetadata;
import dev.penstock.spi.format.PageStatistics;
import dev.penstock.spi.storage.StorageFile;
import dev.penstock.testing.BytesFile;
import dev.penstock.testing.Seeded;
import dev.penstock.testing.TestBounds;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import org.apache.hadoop.conf.Configuration;
import org.apache.orc.OrcConf;
import org.apache.orc.OrcFile;
import org.apache.orc.OrcFile.EncodingStrategy;
import org.apache.orc.TypeDescription;
import org.apache.orc.Writer;
import org.apache.orc.storage.ql.exec.vector.DateColumnVector;
import org.apache.orc.storage.ql.exec.vector.TimestampColumnVector;
import org.apache.orc.storage.ql.exec.vector.VectorizedRowBatch;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.io.TempDir;

/// Columns whose values make ORC's writer use every kind of run, read as ORC's own reader reads
/// them.
class StoredColumnTest {
  private static final long DAY_MICROS = 86_400_000_000L;

  @TempDir Path folder;

  private static final TypeDescription TYPE =
      TypeDescription.fromString(
          "struct<b:tinyint,s:smallint,i:int,l:bigint,t:boolean,d:date,ts:timestamp,"
              + "ti:timestamp with local time zone,x:string,y:binary,f:float,g:double>");

  /// Integers of so many bits, some rows at a time of one kind: equal ones, counting up or down,
  /// rising by different steps, of a narrow range with and without a few far outside, any.
  private static List<Long> integers(Random random, int rows, int bits) {
    List<Long> values = new ArrayList<>();
    int shift = 64 - bits;
    while (values.size() < rows) {
      long base = random.nextLong() >> shift >> random.nextInt(bits);
      int kind = random.nextInt(6);
      int width = 1 + random.nextInt(bits);
      long step = random.nextInt(-300, 300);
      boolean falls = random.nextBoolean();
      for (int i = random.nextInt(700); i >= 0 && values.size() < rows; i--) {
        long any = random.nextLong() >>> (64 - width);
        base =
            switch (kind) {
              case 1 -> base + step;
              case 2 -> falls ? base - (any & 0xfff) : base + (any & 0xfff);
              default -> base;
            };
        long value =
            switch (kind) {
              case 3 -> base + (any & 0xff);
              case 4 -> random.nextInt(40) == 0 ? any : base + (any & 0x3f);
              case 5 -> any;
              default -> base;
            };
        values.add(value << shift >> shift);
      }
    }
    return values;
  }

  private static List<@Nullable Object> column(Random random, int rows, TypeDescription type) {
    List<@Nullable Object> column = new ArrayList<>();
    List<Long> first =
        integers(
            random,
            rows,
            switch (type.getCategory()) {
              case BYTE -> 8;
              case SHORT -> 16;
              case DATE -> 17;
              case INT, TIMESTAMP, TIMESTAMP_INSTANT -> 32;
              default -> 64;
            });
    boolean few = random.nextBoolean(); // different texts
    int fraction = random.nextInt(10);
    int nulls = new int[] {0, 1, 50, 100}[random.nextInt(4)];
    boolean isNull = false;
    for (int row = 0; row < rows; row++) {
      isNull = random.nextInt(20) == 0 ? random.nextInt(100) < nulls : isNull;
      long value = first.get(row);
      String text = "v" + (few ? (value & 31) : value) + "\u00e4".repeat((int) value & 7);
      column.add(
          isNull
              ? null
              : switch (type.getCategory()) {
                case BOOLEAN -> (value & 1) != 0;
                case FLOAT -> (float) value;
                case DOUBLE -> (double) value;
                case STRING -> (value & 63) == 5 ? "" : text;
                case BINARY -> HexFormat.of().toHexDigits(value).substring((int) (value & 7) * 2);
                case TIMESTAMP, TIMESTAMP_INSTANT ->
                    // ORC takes the last second before 1970 for the first one behind.
                    (value == -1 ? 0 : value) * 1_000_000_000
                        + random.nextInt(1000) * (long) Math.pow(10, fraction % 7);
                default -> value;
              });
    }
    return column;
  }

  private RandomOrc write(Random random, int rows, RandomOrc.Writing changed) throws IOException {
    List<List<@Nullable Object>> columns = new ArrayList<>();
    TYPE.getChildren().forEach(type -> columns.add(column(random, rows, type)));
    OrcFile.Version version =
        random.nextInt(3) == 0 ? OrcFile.Version.V_0_11 : OrcFile.Version.V_0_12;
    EncodingStrategy strategy =
        random.nextBoolean() ? EncodingStrategy.SPEED : EncodingStrategy.COMPRESSION;
    var codec = RandomOrc.CODECS[random.nextInt(RandomOrc.CODECS.length)];
    double dictionary = random.nextInt(3) / 2.0;
    return RandomOrc.write(
        folder,
        random,
        TYPE,
        columns,
        options -> {
          OrcConf.DICTIONARY_KEY_SIZE_THRESHOLD.setDouble(options.getConfiguration(), dictionary);
          OrcFile.WriterOptions made =
              options.compress(codec).version(version).encodingStrategy(strategy);
          return changed.of(made);
        });
  }

  private static void assertSame(
      List<List<@Nullable Object>> read, List<List<@Nullable Object>> expected) {
    for (int c = 0; c < expected.size(); c++) {
      assertThat(read.get(c)).hasSameSizeAs(expected.get(c));
      for (int row = 0; row < expected.get(c).size(); row++) {
        if (!Objects.equals(read.get(c).get(row), expected.get(c).get(row))) {
          assertThat(read.get(c).get(row))
              .as("row %s of %s", row, TYPE.getChildren().get(c))
              .isEqualTo(expected.get(c).get(row));
        }
      }
    }
  }

  @Seeded(runs = 40)
  void runsOfAllKindsAreReadAsOrcReadsThem(Random random) throws IOException {
    int rows = 1 + random.nextInt(9000);
    RandomOrc made = write(random, rows, options -> options);
    assertSame(RandomOrc.readByOrc(folder), made.columns());
    try (StorageFile file = new BytesFile(made.bytes())) {
      FileMetadata metadata = OrcFiles.FORMAT.readMetadata(file);
      Schema columns = metadata.schema();
      int most = 1 + random.nextInt(9000);
      assertSame(
          OrcFiles.read(file, metadata, columns, () -> 1 + random.nextInt(most)), made.columns());
      int first = random.nextInt(rows);
      int count = random.nextInt(rows - first + 1);
      var some = OrcFiles.read(file, metadata, columns, first, count, () -> most);
      List<List<@Nullable Object>> expected = new ArrayList<>();
      made.columns().forEach(all -> expected.add(all.subList(first, first + count)));
      assertSame(some, expected);
    }
  }

  @Seeded(runs = 4)
  void datesAndTimesOfTheJulianCalendarAreReadAsOrcReadsThem(Random random) throws IOException {
    TypeDescription type =
        TypeDescription.fromString("struct<d:date,t:timestamp,i:timestamp with local time zone>");
    List<List<@Nullable Object>> columns = new ArrayList<>();
    for (int c = 0; c < 3; c++) {
      List<@Nullable Object> column = new ArrayList<>();
      for (int row = 0; row < 500; row++) {
        long day = random.nextLong(-300_000, 20_000);
        // Before 1677 nanoseconds do not fit, and that is where the calendars differ.
        long time = random.nextLong(-9_000_000_000L, 2_000_000_000L) * 1_000_000_000L;
        column.add(random.nextInt(9) == 0 ? null : (Object) (c == 0 ? day : time));
      }
      columns.add(column);
    }
    RandomOrc made =
        RandomOrc.write(folder, random, type, columns, all -> all.setProlepticGregorian(false));
    try (StorageFile file = new BytesFile(made.bytes())) {
      FileMetadata metadata = OrcFiles.FORMAT.readMetadata(file);
      assertThat(OrcFiles.read(file, metadata, metadata.schema(), () -> 100))
          .isEqualTo(RandomOrc.readByOrc(folder));
    }
  }

  /// Writes times in the calendar that ORC's Java writer has by default.
  private byte[] julian(List<Long> micros) throws IOException {
    TypeDescription type = TypeDescription.fromString("struct<t:timestamp,d:date>");
    org.apache.hadoop.fs.Path path =
        new org.apache.hadoop.fs.Path(folder.resolve("julian.orc").toUri());
    try (Writer writer =
        OrcFile.createWriter(
            path,
            OrcFile.writerOptions(new Configuration(false))
                .setSchema(type)
                .fileSystem(RandomOrc.local())
                .overwrite(true)
                .useUTCTimestamp(true)
                .rowIndexStride(1000)
                .setProlepticGregorian(false))) {
      VectorizedRowBatch batch = type.createRowBatch(micros.size());
      TimestampColumnVector times = (TimestampColumnVector) batch.cols[0];
      times.changeCalendar(false, false);
      DateColumnVector days = (DateColumnVector) batch.cols[1];
      days.changeCalendar(false, false);
      for (long time : micros) {
        times.time[batch.size] = Math.floorDiv(time, 1000L);
        times.nanos[batch.size] = Math.floorMod(time, 1_000_000) * 1000;
        days.vector[batch.size] = Math.floorDiv(time, DAY_MICROS);
        batch.size++;
      }
      writer.addRowBatch(batch);
    }
    return Files.readAllBytes(folder.resolve("julian.orc"));
  }

  /// The values are converted, the statistics are not: with a sentinel of the year 1 and without,
  /// around the day on which the calendars meet.
  @Seeded(runs = 8)
  void statisticsHoldForTimesOfTheJulianCalendar(Random random) throws IOException {
    List<Long> times = new ArrayList<>();
    long first = LocalDate.of(1582, 10, 15).toEpochDay();
    for (int row = 0; row < 3000; row++) {
      times.add(
          switch (row / 1000) {
            case 0 -> -719_164 * DAY_MICROS; // 0001-01-01
            case 1 -> random.nextLong((first - 40) * DAY_MICROS, (first + 40) * DAY_MICROS);
            default -> random.nextLong(1L << 50);
          });
    }
    int from = 500 * random.nextInt(5);
    try (StorageFile file = new BytesFile(julian(times.subList(from, 3000)))) {
      FileMetadata metadata = OrcFiles.FORMAT.readMetadata(file);
      var columns = OrcFiles.read(file, metadata, metadata.schema(), () -> 700);
      for (int c = 0; c < columns.size(); c++) {
        Field field = metadata.schema().fields().get(c);
        ColumnStatistics stated = metadata.statistics(0, field.name());
        TestBounds.check(stated, field.type(), columns.get(c));
        assertThat(stated.upper()).as("it is after 1582").isNotNull();
        for (PageStatistics page :
            OrcFiles.FORMAT.pageStatistics(file, metadata, 0, field.name())) {
          int start = (int) page.firstRow();
          int end = start + (int) page.rowCount();
          TestBounds.check(page.statistics(), field.type(), columns.get(c).subList(start, end));
        }
      }
    }
  }
}
