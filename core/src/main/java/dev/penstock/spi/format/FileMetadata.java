package dev.penstock.spi.format;

import dev.penstock.format.RowGroup;
import dev.penstock.schema.Schema;
import java.util.List;
import java.util.OptionalLong;

/// The metadata of a file: its columns and its row groups.
///
/// A format returns its own implementation, which holds whatever else it needs to read the file.
/// Immutable; share it freely among threads.
public interface FileMetadata {
  /// Returns the columns of the file; a column that cannot be read is
  /// [dev.penstock.schema.DataType.Unsupported].
  ///
  /// @return the schema
  Schema schema();

  /// Returns the columns' numbers in the table that the file was written for.
  ///
  /// @return one for each column of [#schema()], in order, with the same parts; empty if the format
  ///   has no such numbers
  default List<FieldId> fieldIds() {
    return List.of();
  }

  /// Returns the row groups: a file is best cut between them.
  ///
  /// @return an unmodifiable list in file order; a format without row groups has one
  List<RowGroup> rowGroups();

  /// Returns the number of rows.
  ///
  /// @return the sum over [#rowGroups()]
  default long rowCount() {
    return rowGroups().stream().mapToLong(RowGroup::rowCount).sum();
  }

  /// Returns what is known about a column in a row group from the metadata alone.
  ///
  /// @param rowGroup the place of the row group in [#rowGroups()]
  /// @param column the column's name, or the path of a part of a struct, as [Schema#find] takes it;
  ///   a format may support more paths, into lists and maps
  /// @return what is known; [ColumnStatistics#UNKNOWN] if the format has no statistics, the file
  ///   has no reliable ones, or there is no such column
  /// @throws IndexOutOfBoundsException if there is no such row group
  default ColumnStatistics statistics(int rowGroup, String column) {
    return ColumnStatistics.UNKNOWN;
  }

  /// Returns how many nulls the file states for a column in a row group: a hint for warnings, not
  /// checked against the values.
  ///
  /// @param rowGroup the row group's place in [#rowGroups()]
  /// @param column the column's name, or the path of a part of a struct
  /// @return the number; empty if the metadata does not state it
  default OptionalLong nullCount(int rowGroup, String column) {
    return statistics(rowGroup, column).nullCount();
  }

  /// Returns what, beside the file's bytes, its format and the options, decides the values that
  /// readers give. Two files with the same bytes may be read in different ways, for instance
  /// because a table has renamed their columns; what is kept of one is then not taken for the
  /// other.
  ///
  /// @return a text that differs where values may differ; empty by default
  default String decodingChoices() {
    return "";
  }

  /// Returns how many values a column has in a row group, as the file states it: a hint for sizing
  /// memory, not checked against the values.
  ///
  /// An empty list and a null count as one value. So the count is a multiple of the rows if all
  /// lists have one length.
  ///
  /// @param rowGroup the row group's place in [#rowGroups()]
  /// @param column a column as [Schema#find] takes it
  /// @return the number of values of all parts of the column together; empty if the file does not
  ///   state it
  default OptionalLong valueCount(int rowGroup, String column) {
    return OptionalLong.empty();
  }

  /// Estimates the work of decoding a column of a row group from what the file states. A hint, not
  /// checked against the values, for dealing columns evenly to workers that share rows.
  ///
  /// @param rowGroup the row group's place in [#rowGroups()]
  /// @param column a column as [Schema#find] takes it
  /// @return the work, as the number of bytes that a codec such as zstd decompresses in the same
  ///   time, at least 0; empty if the file does not state it
  default OptionalLong decodingWork(int rowGroup, String column) {
    return OptionalLong.empty();
  }
}
