package dev.penstock.internal.slices;

import dev.penstock.schema.Field;
import dev.penstock.schema.Schema;
import dev.penstock.spi.format.ColumnSlice;
import dev.penstock.spi.format.ScratchMemory;
import dev.penstock.storage.Location;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
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

  /// Starts without rows.
  ///
  /// @param schema the columns
  /// @param texts how values that are places in a dictionary are copied
  /// @param memory where it takes its memory from
  /// @param file the file that the rows are from
  public RowCopies(Schema schema, Texts texts, ScratchMemory memory, Location file) {
    this.file = file;
    for (Field field : schema.fields()) {
      columns.add(new ColumnCopy(field.type(), texts, memory));
    }
  }

  /// Makes room in a column at once for rows like some of them.
  ///
  /// @param column the column
  /// @param some the first rows
  /// @param rows how many rows are to come
  public void reserve(int column, ColumnSlice some, int rows) {
    columns.get(column).reserve(some, rows);
  }

  /// Forgets all rows.
  ///
  /// @param next the file that the next rows are from
  public void clear(Location next) {
    file = next;
    count = 0;
    before = 0;
    behindEnd = 0;
    neighbours = false;
    columns.forEach(ColumnCopy::clear);
  }

  /// Replaces all rows by copies of others.
  ///
  /// @param rows the rows, with the same columns
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

  /// Appends copies of rows.
  ///
  /// @param rows the rows, with the same columns, of the same file
  public void append(Rows rows) {
    if (fileRows.length < count + rows.count()) {
      fileRows = Arrays.copyOf(fileRows, Math.max(2 * fileRows.length, count + rows.count()));
    }
    rows.fileRows(fileRows, count);
    appendColumns(rows);
  }

  private void appendColumns(Rows rows) {
    for (int i = 0; i < columns.size(); i++) {
      append(i, rows.column(i), rows.count());
    }
    count += rows.count();
    end = rows.end();
  }

  /// Appends all rows of a slice to a column.
  ///
  /// @param column the column
  /// @param slice where the rows are
  /// @param rows how many there are
  public void append(int column, ColumnSlice slice, int rows) {
    columns.get(column).append(slice, 0, rows);
  }

  /// Appends neighbouring rows of a slice to a column.
  ///
  /// @param column the column
  /// @param slice where the rows are
  /// @param first the first of them
  /// @param rows how many there are
  public void append(int column, ColumnSlice slice, int first, int rows) {
    columns.get(column).append(slice, first, rows);
  }

  /// Puts the rows of a column in another order.
  ///
  /// A column's old memory is used for the next column, while it is still in the cache.
  ///
  /// @param column the column
  /// @param order the order of all of its rows
  public void reorder(int column, RowOrder order) {
    ColumnCopy before = columns.get(column);
    ColumnCopy after = before.alike();
    columns.set(column, after); // released with this, also if memory runs out below
    try {
      after.appendInOrder(before.slice(), order);
    } finally {
      before.release();
    }
  }

  /// Returns whether [#place] can write a column.
  ///
  /// @param column the column
  /// @return whether its values have 4 or 8 bytes
  public boolean isPlaceable(int column) {
    return columns.get(column).isPlaceable();
  }

  /// Writes neighbouring rows of a slice to their places in a column.
  ///
  /// @param column the column; all of its rows are written so
  /// @param slice where the rows are
  /// @param first the first of them
  /// @param places where they go
  /// @param rows how many there are
  /// @param all how many rows the column has
  public void place(int column, ColumnSlice slice, int first, int[] places, int rows, int all) {
    columns.get(column).place(slice, first, places, rows, all);
  }

  /// Sets the number of rows after the columns were copied one by one.
  ///
  /// @param rows the rows of each column
  public void end(int rows) {
    count = rows;
  }

  /// Appends chosen rows of a slice to a column.
  ///
  /// @param column the column
  /// @param slice where the rows are
  /// @param chosen which rows: `chosen[from]` to `chosen[to - 1]`, each less `base`
  /// @param from the first of the chosen
  /// @param to the one after the last
  /// @param base the number of the slice's first row among the chosen
  public void append(int column, ColumnSlice slice, int[] chosen, int from, int to, int base) {
    columns.get(column).append(slice, chosen, from, to, base);
  }

  /// Adds elements to the next list of a column, see [#endList].
  ///
  /// @param column a column of lists
  /// @param elements where they are
  /// @param first the first of them
  /// @param rows how many there are
  public void addElements(int column, ColumnSlice elements, int first, int rows) {
    columns.get(column).elements().append(elements, first, rows);
  }

  /// Adds numbers, each one more than the one before, to the next list of a column, see [#endList].
  ///
  /// @param column a column of lists of 32-bit integers
  /// @param first the first number
  /// @param numbers how many there are
  public void addCounting(int column, int first, int numbers) {
    columns.get(column).elements().appendCounting(first, numbers);
  }

  /// Adds a number several times to the next list of a column, see [#endList].
  ///
  /// @param column a column of lists of 32-bit integers
  /// @param number the number
  /// @param times how often
  public void addSame(int column, int number, int times) {
    columns.get(column).elements().appendSame(number, times);
  }

  /// Appends a 32-bit integer to a column.
  ///
  /// @param column a column of 32-bit integers
  /// @param number the number
  public void appendInt(int column, int number) {
    columns.get(column).appendSame(number, 1);
  }

  /// Adds zeros, empty texts and the like to the next list of a column, see [#endList].
  ///
  /// @param column a column of lists
  /// @param rows how many
  public void addZeros(int column, int rows) {
    columns.get(column).elements().appendZeros(rows);
  }

  /// Ends the next list of a column: its elements are those that were added.
  ///
  /// @param column a column of lists
  public void endList(int column) {
    columns.get(column).endList();
  }

  /// Returns some rows of a column, without copying them where that is possible.
  ///
  /// @param column the column
  /// @param first the first row
  /// @param rows how many
  /// @return the rows, valid as long as this block's; null if they have to be copied
  public @Nullable ColumnSlice part(int column, int first, int rows) {
    return SlicePart.of(column(column), first, rows);
  }

  /// Returns how much memory the rows take.
  ///
  /// @return bytes, about
  public long bytes() {
    return columns.stream().mapToLong(ColumnCopy::bytes).sum();
  }

  /// Gives all memory back.
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
