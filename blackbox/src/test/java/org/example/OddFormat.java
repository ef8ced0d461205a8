package org.example;

import dev.penstock.format.RowGroup;
import dev.penstock.schema.DataType;
import dev.penstock.schema.Field;
import dev.penstock.schema.Schema;
import dev.penstock.spi.format.Bound;
import dev.penstock.spi.format.ColumnSlice;
import dev.penstock.spi.format.ColumnStatistics;
import dev.penstock.spi.format.FileFormat;
import dev.penstock.spi.format.FileMetadata;
import dev.penstock.spi.format.PageStatistics;
import dev.penstock.spi.format.ScratchMemory;
import dev.penstock.spi.format.SliceReader;
import dev.penstock.spi.format.TextDictionary;
import dev.penstock.spi.storage.StorageFile;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.OptionalLong;
import java.util.function.IntPredicate;
import java.util.function.IntUnaryOperator;

/// A format of somebody else, right but for the [Mistake] that a file's location names.
///
/// A file has rows 0 to 99, in row groups of 60 and 40: `id` is the row, `x` half of it, or null in
/// each fifth row; `text` and `coded` are one of three words; `flag`, `list` and `part` are of the
/// other layouts.
public final class OddFormat implements FileFormat {
  public static final Schema SCHEMA =
      Schema.of(
          List.of(
              new Field("id", DataType.int64(), false),
              new Field("x", DataType.float64(), true),
              new Field("text", DataType.string(), true),
              new Field("coded", DataType.string(), true),
              new Field("flag", DataType.bool(), false),
              new Field("list", new DataType.List(DataType.int32(), false), true),
              new Field(
                  "part",
                  new DataType.Struct(List.of(new Field("a", DataType.int32(), true))),
                  true)));

  private static final ValueLayout.OfInt INT =
      ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
  private static final ValueLayout.OfLong LONG =
      ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
  private static final int[] GROUPS = {60, 40};

  /// Made by `ServiceLoader`.
  public OddFormat() {}

  @Override
  public String name() {
    return "odd";
  }

  @Override
  public List<String> extensions() {
    return List.of("odd");
  }

  @Override
  public byte[] magic() {
    return "an odd file".getBytes(StandardCharsets.US_ASCII);
  }

  /// What a file says of its rows.
  ///
  /// @param mistake may change the statistics
  /// @param rowGroups the row groups
  /// @param rowCount their rows
  public record Metadata(Mistake mistake, Schema schema, List<RowGroup> rowGroups, long rowCount)
      implements FileMetadata {
    @Override
    public ColumnStatistics statistics(int rowGroup, String column) {
      long first = rowGroup * (long) GROUPS[0];
      return mistake.statistics(column, stated(column, first, first + GROUPS[rowGroup]));
    }

    private static ColumnStatistics stated(String column, long first, long end) {
      OptionalLong count = OptionalLong.of(end - first);
      OptionalLong none = OptionalLong.empty();
      return switch (column) {
        case "id" ->
            new ColumnStatistics(
                count, OptionalLong.of(0), none, new Bound(first, true), new Bound(end - 1, true));
        case "x" ->
            new ColumnStatistics(
                count,
                OptionalLong.of((end - first) / 5),
                OptionalLong.of(0),
                new Bound((first + 1) / 2.0, true),
                new Bound((end - 1) / 2.0, true));
        default -> ColumnStatistics.UNKNOWN;
      };
    }
  }

  @Override
  public FileMetadata readMetadata(StorageFile file) throws IOException {
    Mistake mistake = Mistake.of(file.location().text());
    file.bytes(0, (int) file.size());
    List<RowGroup> groups = List.of(new RowGroup(GROUPS[0], 6_000), new RowGroup(GROUPS[1], 4_000));
    return mistake.metadata(new Metadata(mistake, SCHEMA, groups, 100));
  }

  @Override
  public List<PageStatistics> pageStatistics(
      StorageFile file, FileMetadata metadata, int rowGroup, String column) {
    return Mistake.of(file.location().text())
        .pages(
            column,
            List.of(
                new PageStatistics(0, GROUPS[rowGroup], metadata.statistics(rowGroup, column))));
  }

  @Override
  public SliceReader openReader(
      StorageFile file,
      FileMetadata metadata,
      Schema columns,
      long firstRow,
      long rowCount,
      ScratchMemory memory) {
    Mistake mistake = Mistake.of(file.location().text());
    return mistake.reader(new Reader(mistake, columns, (int) firstRow, (int) rowCount));
  }

  private static final class Reader implements SliceReader {
    private final Mistake mistake;
    private final Schema columns;
    private final int end;
    private int next;
    private int first;
    private int count;

    Reader(Mistake mistake, Schema columns, int firstRow, int rowCount) {
      this.mistake = mistake;
      this.columns = columns;
      this.next = firstRow;
      this.end = firstRow + rowCount;
    }

    @Override
    public int next(int maxRows) {
      first = next;
      count = Math.min(Math.min(maxRows, 32), end - next);
      next += count;
      return mistake.next(maxRows, count);
    }

    @Override
    public void skip(long rows) {
      next += (int) mistake.skip(rows);
    }

    @Override
    public ColumnSlice column(int index) {
      String name = columns.names().get(index);
      return mistake.slice(name, OddFormat.slice(name, first, count));
    }

    @Override
    public void close() {
      mistake.closeReader();
    }
  }

  private static ColumnSlice slice(String column, int first, int rows) {
    DataType type = SCHEMA.find(column).orElseThrow().type();
    return switch (column) {
      case "id" -> ColumnSlice.fixed(type, rows, 0, null, longs(rows, i -> first + i));
      case "flag" -> ColumnSlice.fixed(type, rows, 0, null, bits(rows, i -> (first + i) % 3 == 0));
      case "text" ->
          ColumnSlice.variable(
              type, rows, 0, null, text("redblue"), ints(rows + 1, i -> Math.min(i, 7)));
      case "x" -> {
        MemorySegment values = memory(8L * rows);
        for (int i = 0; i < rows; i++) {
          values.set(LONG, 8L * i, Double.doubleToRawLongBits((first + i) / 2.0));
        }
        yield ColumnSlice.fixed(type, rows, nulls(first, rows), validity(first, rows), values);
      }
      case "coded" ->
          ColumnSlice.coded(
              type,
              rows,
              nulls(first, rows),
              validity(first, rows),
              ints(rows, i -> isNull(first + i) ? 0 : i % 3),
              new TextDictionary(3, text("abbccc"), ints(4, i -> i * (i + 1) / 2)));
      case "list" ->
          ColumnSlice.list(
              type,
              rows,
              nulls(first, rows),
              validity(first, rows),
              ints(rows + 1, i -> i - nulls(first, i)),
              ColumnSlice.fixed(DataType.int32(), rows, 0, null, ints(rows, i -> i)));
      default ->
          ColumnSlice.struct(
              type,
              rows,
              nulls(first, rows),
              validity(first, rows),
              List.of(
                  ColumnSlice.fixed(
                      DataType.int32(),
                      rows,
                      nulls(first, rows),
                      validity(first, rows),
                      ints(rows, i -> i))));
    };
  }

  private static boolean isNull(int row) {
    return row % 5 == 0;
  }

  private static int nulls(int first, int rows) {
    int nulls = 0;
    for (int i = 0; i < rows; i++) {
      nulls += isNull(first + i) ? 1 : 0;
    }
    return nulls;
  }

  private static MemorySegment validity(int first, int rows) {
    return nulls(first, rows) == 0 ? null : bits(rows, i -> !isNull(first + i));
  }

  /// Returns bits, one for each number.
  public static MemorySegment bits(int count, IntPredicate bit) {
    byte[] bits = new byte[(count + 7) / 8];
    for (int i = 0; i < count; i++) {
      bits[i / 8] |= (byte) (bit.test(i) ? 1 << (i % 8) : 0);
    }
    return memory(bits.length).copyFrom(MemorySegment.ofArray(bits));
  }

  /// Returns 32-bit numbers.
  public static MemorySegment ints(int count, IntUnaryOperator number) {
    MemorySegment ints = memory(4L * count);
    for (int i = 0; i < count; i++) {
      ints.set(INT, 4L * i, number.applyAsInt(i));
    }
    return ints;
  }

  private static MemorySegment longs(int count, IntUnaryOperator number) {
    MemorySegment longs = memory(8L * count);
    for (int i = 0; i < count; i++) {
      longs.set(LONG, 8L * i, number.applyAsInt(i));
    }
    return longs;
  }

  private static MemorySegment text(String text) {
    byte[] bytes = text.getBytes(StandardCharsets.US_ASCII);
    return memory(bytes.length).copyFrom(MemorySegment.ofArray(bytes));
  }

  private static MemorySegment memory(long bytes) {
    return Arena.ofAuto().allocate(bytes, 8);
  }
}
