package dev.penstock.internal.slices;

import dev.penstock.internal.plan.RowOrder;
import dev.penstock.schema.Schema;
import dev.penstock.spi.format.ColumnSlice;
import dev.penstock.spi.format.ScratchMemory;
import dev.penstock.storage.Location;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/// Copies of chosen rows, which stay when the reader moves on.
///
/// Rows are appended to one column at a time, in pieces; in the end each column must have all rows
/// of the block.
///
/// **Ownership.** Owns its memory until [#release()]; [#clear] keeps it for other rows.
///
/// **Threads.** One at a time.
public final class RowCopies implements Rows {
  private final Schema schema;
  private final Texts texts;
  private final ScratchMemory memory;
  private final List<ColumnCopy> columns = new ArrayList<>();
  private Location file;
  private long[] fileRows = {};
  private boolean neighbours; // consecutive in the file: then only the first is recorded
  private long firstRow;
  private int count;
  private boolean together; // whether some rows come again together when read anew
  private int before; // rows that come again together with the first one, before it
  private long end;
  private int behindEnd;
  private List<List<RowPart>> parts = List.of(); // empty where they were not kept

  public RowCopies(Schema schema, Texts texts, ScratchMemory memory, Location file) {
    this.schema = schema;
    this.texts = texts;
    this.memory = memory;
    this.file = file;
    for (int column = 0; column < schema.size(); column++) {
      columns.add(empty(column));
    }
  }

  private ColumnCopy empty(int column) {
    return ColumnCopy.of(schema.fields().get(column).type(), texts, memory);
  }

  /// Makes room in a column for `rows` rows like `some`, so that its memory does not grow in steps.
  public void reserve(int column, ColumnSlice some, int rows) {
    columns.get(column).reserve(some, rows);
  }

  /// Forgets all rows; the next ones are of the file `next`.
  public void clear(Location next) {
    file = next;
    count = 0;
    before = 0;
    behindEnd = 0;
    neighbours = false;
    parts = List.of();
    columns.forEach(ColumnCopy::clear);
  }

  /// Replaces all rows by copies of others, with the same columns.
  public void copy(Rows rows) {
    clear(rows.file());
    int all = rows.count();
    together = all > 1 && rows.rowsBefore(all - 1) > rows.rowsBefore(0);
    before = all == 0 ? 0 : rows.rowsBefore(0);
    behindEnd = rows.rowsBeforeEnd();
    neighbours = all > 1 && rows.fileRow(all - 1) - rows.fileRow(0) == all - 1 && !together;
    if (neighbours) {
      firstRow = rows.fileRow(0);
      appendColumns(rows);
    } else {
      append(rows);
    }
  }

  /// Keeps what the rows that were copied last, by [#copy], were made of.
  public void keepParts(Rows rows) {
    parts = IntStream.range(0, rows.count()).mapToObj(rows::parts).toList();
  }

  /// Appends copies of rows with the same columns, of the same file.
  public void append(Rows rows) {
    if (fileRows.length < count + rows.count()) {
      fileRows = Arrays.copyOf(fileRows, Math.max(2 * fileRows.length, count + rows.count()));
    }
    rows.fileRows(fileRows, count);
    appendColumns(rows);
  }

  private void appendColumns(Rows rows) {
    Selection all = Selection.range(0, rows.count());
    for (int i = 0; i < columns.size(); i++) {
      append(i, rows.column(i), all);
    }
    count += rows.count();
    end = rows.end();
  }

  public void append(int column, ColumnSlice slice, Selection chosen) {
    columns.get(column).append(slice, chosen);
  }

  /// Puts the rows of a column in another order.
  ///
  /// A column's old memory is used for the next column, while it is still in the cache.
  public void reorder(int column, RowOrder order) {
    ColumnCopy before = columns.get(column);
    ColumnCopy after = empty(column);
    columns.set(column, after); // released with this, also if memory runs out below
    try {
      after.appendInOrder(before.slice(), order);
    } finally {
      before.release();
    }
  }

  /// Returns whether [#place] can write a column: whether its values have 4 or 8 bytes.
  public boolean isPlaceable(int column) {
    return columns.get(column) instanceof FixedCopy fixed && fixed.isPlaceable();
  }

  /// Writes neighbouring rows of a slice to their places in a column of `all` rows. All rows of the
  /// column have to be written this way.
  public void place(int column, ColumnSlice slice, int first, int[] places, int rows, int all) {
    fixed(columns.get(column)).place(slice, first, places, rows, all);
  }

  private static FixedCopy fixed(ColumnCopy column) {
    return (FixedCopy) column;
  }

  /// Sets the number of rows after the columns were copied one by one.
  public void end(int rows) {
    count = rows;
  }

  public void appendInt(int column, int number) {
    fixed(columns.get(column)).appendInts(number, 0, 1);
  }

  private ListCopy list(int column) {
    return (ListCopy) columns.get(column);
  }

  /// Adds neighbouring elements to the next list of a column, see [#endList].
  public void addElements(int column, ColumnSlice elements, int first, int count) {
    list(column).elements.append(elements, Selection.range(first, count));
  }

  /// Adds 32-bit integers, each `step` more than the one before, to the next list of a column.
  public void addInts(int column, int first, int step, int count) {
    fixed(list(column).elements).appendInts(first, step, count);
  }

  /// Adds zeros, empty texts and the like to the next list of a column.
  public void addZeros(int column, int count) {
    list(column).elements.appendZeros(count);
  }

  /// Ends the next list of a column: its elements are those that were added.
  public void endList(int column) {
    list(column).endList();
  }

  /// Returns neighbouring rows of a column without copying them; null if they have to be copied.
  public @Nullable ColumnSlice part(int column, int first, int rows) {
    return SlicePart.of(column(column), first, rows);
  }

  public long bytes() {
    return columns.stream().mapToLong(ColumnCopy::bytes).sum();
  }

  public void release() {
    columns.forEach(ColumnCopy::release);
  }

  @Override
  public Location file() {
    return file;
  }

  @Override
  public int count() {
    return count;
  }

  @Override
  public ColumnSlice column(int index) {
    return columns.get(index).slice();
  }

  @Override
  public long fileRow(int index) {
    return neighbours ? firstRow + index : fileRows[index];
  }

  @Override
  public List<RowPart> parts(int index) {
    return parts.isEmpty() ? Rows.super.parts(index) : parts.get(index);
  }

  @Override
  public int rowsBefore(int index) {
    int first = index;
    while (together && first > 0 && fileRows[first - 1] == fileRows[index]) {
      first--;
    }
    return index - first + (first == 0 ? before : 0);
  }

  @Override
  public long end() {
    return end;
  }

  @Override
  public int rowsBeforeEnd() {
    return behindEnd;
  }
}
