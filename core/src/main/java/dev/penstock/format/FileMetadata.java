package dev.penstock.format;

import dev.penstock.schema.Schema;
import java.util.List;

/// What a file says of itself: its columns, and its rows in groups.
///
/// A format returns its own implementation and finds there, when the file is read, what it needs
/// beyond this. Immutable; share it freely among threads.
public interface FileMetadata {
  /// Returns the columns of the file; a column that cannot be read is
  /// [dev.penstock.schema.DataType.Unsupported].
  ///
  /// @return the schema
  Schema schema();

  /// Returns the row groups: the places where a file is best cut.
  ///
  /// @return an unmodifiable list in file order; a format without such places has one group
  List<RowGroup> rowGroups();

  /// Returns the number of rows.
  ///
  /// @return the sum over [#rowGroups()]
  default long rowCount() {
    return rowGroups().stream().mapToLong(RowGroup::rowCount).sum();
  }
}
