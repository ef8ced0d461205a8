package dev.penstock.internal.table;

import dev.penstock.spi.format.ColumnStatistics;
import dev.penstock.spi.format.RowSet;
import java.io.IOException;
import java.util.Optional;

/// What a file was planned by if its footer was not read.
///
/// **Threads.** Any.
public interface FilePlan {
  /// Returns what the footer states of a column in a row group; empty if the plan does not have it.
  ///
  /// @param column as the file names it
  Optional<ColumnStatistics> statistics(int rowGroup, String column) throws IOException;

  /// Returns which of some rows match a condition, as a finished set that covers just these; empty
  /// if the plan does not have it. Only rows that were not deleted are numbered.
  ///
  /// @param condition a filter, and how its columns are read
  Optional<RowSet> matches(String condition, long firstRow, long rowCount) throws IOException;

  /// Returns a sentence that says what to do if the file is not as it was planned.
  String remedy();
}
