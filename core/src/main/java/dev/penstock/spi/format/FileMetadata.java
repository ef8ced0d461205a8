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
  /// {@return the columns of the file; a column that cannot be read is
  /// [dev.penstock.schema.DataType.Unsupported]}
  Schema schema();

  /// {@return the columns' numbers in the table that the file was written for: one for each column
  /// of [#schema()], in order, with the same parts; empty if the format has none}
  default List<FieldId> fieldIds() {
    return List.of();
  }

  /// {@return the row groups, between which a file is best cut: an unmodifiable list in file order;
  /// a format without row groups has one}
  List<RowGroup> rowGroups();

  /// {@return the number of rows, the sum over [#rowGroups()]}
  default long rowCount() {
    return rowGroups().stream().mapToLong(RowGroup::rowCount).sum();
  }

  /// {@return what is known about a column in a row group from the metadata alone;
  /// [ColumnStatistics#UNKNOWN] if the format has no statistics, the file has no reliable ones, or
  /// there is no such column}
  ///
  /// @param rowGroup the place of the row group in [#rowGroups()]
  /// @param column the column's name, or the path of a part of a struct, as [Schema#find] takes it;
  ///   a format may support more paths, into lists and maps
  default ColumnStatistics statistics(int rowGroup, String column) {
    return ColumnStatistics.UNKNOWN;
  }

  /// {@return how many nulls the file states for a column in a row group; empty if it states no
  /// number} A hint for warnings, not checked against the values.
  ///
  /// @param rowGroup the row group's place in [#rowGroups()]
  /// @param column the column's name, or the path of a part of a struct
  default OptionalLong nullCount(int rowGroup, String column) {
    return statistics(rowGroup, column).nullCount();
  }

  /// {@return a text for everything that decides the values that readers give, beside the file's
  /// bytes, its format and the options; empty by default} Two files with the same bytes may be read
  /// in different ways, for instance because a table has renamed their columns. If their texts
  /// differ, what is kept of one is not taken for the other.
  default String decodingChoices() {
    return "";
  }

  /// {@return about how many bytes of heap it takes; 0, the default, if it must not be dropped,
  /// because reading it anew takes more than a read or two of its file} Others may be dropped, and
  /// are read anew with the same result when they are wanted.
  default long heapBytes() {
    return 0;
  }

  /// {@return how many values a column has in a row group, all of its parts together, as the file
  /// states it; empty if it does not} A hint for sizing memory, not checked against the values.
  ///
  /// An empty list and a null count as one value. So the count is a multiple of the rows if all
  /// lists have one length.
  ///
  /// @param rowGroup the row group's place in [#rowGroups()]
  /// @param column a column as [Schema#find] takes it
  default OptionalLong valueCount(int rowGroup, String column) {
    return OptionalLong.empty();
  }

  /// {@return the estimated work of decoding a column of a row group: the number of bytes that a
  /// codec such as zstd decompresses in the same time, at least 0; empty if the file does not state
  /// it} A hint, not checked against the values, for dealing columns evenly to workers that share
  /// rows.
  ///
  /// @param rowGroup the row group's place in [#rowGroups()]
  /// @param column a column as [Schema#find] takes it
  default OptionalLong decodingWork(int rowGroup, String column) {
    return OptionalLong.empty();
  }
}
