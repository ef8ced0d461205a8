package dev.penstock.internal.slices;

import dev.penstock.spi.format.ColumnSlice;
import dev.penstock.storage.Location;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Some rows of a file, by columns.
public interface Rows {
  Location file();

  /// Returns how many rows there are; they are numbered from 0.
  int count();

  /// Returns a column of [#count()] rows, by its place among the requested ones.
  ColumnSlice column(int index);

  /// Returns the rows as they are chosen from slices, for those who need not have them copied
  /// together; null if they are together already.
  default @Nullable SelectedSlice chosen() {
    return null;
  }

  /// Returns the number that a row has in its file, counted from 0.
  long fileRow(int index);

  /// Returns where a row was read, to name it in an error.
  default RowOrigin origin(int index) {
    return new RowOrigin(file(), fileRow(index));
  }

  /// Returns what a row was made of: itself, or the rows that a composition made it of.
  default List<RowPart> parts(int index) {
    return List.of(RowPart.whole(origin(index)));
  }

  /// Writes [#fileRow] of each, the first one to `target[at]`.
  default void fileRows(long[] target, int at) {
    for (int i = 0; i < count(); i++) {
      target[at + i] = fileRow(i);
    }
  }

  /// Returns how many rows precede a row when reading starts anew at its [#fileRow]: 0, unless
  /// several rows are made together, as by a transform.
  default int rowsBefore(int index) {
    return 0;
  }

  /// Returns where the file continues: the row after all that were looked at for these rows.
  long end();

  /// Returns how many rows precede the next one when reading starts anew at [#end()]: 0, unless
  /// more rows are made together than these.
  default int rowsBeforeEnd() {
    return 0;
  }
}
