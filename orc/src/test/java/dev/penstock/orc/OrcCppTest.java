package dev.penstock.orc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.schema.Field;
import dev.penstock.schema.Schema;
import dev.penstock.spi.format.ColumnStatistics;
import dev.penstock.spi.format.FileFormat;
import dev.penstock.spi.format.FileMetadata;
import dev.penstock.spi.format.PageStatistics;
import dev.penstock.spi.storage.StorageFile;
import dev.penstock.testing.BytesFile;
import dev.penstock.testing.TestBounds;
import dev.penstock.testing.TestMemory;
import dev.penstock.testing.TestRows;
import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import java.util.Objects;
import java.util.ServiceLoader;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/// Old times and dates that ORC's library for C++ wrote, from pyarrow (`make_cpp.py` beside them):
/// the rows are those of the same table as Parquet.
class OrcCppTest {
  private static StorageFile open(String name) throws IOException {
    try (InputStream stream =
        Objects.requireNonNull(OrcCppTest.class.getResourceAsStream(name), name)) {
      return new BytesFile(stream.readAllBytes());
    }
  }

  private static List<List<@Nullable Object>> expected(Schema columns) throws IOException {
    FileFormat parquet =
        ServiceLoader.load(FileFormat.class).stream()
            .map(ServiceLoader.Provider::get)
            .filter(format -> format.name().equals("parquet"))
            .findFirst()
            .orElseThrow();
    try (StorageFile file = open("cpp.parquet")) {
      FileMetadata metadata = parquet.readMetadata(file);
      List<Field> fields =
          columns.fields().stream()
              .map(field -> metadata.schema().find(field.name()).orElseThrow())
              .toList();
      TestMemory memory = new TestMemory(64 << 20);
      return TestRows.read(
          parquet, file, metadata, Schema.of(fields), 0, metadata.rowCount(), memory, () -> 1000);
    }
  }

  @Test
  void oldTimesAndDatesAreThoseThatWereWritten() throws IOException {
    try (StorageFile file = open("cpp.orc")) {
      FileMetadata metadata = OrcFiles.FORMAT.readMetadata(file);
      Schema columns = metadata.schema();
      assertThat(OrcFiles.read(file, metadata, columns, () -> 700)).isEqualTo(expected(columns));
    }
  }

  /// Where a struct in a struct is null, its parts are stated to have a value. They are stored so
  /// as well: pyarrow reads the values behind wrongly, as we do.
  @Test
  void nullsOfAStructInAStructAreNotDenied() throws IOException {
    try (StorageFile file = open("cpp-nested.orc")) {
      FileMetadata metadata = OrcFiles.FORMAT.readMetadata(file);
      int known = 0;
      for (String name : List.of("st.a", "st.in.s", "st.in.n")) {
        Field field = metadata.schema().find(name).orElseThrow();
        var values = OrcFiles.read(file, metadata, OrcFiles.one(field), () -> 700).getFirst();
        assertThat(values).hasSize(2500);
        known += check(metadata.statistics(0, name), values);
        for (PageStatistics page : OrcFiles.FORMAT.pageStatistics(file, metadata, 0, name)) {
          int from = (int) page.firstRow();
          known += check(page.statistics(), values.subList(from, from + (int) page.rowCount()));
        }
      }
      assertThat(known).as("all of st.a, and one stride of the others").isEqualTo(4 + 1 + 1);
    }
  }

  /// Checks what is said of nulls; returns 1 if something is.
  private static int check(ColumnStatistics stated, List<@Nullable Object> values) {
    assertThat(stated.noNulls() && values.contains(null)).isFalse();
    assertThat(stated.allNull()).isFalse();
    return stated.nullCount().isPresent() ? 1 : 0;
  }

  @Test
  void statisticsHoldForOldTimesAndDates() throws IOException {
    try (StorageFile file = open("cpp.orc")) {
      FileMetadata metadata = OrcFiles.FORMAT.readMetadata(file);
      int strides = 0;
      for (String name : List.of("time", "utc", "before", "day", "both.utc", "both.day")) {
        Field field = metadata.schema().find(name).orElseThrow();
        var values = expected(OrcFiles.one(field)).getFirst();
        int first = 0;
        for (int stripe = 0; stripe < metadata.rowGroups().size(); stripe++) {
          int end = first + (int) metadata.rowGroups().get(stripe).rowCount();
          var stated = metadata.statistics(stripe, name);
          assertThat(stated.lower()).isNotNull();
          TestBounds.check(stated, field.type(), values.subList(first, end));
          for (PageStatistics page : OrcFiles.FORMAT.pageStatistics(file, metadata, stripe, name)) {
            int from = first + (int) page.firstRow();
            int to = from + (int) page.rowCount();
            TestBounds.check(page.statistics(), field.type(), values.subList(from, to));
            strides++;
          }
          first = end;
        }
      }
      assertThat(strides).isEqualTo(6 * 3);
    }
  }
}
