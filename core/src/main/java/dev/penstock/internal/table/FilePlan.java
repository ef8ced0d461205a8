package dev.penstock.internal.table;

import dev.penstock.spi.format.ColumnStatistics;
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

  /// Returns a sentence that says what to do if the file is not as it was planned.
  String remedy();
}
