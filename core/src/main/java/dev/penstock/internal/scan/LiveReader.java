package dev.penstock.internal.scan;

import dev.penstock.internal.slices.ColumnCopy;
import dev.penstock.internal.slices.RowMask;
import dev.penstock.internal.slices.SelectedSlice;
import dev.penstock.internal.slices.Selection;
import dev.penstock.internal.slices.Texts;
import dev.penstock.internal.table.TableFile;
import dev.penstock.schema.Field;
import dev.penstock.schema.Schema;
import dev.penstock.spi.format.ColumnSlice;
import dev.penstock.spi.format.RowSet;
import dev.penstock.spi.format.ScratchMemory;
import dev.penstock.spi.format.SliceReader;
import dev.penstock.spi.storage.StorageFile;
import dev.penstock.split.RowRange;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Reads the live rows of a file, where others were deleted. The live rows of a slice are copied
/// together when a column is asked for, unless all of its rows are live.
final class LiveReader implements SliceReader, SelectedSlice {
  /// Up to this many rows that are not live are read before one that is: a slice that begins
  /// elsewhere than its pages or its record has to be copied.
  private static final int GAP_READ_MAX = 64;

  private final SliceReader stored;
  private final RowSet live;
  private final long end;
  private final List<ColumnCopy> columns = new ArrayList<>();
  private long row; // the next row, counted among live rows
  private long storedRow; // the next row of the stored reader, not after live row `row`
  private final RowMask kept = new RowMask(); // of the last slice
  private final boolean[] isCopied; // of its columns

  private LiveReader(
      SliceReader stored, RowSet live, Schema schema, RowRange rows, ScratchMemory memory) {
    this.stored = stored;
    this.live = live;
    this.row = rows.offset();
    this.end = rows.end();
    this.storedRow = live.row(row);
    this.isCopied = new boolean[schema.size()];
    for (Field field : schema.fields()) {
      columns.add(ColumnCopy.of(field.type(), Texts.LENT, memory));
    }
  }

  /// Opens rows of a file, counted among live ones.
  static SliceReader open(
      TableFile file, StorageFile opened, Schema columns, RowRange rows, ScratchMemory memory)
      throws IOException {
    RowRange inFile = file.stored(rows.offset(), rows.length());
    SliceReader stored = CachedReader.open(file, opened, columns, inFile, memory);
    return inFile.length() == rows.length()
        ? stored
        : new LiveReader(stored, file.live().orElseThrow(), columns, rows, memory);
  }

  @Override
  public int next(int maxRows) throws IOException {
    if (row == end) {
      return 0;
    }
    do {
      if (live.row(row) - storedRow >= Math.min(GAP_READ_MAX, maxRows)) {
        skipTo(live.row(row));
      }
      int rows = stored.next((int) Math.min(maxRows, live.row(end - 1) + 1 - storedRow));
      kept.choose(live, storedRow, rows);
      storedRow += rows;
    } while (kept.count() == 0);
    Arrays.fill(isCopied, false);
    row += kept.count();
    return kept.count();
  }

  @Override
  public void skip(long rows) throws IOException {
    row += rows;
    if (row < end) {
      skipTo(live.row(row)); // a gap that is read has no live rows
    }
  }

  private void skipTo(long next) throws IOException {
    if (next > storedRow) {
      stored.skip(next - storedRow);
      storedRow = next;
    }
  }

  @Override
  public ColumnSlice column(int index) {
    if (kept.areAll()) {
      return stored.column(index);
    }
    if (!isCopied[index]) {
      columns.get(index).clear();
      columns.get(index).append(stored.column(index), kept.selection());
      isCopied[index] = true;
    }
    return columns.get(index).slice();
  }

  @Override
  public @Nullable Selection chosen() {
    return kept.areAll() ? null : kept.selection();
  }

  @Override
  public ColumnSlice all(int index) {
    return stored.column(index);
  }

  @Override
  public void close() {
    columns.forEach(ColumnCopy::release);
    stored.close();
  }
}
