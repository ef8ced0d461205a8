package dev.penstock.iceberg;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.iceberg.CutFilesTest.What;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.apache.avro.Schema;
import org.apache.avro.SchemaBuilder;
import org.apache.avro.file.DataFileWriter;
import org.apache.avro.generic.GenericDatumWriter;
import org.apache.iceberg.DataFile;
import org.apache.iceberg.FileFormat;
import org.apache.iceberg.PartitionSpec;
import org.apache.iceberg.types.Type;
import org.apache.iceberg.types.Types;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// Metadata whose schema is a small text and a huge tree.
class HostileSchemaTest {
  @TempDir Path folder;

  private Path replaced(What what, Schema schema) throws IOException {
    WrittenTable written =
        WrittenTable.create(
            folder, CountingTable.SCHEMA, PartitionSpec.unpartitioned(), 2, FileFormat.PARQUET);
    DataFile file = written.append(List.of(CountingTable.row(CountingTable.SCHEMA, 0))).getFirst();
    written.deletePositions(Map.of(file, new long[] {0}));
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try (DataFileWriter<Object> writer = new DataFileWriter<>(new GenericDatumWriter<>(schema))) {
      writer.create(schema, out);
    }
    Path replaced = what.in(written.table());
    Files.write(replaced, out.toByteArray());
    return replaced;
  }

  private void read() {
    CountingTable.ids(IcebergDataset.metadata(folder.resolve("table").toString()).dataset());
  }

  /// Each record has the one before twice.
  private static Schema doubling(int records) {
    Schema last = SchemaBuilder.record("r0").fields().requiredLong("x").endRecord();
    for (int i = 1; i < records; i++) {
      last =
          SchemaBuilder.record("r" + i)
              .fields()
              .name("p")
              .type(last)
              .noDefault()
              .name("q")
              .type(last)
              .noDefault()
              .endRecord();
    }
    return last;
  }

  @ParameterizedTest
  @EnumSource
  @Timeout(value = 60, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
  void schemaThatDoublesIsRefused(What what) throws IOException {
    Path file = replaced(what, doubling(40));
    assertThatThrownBy(this::read)
        .hasMessageContaining("Corrupt Iceberg metadata: its schema has more than 100000 types")
        .hasMessageContaining(file.toString());
  }

  private void create(Type column) {
    WrittenTable.create(
        folder,
        new org.apache.iceberg.Schema(Types.NestedField.optional(1, "c", column)),
        PartitionSpec.unpartitioned(),
        2,
        FileFormat.PARQUET);
  }

  @Test
  void columnThatIsTooDeepIsRefused() {
    Type deep = Types.LongType.get();
    for (int i = 0; i < 400; i++) {
      deep = Types.ListType.ofOptional(1000 - i, deep);
    }
    create(deep);
    assertThatThrownBy(this::read)
        .hasMessageContaining("Cannot read table")
        .hasMessageContaining("a column is nested more than 64 deep.");
  }

  @Test
  void namesThatAreLongerThanTheMetadataAreRefused() {
    List<Types.NestedField> leaves =
        IntStream.range(0, 400)
            .mapToObj(i -> Types.NestedField.optional(1000 + i, "l" + i, Types.IntegerType.get()))
            .toList();
    Type around = Types.StructType.of(leaves);
    for (int i = 0; i < 50; i++) {
      around =
          Types.StructType.of(Types.NestedField.optional(100 + i, "n".repeat(1000) + i, around));
    }
    create(around);
    assertThatThrownBy(this::read)
        .hasMessageContaining("the full names of its fields have more than 16777216 characters.");
  }

  @ParameterizedTest
  @EnumSource
  void schemaThatIsTooDeepIsRefused(What what) throws IOException {
    Schema deep = Schema.create(Schema.Type.LONG);
    for (int i = 0; i < 100; i++) {
      deep = Schema.createArray(deep);
    }
    Path file =
        replaced(
            what, SchemaBuilder.record("r").fields().name("a").type(deep).noDefault().endRecord());
    assertThatThrownBy(this::read)
        .hasMessageContaining("Corrupt Iceberg metadata: its schema is nested more than 64 deep")
        .hasMessageContaining(file.toString());
  }
}
