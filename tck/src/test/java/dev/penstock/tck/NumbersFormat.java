package dev.penstock.tck;

import static java.nio.charset.StandardCharsets.US_ASCII;

import dev.penstock.format.RowGroup;
import dev.penstock.schema.DataType;
import dev.penstock.schema.Field;
import dev.penstock.schema.Schema;
import dev.penstock.spi.format.Bound;
import dev.penstock.spi.format.ByteRange;
import dev.penstock.spi.format.ColumnSlice;
import dev.penstock.spi.format.ColumnStatistics;
import dev.penstock.spi.format.FileFormat;
import dev.penstock.spi.format.FileMetadata;
import dev.penstock.spi.format.FilePlace;
import dev.penstock.spi.format.ScratchMemory;
import dev.penstock.spi.format.SliceReader;
import dev.penstock.spi.storage.StorageFile;
import java.io.ByteArrayInputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalLong;
import java.util.zip.CRC32;

/// Columns of whole numbers in row groups, with statistics and checksums; right, but for one
/// [FormatFault].
///
/// A block for each column of each row group: a byte for each row, 1 where there is a value, then
/// the values as longs. Behind the blocks a footer, its checksum, and its length.
public final class NumbersFormat implements FileFormat {
  static final DataType TYPE = new DataType.Int(64, true);
  static final String MAGIC = "NUM1";
  static volatile FormatFault fault = FormatFault.NONE;

  /// For `ServiceLoader`.
  public NumbersFormat() {}

  private static boolean has(FormatFault one) {
    return fault == one;
  }

  private record Block(long offset, int crc, int nulls, long lower, long upper) {}

  private record Group(int rows, List<Block> blocks) {}

  private record Contents(Schema schema, List<Group> groups) implements FileMetadata {
    @Override
    public List<RowGroup> rowGroups() {
      return groups.stream().map(group -> new RowGroup(group.rows, 9L * group.rows)).toList();
    }

    @Override
    public ColumnStatistics statistics(int rowGroup, String column) {
      Group group = groups.get(rowGroup);
      Block block = group.blocks.get(schema.indexOf(column));
      long nulls = has(FormatFault.NO_NULLS_IN_STATISTICS) ? 0 : block.nulls;
      long upper = block.upper - (has(FormatFault.UPPER_BOUND_TOO_LOW) ? 1 : 0);
      long lower = block.lower + (has(FormatFault.LOWER_BOUND_TOO_HIGH) ? 1 : 0);
      boolean known = block.nulls < group.rows && lower <= upper;
      return new ColumnStatistics(
          OptionalLong.of(group.rows),
          OptionalLong.of(nulls),
          OptionalLong.empty(),
          known ? new Bound(lower, false) : null,
          known ? new Bound(upper, false) : null);
    }
  }

  @Override
  public String name() {
    return "numbers";
  }

  @Override
  public List<String> extensions() {
    return List.of("numbers");
  }

  @Override
  public byte[] magic() {
    return (has(FormatFault.ANOTHER_MAGIC) ? "NUM2" : MAGIC).getBytes(US_ASCII);
  }

  @Override
  public FileMetadata readMetadata(StorageFile file) throws IOException {
    FilePlace place = new FilePlace(file.location(), "footer");
    long size = file.size();
    if (size < 12) {
      throw place.fail("Truncated file: it has " + size + " bytes.");
    }
    ByteBuffer tail = ByteBuffer.wrap(file.bytes(size - 8, 8));
    int crc = tail.getInt();
    int length = tail.getInt();
    if (has(FormatFault.MEMORY_AS_THE_FILE_SAYS) && length > size) {
      length = new long[Integer.MAX_VALUE].length;
    }
    if (has(FormatFault.CUT_IS_NOT_NOTICED) && (length < 0 || length > size - 12)) {
      return new Contents(Schema.of(List.of(new Field("c0", TYPE, true))), List.of());
    }
    if (length < 8 || length > size - 12) {
      throw place.fail("Corrupt file: its footer has " + length + " bytes.");
    }
    byte[] footer = file.bytes(size - 8 - length, length);
    if (crc(footer) != crc) {
      if (has(FormatFault.WRONG_EXCEPTION)) {
        throw new IllegalStateException("crc");
      }
      throw place.fail("Corrupt file: the checksum of its footer differs.");
    }
    DataInputStream in = new DataInputStream(new ByteArrayInputStream(footer));
    List<Field> fields = new ArrayList<>();
    for (int left = in.readInt(); left > 0; left--) {
      fields.add(new Field(in.readUTF(), TYPE, in.readBoolean()));
    }
    List<Group> groups = new ArrayList<>();
    for (int left = in.readInt(); left > 0; left--) {
      int rows = in.readInt();
      List<Block> blocks = new ArrayList<>();
      for (int c = 0; c < fields.size(); c++) {
        blocks.add(
            new Block(in.readLong(), in.readInt(), in.readInt(), in.readLong(), in.readLong()));
      }
      groups.add(new Group(rows, blocks));
    }
    return new Contents(Schema.of(fields), groups);
  }

  static int crc(byte[] bytes) {
    CRC32 crc = new CRC32();
    crc.update(bytes);
    return (int) crc.getValue();
  }

  @Override
  public List<ByteRange> ranges(
      FileMetadata metadata, Schema columns, long firstRow, long rowCount) {
    return has(FormatFault.RANGES_BEHIND_THE_END)
        ? List.of(new ByteRange(0, Integer.MAX_VALUE))
        : List.of();
  }

  @Override
  public SliceReader openReader(
      StorageFile file,
      FileMetadata metadata,
      Schema columns,
      long firstRow,
      long rowCount,
      ScratchMemory memory)
      throws IOException {
    return new Reader(file, (Contents) metadata, columns, firstRow, rowCount, memory);
  }

  /// Reads all rows that are asked for when it is opened.
  private static final class Reader implements SliceReader {
    private static List<ColumnSlice> shared = List.of();

    private final StorageFile file;
    private final Schema columns;
    private final ScratchMemory memory;
    private final List<MemorySegment> taken = new ArrayList<>();
    private final List<long[]> values = new ArrayList<>();
    private final List<boolean[]> present = new ArrayList<>();
    private final int rowCount;
    private List<ColumnSlice> slices = List.of();
    private int done;
    private int skipped;
    private boolean closed;

    Reader(
        StorageFile file,
        Contents contents,
        Schema columns,
        long firstRow,
        long rowCount,
        ScratchMemory memory)
        throws IOException {
      this.file = file;
      this.columns = columns;
      this.memory = memory;
      this.rowCount = (int) rowCount;
      for (int c = 0; c < columns.size(); c++) {
        int index =
            has(FormatFault.COLUMNS_IN_THE_ORDER_OF_THE_FILE)
                ? c
                : contents.schema.indexOf(columns.names().get(c));
        read(contents, index, (int) firstRow);
      }
    }

    private void read(Contents contents, int column, int firstRow) throws IOException {
      long[] numbers = new long[rowCount];
      boolean[] known = new boolean[rowCount];
      int start = 0;
      for (Group group : contents.groups) {
        int from = Math.max(0, firstRow - start);
        int at = Math.max(0, start - firstRow);
        int rows = Math.min(group.rows - from, rowCount - at);
        if (rows > 0) {
          ByteBuffer block = block(group, group.blocks.get(column));
          int first = has(FormatFault.RUNS_BEGIN_WITH_THEIR_ROW_GROUP) ? 0 : from;
          for (int i = 0; i < rows; i++) {
            known[at + i] = block.get(first + i) == 1;
            numbers[at + i] = block.getLong(group.rows + 8 * (first + i));
          }
          if (has(FormatFault.RUNS_END_WITH_THEIR_ROW_GROUP)) {
            break;
          }
        }
        start += group.rows;
      }
      if (has(FormatFault.ROWS_BEHIND_8192_ARE_LOST) && rowCount > 8_192) {
        Arrays.fill(numbers, 8_192, rowCount, 0);
      }
      if (has(FormatFault.NULLS_ARE_ZERO)) {
        Arrays.fill(known, true);
      }
      values.add(numbers);
      present.add(known);
    }

    private ByteBuffer block(Group group, Block block) throws IOException {
      byte[] bytes = file.bytes(block.offset, 9 * group.rows);
      if (crc(bytes) != block.crc) {
        if (has(FormatFault.WRONG_EXCEPTION)) {
          throw new ArrayIndexOutOfBoundsException(17);
        }
        throw new FilePlace(file.location(), "block")
            .fail(block.offset, "Corrupt file: the checksum of a block differs.");
      }
      return ByteBuffer.wrap(bytes);
    }

    @Override
    public int next(int maxRows) {
      free();
      int more = has(FormatFault.MORE_ROWS_THAN_ASKED_FOR) ? 5 : 0;
      int rows = Math.min(maxRows + more, rowCount - done);
      List<ColumnSlice> made = new ArrayList<>();
      for (int c = 0; c < columns.size(); c++) {
        made.add(slice(values.get(c), present.get(c), rows));
      }
      slices = made;
      shared = made;
      done += rows;
      return rows;
    }

    private ColumnSlice slice(long[] numbers, boolean[] known, int rows) {
      MemorySegment target = take(8L * rows + 8);
      MemorySegment bits = take(rows / 8 + 1).fill((byte) 0);
      int nulls = 0;
      for (int i = 0; i < rows; i++) {
        int row = has(FormatFault.SKIP_ONLY_COUNTS) ? done + i - skipped : done + i;
        target.set(ValueLayout.JAVA_LONG, 8L * i, numbers[row]);
        if (known[row]) {
          byte before = bits.get(ValueLayout.JAVA_BYTE, i / 8);
          bits.set(ValueLayout.JAVA_BYTE, i / 8, (byte) (before | 1 << i % 8));
        } else {
          nulls++;
        }
      }
      return ColumnSlice.fixed(TYPE, rows, nulls, nulls == 0 ? null : bits, target);
    }

    private MemorySegment take(long bytes) {
      MemorySegment segment = memory.take(bytes);
      taken.add(segment);
      return segment;
    }

    private void free() {
      taken.forEach(memory::give);
      taken.clear();
    }

    @Override
    public void skip(long rows) {
      skipped += (int) rows;
      done += (int) rows - (has(FormatFault.SKIP_STOPS_ONE_SHORT) ? 1 : 0);
    }

    @Override
    public ColumnSlice column(int index) {
      return (has(FormatFault.SLICES_SHARED_BY_READERS) ? shared : slices).get(index);
    }

    @Override
    public void close() {
      if (closed && has(FormatFault.SECOND_CLOSE_FAILS)) {
        throw new IllegalStateException("closed");
      }
      closed = true;
      if (has(FormatFault.FILE_IS_CLOSED)) {
        try {
          file.close();
        } catch (IOException e) {
          throw new java.io.UncheckedIOException(e);
        }
      }
      if (!has(FormatFault.MEMORY_IS_KEPT)) {
        free();
      }
    }
  }
}
