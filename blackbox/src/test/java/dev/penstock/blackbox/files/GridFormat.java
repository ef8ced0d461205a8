package dev.penstock.blackbox.files;

import dev.penstock.format.RowGroup;
import dev.penstock.schema.DataType;
import dev.penstock.schema.Field;
import dev.penstock.schema.Schema;
import dev.penstock.spi.format.ColumnSlice;
import dev.penstock.spi.format.FileFormat;
import dev.penstock.spi.format.FileMetadata;
import dev.penstock.spi.format.LittleEndian;
import dev.penstock.spi.format.ScratchMemory;
import dev.penstock.spi.format.SliceReader;
import dev.penstock.spi.storage.StorageFile;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongFunction;

/// A format of somebody else, as small as can be, which is not found by `ServiceLoader`: the number
/// of columns, then row by row a 64-bit number for each column.
public class GridFormat implements FileFormat {
  private final boolean isRowMajor;
  private final long groupRows;
  private final AtomicInteger readers = new AtomicInteger();

  private record Contents(Schema schema, List<RowGroup> rowGroups) implements FileMetadata {}

  /// Made by `ServiceLoader` in a plugin.
  public GridFormat() {
    this(true, Long.MAX_VALUE);
  }

  /// Makes the format with row groups of `groupRows` rows.
  public GridFormat(boolean isRowMajor, long groupRows) {
    this.isRowMajor = isRowMajor;
    this.groupRows = groupRows;
  }

  /// Returns a file of some rows.
  public static byte[] file(int columns, int rows, LongFunction<Long> value) {
    ByteBuffer bytes = ByteBuffer.allocate(8 * (1 + columns * rows)).order(ByteOrder.LITTLE_ENDIAN);
    bytes.putLong(columns);
    for (long i = 0; i < (long) columns * rows; i++) {
      bytes.putLong(value.apply(i));
    }
    return bytes.array();
  }

  /// Returns how many readers were opened.
  public int readers() {
    return readers.get();
  }

  @Override
  public String name() {
    return "grid";
  }

  @Override
  public List<String> extensions() {
    return List.of("grid");
  }

  @Override
  public byte[] magic() {
    return new byte[0];
  }

  @Override
  public boolean isRowMajor() {
    return isRowMajor;
  }

  @Override
  public FileFormat withOptions(Map<String, String> options) {
    return new GridFormat(isRowMajor, Long.parseLong(options.get("row-group-rows")));
  }

  @Override
  public FileMetadata readMetadata(StorageFile file) throws IOException {
    long columns = ByteBuffer.wrap(file.bytes(0, 8)).order(ByteOrder.LITTLE_ENDIAN).getLong();
    List<Field> fields = new ArrayList<>();
    for (int i = 0; i < columns; i++) {
      fields.add(new Field("c" + i, DataType.int64(), false));
    }
    List<RowGroup> groups = new ArrayList<>();
    for (long left = (file.size() - 8) / 8 / columns; left > 0; left -= groupRows) {
      long rows = Math.min(left, groupRows);
      groups.add(new RowGroup(rows, rows * columns * 8));
    }
    return new Contents(Schema.of(fields), groups);
  }

  @Override
  public SliceReader openReader(
      StorageFile file,
      FileMetadata metadata,
      Schema columns,
      long firstRow,
      long rowCount,
      ScratchMemory memory) {
    readers.incrementAndGet();
    return new Reader(file, metadata.schema(), columns, firstRow, firstRow + rowCount, memory);
  }

  private static final class Reader implements SliceReader {
    private static final int ROWS_MAX = 1_000;
    private final StorageFile file;
    private final List<Field> wanted;
    private final int[] places;
    private final int width; // of a row in bytes
    private final ScratchMemory memory;
    private final MemorySegment rows;
    private final MemorySegment values; // of one column after the other
    private final long end;
    private long row;
    private int count;

    Reader(
        StorageFile file, Schema stored, Schema columns, long row, long end, ScratchMemory memory) {
      this.file = file;
      this.wanted = columns.fields();
      this.places = columns.names().stream().mapToInt(stored::indexOf).toArray();
      this.width = 8 * stored.size();
      this.row = row;
      this.end = end;
      this.memory = memory;
      this.rows = memory.take((long) ROWS_MAX * width);
      this.values = memory.take(8L * ROWS_MAX * Math.max(1, places.length));
    }

    @Override
    public int next(int maxRows) throws IOException {
      count = (int) Math.min(Math.min(maxRows, ROWS_MAX), end - row);
      if (count > 0) {
        file.read(8 + row * width, rows.asSlice(0, (long) count * width));
        for (int i = 0; i < places.length; i++) {
          for (int j = 0; j < count; j++) {
            long value = rows.get(LittleEndian.LONG, (long) j * width + 8L * places[i]);
            values.set(LittleEndian.LONG, 8L * (i * ROWS_MAX + j), value);
          }
        }
        row += count;
      }
      return count;
    }

    @Override
    public void skip(long skipped) {
      row += skipped;
    }

    @Override
    public ColumnSlice column(int index) {
      MemorySegment column = values.asSlice(8L * index * ROWS_MAX, 8L * ROWS_MAX);
      return ColumnSlice.fixed(wanted.get(index).type(), count, 0, null, column);
    }

    @Override
    public void close() {
      memory.give(rows);
      memory.give(values);
    }
  }
}
