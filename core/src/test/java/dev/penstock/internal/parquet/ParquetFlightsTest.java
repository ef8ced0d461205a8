package dev.penstock.internal.parquet;

import static org.apache.parquet.schema.PrimitiveType.PrimitiveTypeName.INT64;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.penstock.internal.local.LocalStorage;
import dev.penstock.schema.DataType;
import dev.penstock.schema.DataType.TimeUnit;
import dev.penstock.schema.Field;
import dev.penstock.schema.Schema;
import dev.penstock.spi.format.ColumnSlice;
import dev.penstock.spi.format.FileMetadata;
import dev.penstock.spi.format.SliceReader;
import dev.penstock.spi.storage.StorageFile;
import dev.penstock.storage.Location;
import dev.penstock.testing.TestMemory;
import dev.penstock.testing.TestRows;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.parquet.column.ColumnDescriptor;
import org.apache.parquet.column.impl.ColumnReadStoreImpl;
import org.apache.parquet.column.page.PageReadStore;
import org.apache.parquet.example.data.simple.convert.GroupRecordConverter;
import org.apache.parquet.hadoop.ParquetFileReader;
import org.apache.parquet.io.LocalInputFile;
import org.apache.parquet.schema.MessageType;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// Three million rows that pyarrow wrote, in eleven row groups of Zstandard pages.
class ParquetFlightsTest {
  private static final Path PATH =
      Path.of(System.getProperty("penstock.shared", ""), "data", "flights", "flights-3m.parquet");

  private final ParquetFormat format = new ParquetFormat();

  @BeforeEach
  void fileIsThere() {
    assumeTrue(Files.exists(PATH), () -> "No file " + PATH);
  }

  @Test
  void schemaIsTheOneThatWasWritten() throws IOException {
    try (StorageFile file = new LocalStorage().open(Location.of(PATH))) {
      FileMetadata metadata = format.readMetadata(file);
      assertThat(metadata.schema())
          .isEqualTo(
              Schema.of(
                  List.of(
                      new Field("date", new DataType.Timestamp(TimeUnit.MICROS, false), true),
                      new Field("delay", new DataType.Int(64, true), true),
                      new Field("distance", new DataType.Int(64, true), true),
                      new Field("origin", new DataType.Utf8(), true),
                      new Field("destination", new DataType.Utf8(), true))));
      assertThat(metadata.rowGroups()).hasSize(11);
      assertThat(metadata.rowCount()).isEqualTo(3_000_000);
    }
  }

  @Test
  void everyValueIsTheOneParquetJavaReads() throws IOException {
    try (StorageFile file = new LocalStorage().open(Location.of(PATH))) {
      FileMetadata metadata = format.readMetadata(file);
      assertThat(ours(file, metadata)).isEqualTo(theirs(metadata.schema().names()));
    }
  }

  private Map<String, Long> ours(StorageFile file, FileMetadata metadata) throws IOException {
    Map<String, Long> sums = new TreeMap<>();
    TestMemory memory = new TestMemory(64 << 20);
    Schema schema = metadata.schema();
    try (SliceReader reader =
        format.openReader(file, metadata, schema, 0, metadata.rowCount(), memory)) {
      for (int rows = reader.next(20_000); rows > 0; rows = reader.next(20_000)) {
        for (int c = 0; c < schema.size(); c++) {
          String name = schema.fields().get(c).name();
          sums.put(name, sum(sums.getOrDefault(name, 0L), reader.column(c), rows));
        }
      }
    }
    assertThat(memory.takenBytes()).isZero();
    return sums;
  }

  private static long sum(long before, ColumnSlice slice, int rows) {
    long sum = before;
    for (int row = 0; row < rows; row++) {
      Object value = TestRows.isNull(slice, row) ? null : TestRows.value(slice, row);
      long hash =
          value instanceof Long number
              ? number
              : value == null
                  ? -1
                  : Arrays.hashCode(((String) value).getBytes(StandardCharsets.UTF_8));
      sum = sum * 31 + hash;
    }
    return sum;
  }

  private static Map<String, Long> theirs(List<String> names) throws IOException {
    Map<String, Long> sums = new TreeMap<>();
    try (ParquetFileReader reader = ParquetFileReader.open(new LocalInputFile(PATH))) {
      MessageType schema = reader.getFileMetaData().getSchema();
      String createdBy = reader.getFileMetaData().getCreatedBy();
      for (PageReadStore group = reader.readNextRowGroup();
          group != null;
          group = reader.readNextRowGroup()) {
        var columns =
            new ColumnReadStoreImpl(
                group, new GroupRecordConverter(schema).getRootConverter(), schema, createdBy);
        for (String name : names) {
          ColumnDescriptor descriptor = schema.getColumnDescription(new String[] {name});
          long before = sums.getOrDefault(name, 0L);
          sums.put(name, sum(before, columns.getColumnReader(descriptor), group.getRowCount()));
        }
      }
    }
    return sums;
  }

  private static long sum(long before, org.apache.parquet.column.ColumnReader values, long rows) {
    int present = values.getDescriptor().getMaxDefinitionLevel();
    boolean number = values.getDescriptor().getPrimitiveType().getPrimitiveTypeName() == INT64;
    long sum = before;
    for (long row = 0; row < rows; row++) {
      long hash =
          values.getCurrentDefinitionLevel() < present
              ? -1
              : number ? values.getLong() : Arrays.hashCode(values.getBinary().getBytes());
      sum = sum * 31 + hash;
      values.consume();
    }
    return sum;
  }
}
