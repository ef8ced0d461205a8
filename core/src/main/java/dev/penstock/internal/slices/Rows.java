package dev.penstock.internal.slices;

import dev.penstock.spi.format.ColumnSlice;
import dev.penstock.storage.Location;
import org.jspecify.annotations.Nullable;

/// Some rows of a file, by columns.
public interface Rows {
  /// Returns the file.
  ///
  /// @return where it is
  Location file();

  /// Returns how many rows there are.
  ///
  /// @return 0 or more
  int count();

  /// Returns a column.
  ///
  /// @param index the place of the column among the requested ones
  /// @return the column, of [#count()] rows
  ColumnSlice column(int index);

  /// Returns the rows as they are chosen from slices, for those who need not have them copied
  /// together.
  ///
  /// @return null if they are together already
  default @Nullable ChosenRows chosen() {
    return null;
  }

  /// Returns the number that a row has in its file.
  ///
  /// @param index the row, in `[0, count())`
  /// @return the row, counted from 0 in the file
  long fileRow(int index);

  /// Returns where a row was read, to name it in an error.
  ///
  /// @param index the row, in `[0, count())`
  /// @return its file and its row there
  default RowOrigin origin(int index) {
    return new RowOrigin(file(), fileRow(index));
  }

  /// Writes which rows of the file these are: [#fileRow] of each.
  ///
  /// @param target where they go
  /// @param at the place of the first one
  default void fileRows(long[] target, int at) {
    for (int i = 0; i < count(); i++) {
      target[at + i] = fileRow(i);
    }
  }

  /// Returns how many rows precede a row when reading starts anew at its [#fileRow].
  ///
  /// @param index the row, in `[0, count())`
  /// @return 0, unless several rows are made together, as by a transform
  default int rowsBefore(int index) {
    return 0;
  }

  /// Returns where the file continues: the row after all that were looked at for these rows.
  ///
  /// @return the row, counted from 0 in the file
  long end();

  /// Returns how many rows precede the next one when reading starts anew at [#end()].
  ///
  /// @return 0, unless more rows are made together than these
  default int rowsBeforeEnd() {
    return 0;
  }
}
