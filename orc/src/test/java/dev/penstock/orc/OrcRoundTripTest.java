package dev.penstock.orc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.format.MalformedFileException;
import dev.penstock.schema.Field;
import dev.penstock.schema.Schema;
import dev.penstock.spi.format.FileMetadata;
import dev.penstock.spi.format.PageStatistics;
import dev.penstock.spi.storage.StorageFile;
import dev.penstock.testing.BytesFile;
import dev.penstock.testing.Seeded;
import dev.penstock.testing.TestBounds;
import dev.penstock.testing.TestMemory;
import dev.penstock.testing.TestRows;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.apache.orc.CompressionKind;
import org.apache.orc.TypeDescription;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What ORC's own writer wrote is what is read, whole, in part, and as statistics say.
class OrcRoundTripTest {
  @TempDir Path folder;

  @Seeded(runs = 40)
  void rowsAreThoseThatWereWritten(Random random) throws IOException {
    int rows = random.nextInt(3000);
    RandomOrc made = RandomOrc.write(folder, random, rows);
    try (StorageFile file = new BytesFile(made.bytes())) {
      FileMetadata metadata = OrcFiles.FORMAT.readMetadata(file);
      assertThat(metadata.rowCount()).isEqualTo(rows);
      Schema columns = metadata.schema();
      int most = 1 + random.nextInt(5000);
      var all = OrcFiles.read(file, metadata, columns, () -> 1 + random.nextInt(most));
      assertThat(all).as("%s", made.type()).isEqualTo(made.columns());

      int first = random.nextInt(rows + 1);
      int count = random.nextInt(rows - first + 1);
      int one = random.nextInt(columns.size());
      Schema part = OrcFiles.one(columns.fields().get(one));
      assertThat(OrcFiles.read(file, metadata, part, first, count, () -> most).getFirst())
          .isEqualTo(made.columns().get(one).subList(first, first + count));
      OrcFiles.requireRefusals(file, metadata, columns, 30);
    }
  }

  @Seeded(runs = 2)
  void columnsBesideTwoOfOneNameAreRead(Random random) throws IOException {
    TypeDescription type = TypeDescription.createStruct();
    for (String name : List.of("a", "b", "a", "s")) {
      type.addField(
          name,
          name.equals("s")
              ? TypeDescription.createStruct()
                  .addField("x", TypeDescription.createLong())
                  .addField("x", TypeDescription.createLong())
              : TypeDescription.createLong());
    }
    List<@Nullable Object> numbers = List.of(1L, 2L, 3L);
    List<@Nullable Object> none = Arrays.asList(null, null, null);
    RandomOrc made =
        RandomOrc.write(
            folder, random, type, List.of(none, numbers, none, none), options -> options);
    try (StorageFile file = new BytesFile(made.bytes())) {
      FileMetadata metadata = OrcFiles.FORMAT.readMetadata(file);
      assertThat(metadata.schema().toString())
          .isEqualTo("[a: one of 2 columns of that name, b: int64, s: struct<x:bigint,x:bigint>]");
      Schema readable = OrcFiles.readable(metadata);
      assertThat(OrcFiles.read(file, metadata, readable, () -> 2)).containsExactly(numbers);
      Schema twice = OrcFiles.one(metadata.schema().fields().getFirst());
      assertThatThrownBy(() -> OrcFiles.read(file, metadata, twice, () -> 2))
          .isInstanceOf(MalformedFileException.class)
          .hasMessageContaining("column 'a' is one of 2 columns of that name");
    }
  }

  /// Alone by our own decoder, in lists by ORC's.
  @Seeded(runs = 2)
  void timesReachAsFarAsNanosecondsDo(Random random) throws IOException {
    List<@Nullable Object> times = new ArrayList<>();
    for (long near = 0; near < 2_000_000_000L; near += 1 + random.nextInt(50_000_000)) {
      times.add(Long.MIN_VALUE + near);
      times.add(Long.MAX_VALUE - near);
    }
    List<@Nullable Object> lists = new ArrayList<>();
    times.forEach(time -> lists.add(Collections.singletonList(time)));
    TypeDescription type =
        TypeDescription.fromString(
            "struct<t:timestamp,i:timestamp with local time zone,l:array<timestamp>>");
    RandomOrc made =
        RandomOrc.write(folder, random, type, List.of(times, times, lists), options -> options);
    try (StorageFile file = new BytesFile(made.bytes())) {
      FileMetadata metadata = OrcFiles.FORMAT.readMetadata(file);
      assertThat(OrcFiles.read(file, metadata, metadata.schema(), () -> 100))
          .isEqualTo(made.columns());
    }
  }

  /// Such numbers are read without ORC, in pieces of a megabyte.
  @Seeded(runs = 4)
  void numbersThatLieInTheFileAsTheyAreAreThoseThatWereWritten(Random random) throws IOException {
    int rows = 132_000 + random.nextInt(20_000);
    String type = "struct<a:double,b:float,c:double,d:int>";
    RandomOrc made = RandomOrc.write(folder, random, rows, type, CompressionKind.NONE);
    try (StorageFile file = new BytesFile(made.bytes())) {
      FileMetadata metadata = OrcFiles.FORMAT.readMetadata(file);
      Schema columns = metadata.schema();
      var all = OrcFiles.read(file, metadata, columns, () -> 1 + random.nextInt(9000));
      assertThat(all).isEqualTo(made.columns());
      int first = random.nextInt(rows);
      int count = random.nextInt(rows - first + 1);
      for (int c = 0; c < columns.size(); c++) {
        Schema part = OrcFiles.one(columns.fields().get(c));
        assertThat(OrcFiles.read(file, metadata, part, first, count, () -> 5000).getFirst())
            .isEqualTo(made.columns().get(c).subList(first, first + count));
      }
    }
  }

  @Seeded(runs = 30)
  void skippedRowsAreLeftOut(Random random) throws IOException {
    RandomOrc made = RandomOrc.write(folder, random, 1 + random.nextInt(4000));
    try (StorageFile file = new BytesFile(made.bytes())) {
      FileMetadata metadata = OrcFiles.FORMAT.readMetadata(file);
      boolean[] wanted = new boolean[(int) metadata.rowCount()];
      for (int row = 0; row < wanted.length; ) {
        int run = 1 + random.nextInt(random.nextBoolean() ? 10 : 1500);
        boolean value = random.nextBoolean();
        for (int end = Math.min(wanted.length, row + run); row < end; row++) {
          wanted[row] = value;
        }
      }
      var some =
          TestRows.readSome(
              OrcFiles.FORMAT,
              file,
              metadata,
              metadata.schema(),
              wanted,
              new TestMemory(64 << 20),
              () -> 1 + random.nextInt(700));
      for (int c = 0; c < some.size(); c++) {
        List<@Nullable Object> column = made.columns().get(c);
        List<@Nullable Object> expected = new ArrayList<>();
        for (int row = 0; row < wanted.length; row++) {
          if (wanted[row]) {
            expected.add(column.get(row));
          }
        }
        assertThat(some.get(c)).as("%s", made.type()).isEqualTo(expected);
      }
    }
  }

  @Seeded(runs = 40)
  void statisticsOfStripesAndStridesHoldForTheirRows(Random random) throws IOException {
    RandomOrc made = RandomOrc.write(folder, random, 1 + random.nextInt(4000));
    try (StorageFile file = new BytesFile(made.bytes())) {
      FileMetadata metadata = OrcFiles.FORMAT.readMetadata(file);
      for (int c = 0; c < metadata.schema().size(); c++) {
        Field field = metadata.schema().fields().get(c);
        if (field.type().isNested()) {
          continue;
        }
        int first = 0;
        for (int stripe = 0; stripe < metadata.rowGroups().size(); stripe++) {
          int rows = (int) metadata.rowGroups().get(stripe).rowCount();
          List<@Nullable Object> values = made.columns().get(c).subList(first, first + rows);
          TestBounds.check(metadata.statistics(stripe, field.name()), field.type(), values);
          int done = 0;
          for (PageStatistics page :
              OrcFiles.FORMAT.pageStatistics(file, metadata, stripe, field.name())) {
            assertThat(page.firstRow()).isEqualTo(done);
            done += (int) page.rowCount();
            TestBounds.check(
                page.statistics(), field.type(), values.subList((int) page.firstRow(), done));
          }
          assertThat(done).isIn(0, rows);
          first += rows;
        }
      }
    }
  }

  @Test
  void statisticsSayMoreThanNothing() throws IOException {
    String type = "struct<i:bigint,s:string,d:date,n:decimal(9,2),t:timestamp,f:double>";
    RandomOrc made = RandomOrc.write(folder, new Random(9), 3000, type);
    try (StorageFile file = new BytesFile(made.bytes())) {
      FileMetadata metadata = OrcFiles.FORMAT.readMetadata(file);
      for (Field field : metadata.schema().fields()) {
        boolean known = metadata.statistics(0, field.name()).lower() != null;
        assertThat(known || metadata.statistics(0, field.name()).allNull())
            .as("%s", field)
            .isTrue();
        assertThat(metadata.statistics(0, field.name()).nullCount()).isPresent();
      }
    }
  }

  @Test
  void partsOfStructsAreColumns() throws IOException {
    String type = "struct<a:struct<f0:int,f1:struct<f0:string,f1:array<bigint>>>>";
    RandomOrc made = RandomOrc.write(folder, new Random(7), 2500, type);
    try (StorageFile file = new BytesFile(made.bytes())) {
      FileMetadata metadata = OrcFiles.FORMAT.readMetadata(file);
      Schema whole = metadata.schema();
      for (String path : List.of("a.f0", "a.f1", "a.f1.f0", "a.f1.f1")) {
        Schema part = OrcFiles.one(whole.find(path).orElseThrow());
        List<@Nullable Object> expected = new ArrayList<>();
        made.columns().getFirst().forEach(row -> expected.add(part(row, path.substring(2))));
        assertThat(OrcFiles.read(file, metadata, part, () -> 700).getFirst())
            .as(path)
            .isEqualTo(expected);
      }
    }
  }

  private static @Nullable Object part(@Nullable Object struct, String path) {
    int dot = path.indexOf('.');
    Object field =
        struct == null ? null : ((Map<?, ?>) struct).get(dot < 0 ? path : path.substring(0, dot));
    return dot < 0 ? field : part(field, path.substring(dot + 1));
  }
}
