package dev.penstock.internal.planfile;

import dev.penstock.spi.format.ColumnStatistics;
import dev.penstock.spi.format.RowSet;
import java.io.IOException;
import java.util.Optional;

/// What a plan knows beyond counts, where it was asked for. Read when it is wanted.
///
/// **Threads.** Any.
public interface PlanDetails {
  /// No details.
  PlanDetails NONE =
      new PlanDetails() {
        @Override
        public ColumnStatistics statistics(int file, int rowGroup, String column) {
          return ColumnStatistics.UNKNOWN;
        }

        @Override
        public Optional<RowSet> matches(int file) {
          return Optional.empty();
        }
      };

  /// Returns what the file states of a column in a row group; unknown for a column that is not in
  /// [PlanOrigin#statistics()].
  ///
  /// @param file the file's place in [PlanFile#files()]
  ColumnStatistics statistics(int file, int rowGroup, String column) throws IOException;

  /// Returns which of a file's rows match [PlanOrigin#filter()], as a finished set; empty if all
  /// do. Only rows that were not deleted are numbered. A set without matches covers no row.
  ///
  /// @param file the file's place in [PlanFile#files()]
  Optional<RowSet> matches(int file) throws IOException;
}
