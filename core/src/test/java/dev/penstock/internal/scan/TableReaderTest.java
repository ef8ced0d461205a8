package dev.penstock.internal.scan;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.format.RowGroup;
import dev.penstock.internal.local.LocalStorage;
import dev.penstock.internal.table.CastRule;
import dev.penstock.internal.table.Partitions;
import dev.penstock.internal.table.SchemaRules;
import dev.penstock.internal.table.Table;
import dev.penstock.internal.table.TableFile;
import dev.penstock.internal.table.TableFiles;
import dev.penstock.schema.DataType;
import dev.penstock.schema.Field;
import dev.penstock.schema.MissingColumns;
import dev.penstock.schema.Schema;
import dev.penstock.spi.format.ColumnSlice;
import dev.penstock.spi.format.FileMetadata;
import dev.penstock.spi.format.ScratchMemory;
import dev.penstock.spi.format.SliceReader;
import dev.penstock.spi.storage.StorageFile;
import dev.penstock.split.DataFileInfo;
import dev.penstock.storage.Location;
import dev.penstock.testing.BytesFile;
import dev.penstock.testing.FormatInMemory;
import dev.penstock.testing.TestMemory;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/// What the reader does with memory, and what it leaves alone.
class TableReaderTest {
  private static final int ROWS = 5000;

  /// A format of 64-bit integers, all zero, and lists of them.
  private record Zeros(Schema schema) implements FormatInMemory, SliceReader {
    private static final MemorySegment MEMORY = Arena.global().allocate(8L * (ROWS + 1));

    @Override
    public List<RowGroup> rowGroups() {
      return List.of(new RowGroup(10L * ROWS, 0));
    }

    @Override
    public SliceReader openReader(
        StorageFile file,
        FileMetadata metadata,
        Schema columns,
        long firstRow,
        long rowCount,
        ScratchMemory memory) {
      return new Zeros(columns);
    }

    @Override
    public int next(int maxRows) {
      return maxRows;
    }

    @Override
    public ColumnSlice column(int index) {
      return slice(schema.fields().get(index).type());
    }

    private static ColumnSlice slice(DataType type) {
      return type instanceof DataType.List(DataType element, boolean _)
          ? ColumnSlice.list(type, ROWS, 0, null, MEMORY, slice(element))
          : ColumnSlice.fixed(type, ROWS, 0, null, MEMORY);
    }

    @Override
    public void close() {}
  }

  private static TableFile file(Schema schema) {
    Zeros zeros = new Zeros(schema);
    return TableFiles.alone(
        new DataFileInfo(new Location("file"), 0, zeros.rowGroups()),
        "",
        zeros,
        zeros,
        new LocalStorage());
  }

  private static Schema schema(Object... namesAndTypes) {
    List<Field> fields = new ArrayList<>();
    for (int i = 0; i < namesAndTypes.length; i += 2) {
      fields.add(new Field((String) namesAndTypes[i], (DataType) namesAndTypes[i + 1], false));
    }
    return Schema.of(fields);
  }

  private static SliceReader open(Table table, int file, ScratchMemory memory) throws IOException {
    return TableReader.open(
        table.files().get(file), new BytesFile(new byte[0]), table.schema(), 0, ROWS, memory);
  }

  @Test
  void aFileThatHasTheTablesColumnsIsReadDirectly() throws IOException {
    Schema schema = schema("a", DataType.int64(), "b", DataType.int64());
    Table table =
        Table.of(List.of(file(schema), file(schema)), SchemaRules.DEFAULT, Partitions.NONE);
    try (SliceReader reader = open(table, 1, new TestMemory(0))) {
      assertThat(reader).isInstanceOf(Zeros.class);
    }
  }

  @Test
  void columnsThatNeedNothingKeepTheirMemory() throws IOException {
    Table table =
        Table.of(
            List.of(
                file(schema("a", DataType.int64(), "b", DataType.int64())),
                file(schema("b", DataType.int64(), "a", DataType.int64()))),
            SchemaRules.DEFAULT,
            Partitions.NONE);
    try (SliceReader reader = open(table, 1, new TestMemory(0))) {
      assertThat(reader.next(ROWS)).isEqualTo(ROWS);
      assertThat(reader.column(0).values()).isSameAs(Zeros.MEMORY);
      assertThat(reader.column(1).values()).isSameAs(Zeros.MEMORY);
    }
  }

  @Test
  void memoryIsTakenOnceAndGivenBack() throws IOException {
    Schema all =
        schema(
            "long",
            DataType.int64(),
            "list",
            new DataType.List(DataType.int64(), false),
            "text",
            DataType.string(),
            "flag",
            DataType.bool(),
            "none",
            new DataType.List(DataType.int8(), true),
            "cast",
            DataType.int64());
    Schema some =
        schema(
            "long",
            DataType.int32(),
            "list",
            new DataType.List(DataType.int32(), false),
            "cast",
            DataType.int64());
    SchemaRules rules =
        SchemaRules.DEFAULT
            .withMissing(
                MissingColumns.nulls().withDefault("text", "abc").withDefault("flag", true))
            .withCast(CastRule.of("cast", DataType.float32(), false));
    Table table = Table.of(List.of(file(all), file(some)), rules, Partitions.NONE);
    TestMemory memory = new TestMemory(1 << 20);
    SliceReader reader = open(table, 1, memory);
    reader.next(ROWS);
    long taken = memory.takenBytes();
    assertThat(taken).isPositive();
    for (int rows = ROWS; rows > 0; rows -= 1000) {
      reader.next(rows);
      for (int i = 0; i < table.schema().size(); i++) {
        assertThat(reader.column(i).type()).isEqualTo(table.schema().fields().get(i).type());
      }
      assertThat(memory.takenBytes()).isEqualTo(taken);
      assertThat(memory.peakBytes()).isEqualTo(taken);
    }
    reader.close();
    reader.close();
    assertThat(memory.takenBytes()).isZero();
  }
}
