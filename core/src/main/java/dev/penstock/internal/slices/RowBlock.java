package dev.penstock.internal.slices;

import dev.penstock.format.ColumnSlice;
import dev.penstock.format.ScratchMemory;
import dev.penstock.schema.Field;
import dev.penstock.schema.Schema;
import dev.penstock.storage.Location;
import java.util.ArrayList;
import java.util.List;

/// Copies of chosen rows, to be kept when the reader moves on.
///
/// Columns are added to one by one, in pieces; when all are added to, the block has as many rows as
/// each of them.
///
/// **Ownership.** Owns its memory until [#release()]; [#clear] keeps it for other rows.
///
/// **Threads.** One at a time.
public final class RowBlock implements Rows {
  private final List<ColumnCopy> columns = new ArrayList<>();
  private Location file;
  private long[] fileRows = {};
  private int count;
  private long end;

  /// Makes a block without rows.
  ///
  /// @param schema the columns
  /// @param memory where it takes its memory from
  /// @param file the file that the rows are from
  public RowBlock(Schema schema, ScratchMemory memory, Location file) {
    this.file = file;
    for (Field field : schema.fields()) {
      columns.add(new ColumnCopy(field.type(), memory));
    }
  }

  /// Forgets all rows.
  ///
  /// @param next the file that the next rows are from
  public void clear(Location next) {
    file = next;
    count = 0;
    columns.forEach(ColumnCopy::clear);
  }

  /// Copies all of some rows.
  ///
  /// @param rows the rows, with the same columns
  public void copy(Rows rows) {
    clear(rows.file());
    int[] all = Selection.all(rows.count());
    for (int i = 0; i < columns.size(); i++) {
      columns.get(i).append(rows.column(i), all, 0, rows.count(), 0);
    }
    if (fileRows.length < rows.count()) {
      fileRows = new long[rows.count()];
    }
    for (int i = 0; i < rows.count(); i++) {
      fileRows[i] = rows.fileRow(i);
    }
    count = rows.count();
    end = rows.end();
  }

  /// Copies rows of a column behind those that are there.
  ///
  /// @param column the column
  /// @param slice where the rows are
  /// @param chosen which rows, rising: `chosen[from]` to `chosen[to - 1]`, each less `base`
  /// @param from the first of the chosen
  /// @param to the one behind the last
  /// @param base what the slice's first row is counted as
  void append(int column, ColumnSlice slice, int[] chosen, int from, int to, int base) {
    columns.get(column).append(slice, chosen, from, to, base);
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
    return fileRows[index];
  }

  @Override
  public long end() {
    return end;
  }
}
