package dev.penstock.internal.scan;

import dev.penstock.internal.cache.CachedChunk;
import dev.penstock.internal.cache.CachedFile;
import dev.penstock.internal.clock.StageClock;
import dev.penstock.internal.slices.ColumnCopy;
import dev.penstock.internal.slices.SlicePart;
import dev.penstock.internal.slices.Texts;
import dev.penstock.internal.table.TableFile;
import dev.penstock.schema.Field;
import dev.penstock.schema.Schema;
import dev.penstock.spi.format.ColumnSlice;
import dev.penstock.spi.format.ScratchMemory;
import dev.penstock.spi.format.SliceReader;
import dev.penstock.spi.storage.StorageFile;
import dev.penstock.split.RowRange;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// Reads rows of a file from the cache, and decodes and keeps those that it does not have.
///
/// The rows are read in stretches. In each, the same columns are in the cache; the others are
/// decoded.
final class CachedReader implements SliceReader {
  private final TableFile file;
  private final CachedFile cache;
  private final StorageFile opened;
  private final Schema schema;
  private final ScratchMemory memory;
  private final List<Column> columns = new ArrayList<>();
  private final long end;
  private long row;
  private long stretchEnd;
  private List<Column> decoded = List.of(); // in this stretch
  private @Nullable SliceReader reader; // of these
  private CachedFile.@Nullable Recorder recorder;
  private @Nullable CompactSlices cuts; // of what is recorded

  private static final class Column {
    private final Field field;
    private final long key;
    private final ColumnCopy copy;
    private @Nullable CachedChunk held; // the rows of which `whole` are
    private @Nullable ColumnSlice whole;
    private @Nullable ColumnSlice slice;
    private boolean isDecoded; // in this stretch

    Column(Field field, ScratchMemory memory) {
      this.field = field;
      this.key = CachedFile.key(field);
      this.copy = ColumnCopy.of(field.type(), Texts.LENT, memory);
    }

    void cut(long row, int rows) {
      ColumnSlice all = Objects.requireNonNull(whole);
      int first = (int) (row - Objects.requireNonNull(held).firstRow());
      ColumnSlice part = SlicePart.of(all, first, rows);
      slice = part == null ? copy.copy(all, first, rows) : part;
    }

    void forget() {
      held = null;
      whole = null;
    }
  }

  private CachedReader(
      TableFile file,
      CachedFile cache,
      StorageFile opened,
      Schema schema,
      RowRange rows,
      ScratchMemory memory) {
    this.file = file;
    this.cache = cache;
    this.opened = opened;
    this.schema = schema;
    this.memory = memory;
    this.row = rows.offset();
    this.stretchEnd = row;
    this.end = rows.end();
    schema.fields().forEach(field -> columns.add(new Column(field, memory)));
    cache.folder().hold();
  }

  /// Opens rows of a file, as it numbers all of its rows, from the cache if there is one.
  static SliceReader open(
      TableFile file, StorageFile opened, Schema columns, RowRange rows, ScratchMemory memory)
      throws IOException {
    return file.cached().isEmpty() || columns.size() == 0
        ? decoding(file, opened, columns, rows, memory)
        : new CachedReader(file, file.cached().get().file(), opened, columns, rows, memory);
  }

  private static SliceReader decoding(
      TableFile file, StorageFile opened, Schema columns, RowRange rows, ScratchMemory memory)
      throws IOException {
    return file.format()
        .openReader(opened, file.metadata(opened), columns, rows.offset(), rows.length(), memory);
  }

  @Override
  public int next(int maxRows) throws IOException {
    int rows = -1;
    while (rows < 0) {
      if (row == end) {
        return 0;
      }
      if (row == stretchEnd) {
        begin();
      }
      rows = held((int) Math.min(maxRows, stretchEnd - row));
    }
    if (reader != null) {
      rows = decode(reader, rows, maxRows == 1);
    }
    for (Column column : columns) {
      if (!column.isDecoded) {
        column.cut(row, rows);
      }
    }
    row += rows;
    return rows;
  }

  /// Decides which columns are decoded in the next rows, and up to where.
  private void begin() throws IOException {
    endStretch();
    long[] covered = new long[columns.size()];
    long next = end;
    for (int i = 0; i < covered.length; i++) {
      covered[i] = cache.covered(columns.get(i).key, row, end);
      next = Math.min(next, covered[i]);
    }
    if (next > row) {
      stretchEnd = next;
      return;
    }
    next = end;
    for (int i = 0; i < covered.length; i++) {
      if (covered[i] == row) {
        next = Math.min(next, cache.next(columns.get(i).key, row, end));
      }
    }
    List<Column> missing = new ArrayList<>();
    for (int i = 0; i < covered.length; i++) {
      // One that ends within the stretch would end it: it is decoded as well.
      if (covered[i] < next) {
        missing.add(columns.get(i));
      }
    }
    Schema wanted = Schema.of(missing.stream().map(column -> column.field).toList());
    reader = decoding(file, opened, wanted, new RowRange(row, next - row), memory);
    cuts = new CompactSlices(wanted, memory);
    recorder = cache.new Recorder(missing.stream().mapToLong(column -> column.key).toArray());
    decoded = missing;
    decoded.forEach(column -> column.isDecoded = true);
    stretchEnd = next;
  }

  private void endStretch() {
    decoded.forEach(column -> column.isDecoded = false);
    decoded = List.of();
    if (recorder != null) {
      recorder.close();
      recorder = null;
    }
    if (cuts != null) {
      cuts.release();
      cuts = null;
    }
    if (reader != null) {
      SliceReader over = reader;
      reader = null;
      over.close();
    }
  }

  /// Finds the next rows of the columns that are not decoded. Returns how many rows all of them
  /// have; -1 if some prove not to be there.
  private int held(int maxRows) {
    int rows = maxRows;
    for (Column column : columns) {
      if (column.isDecoded) {
        continue;
      }
      CachedChunk held = column.held;
      if (held == null || row < held.firstRow() || row >= held.endRow()) {
        column.forget();
        held = cache.find(column.key, row);
        ColumnSlice whole = held == null ? null : held.slice(column.field.type());
        if (held == null || whole == null) { // Another process took it away, or it is damaged.
          stretchEnd = row;
          return -1;
        }
        StageClock.current().addCached(bytes(whole));
        column.held = held;
        column.whole = whole;
      }
      rows = (int) Math.min(rows, held.endRow() - row);
    }
    return rows;
  }

  private static long bytes(ColumnSlice slice) {
    long bytes = slice.values().byteSize();
    bytes += slice.validity() == null ? 0 : slice.validity().byteSize();
    bytes += slice.offsets() == null ? 0 : slice.offsets().byteSize();
    if (slice.codes() != null) {
      bytes = slice.codes().byteSize(); // without the dictionary, which many slices share
    }
    for (ColumnSlice child : slice.children()) {
      bytes += bytes(child);
    }
    return bytes;
  }

  private int decode(SliceReader open, int maxRows, boolean isAlone) throws IOException {
    int rows = open.next(maxRows);
    for (int i = 0; i < decoded.size(); i++) {
      decoded.get(i).slice = open.column(i);
    }
    // Rows that are read one by one were read before, together.
    if (rows > 0 && (!isAlone || row + rows == end)) {
      record(rows);
    }
    return rows;
  }

  private void record(int rows) {
    CachedFile.Recorder open = Objects.requireNonNull(recorder);
    CompactSlices cut = Objects.requireNonNull(cuts);
    List<ColumnSlice> columns =
        decoded.stream().map(column -> Objects.requireNonNull(column.slice)).toList();
    List<ColumnSlice> all = cut.cut(columns, 0, rows);
    int most = open.rowsMax(all);
    if (most == rows) {
      open.add(row, all);
      return;
    }
    for (int first = 0; first < rows; first += most) {
      open.add(row + first, cut.cut(columns, first, Math.min(most, rows - first)));
    }
  }

  @Override
  public void skip(long rows) throws IOException {
    row += rows;
    if (row >= stretchEnd) {
      endStretch();
      stretchEnd = row;
    } else if (reader != null) {
      reader.skip(rows);
    }
  }

  @Override
  public ColumnSlice column(int index) {
    ColumnSlice slice = columns.get(index).slice;
    if (slice == null) {
      throw new IllegalStateException(
          "Cannot give column '" + schema.fields().get(index).name() + "': call next() first.");
    }
    return slice;
  }

  @Override
  public void close() {
    try {
      endStretch();
    } finally {
      columns.forEach(column -> column.copy.release());
      columns.forEach(Column::forget);
      cache.folder().release();
    }
  }
}
