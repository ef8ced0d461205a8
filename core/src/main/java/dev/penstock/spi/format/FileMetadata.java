package dev.penstock.spi.format;

import dev.penstock.format.RowGroup;
import dev.penstock.schema.Schema;
import java.util.List;
import java.util.OptionalLong;

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

  /// Returns the numbers that the columns have in the table that the file was written for.
  ///
  /// @return one for each column of [#schema()], in order, with the same parts; empty where the
  ///   format has no such numbers
  default List<FieldId> fieldIds() {
    return List.of();
  }

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

  /// Returns what is known of a column in a row group, from the metadata alone.
  ///
  /// @param rowGroup the place of the row group in [#rowGroups()]
  /// @param column the column's name, or the path of a part of a struct, as [Schema#find] takes it;
  ///   a format may know more paths, for what is in lists and maps
  /// @return what is known; [ColumnStatistics#UNKNOWN] where the format has no statistics, the file
  ///   states none that can be relied on, or there is no such column
  /// @throws IndexOutOfBoundsException if there is no such row group
  default ColumnStatistics statistics(int rowGroup, String column) {
    return ColumnStatistics.UNKNOWN;
  }

  /// Returns how many values a column has in a row group, as the file states it: a hint for making
  /// room, not checked against the values.
  ///
  /// An empty list and a null count as one value. So the count is a multiple of the rows where all
  /// lists have one length.
  ///
  /// @param rowGroup the row group's place in [#rowGroups()]
  /// @param column a column as [Schema#find] takes it
  /// @return the values of all parts of the column together; empty when the file does not say
  default OptionalLong valueCount(int rowGroup, String column) {
    return OptionalLong.empty();
  }

  /// Returns about how much work it is to decode a column of a row group, as the file states it: a
  /// hint for workers who share rows by their columns, so that each has as much to do, not checked
  /// against the values.
  ///
  /// @param rowGroup the row group's place in [#rowGroups()]
  /// @param column a column as [Schema#find] takes it
  /// @return the work, in bytes that a thorough codec such as zstd decompresses meanwhile, at least
  ///   0; empty when the file does not say
  default OptionalLong decodingWork(int rowGroup, String column) {
    return OptionalLong.empty();
  }
}
