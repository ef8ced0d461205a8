package dev.penstock.split;

import java.util.Objects;

/// Rows that a filter rules out before they are read.
///
/// @param file the file
/// @param rows the rows, in the file's own row numbers
/// @param by what showed that none of them matches
public record PrunedRows(DataFileInfo file, RowRange rows, Level by) {
  /// What can show that no row matches, from coarse to fine.
  public enum Level {
    /// The statistics of a row group in the file's metadata.
    STATISTICS,
    /// The bloom filter or the dictionary of a column in a row group; known only when the row group
    /// is opened.
    BLOOM_FILTER,
    /// The statistics of a row group's pages; known only when the row group is opened.
    PAGE_INDEX
  }

  /// Checks that nothing is null.
  public PrunedRows {
    Objects.requireNonNull(file);
    Objects.requireNonNull(rows);
    Objects.requireNonNull(by);
  }
}
