package dev.penstock.internal.plan;

import dev.penstock.internal.table.TableFile;

/// Takes rows one after another.
@FunctionalInterface
public interface RowSink {
  /// Takes a row.
  ///
  /// @param source the number of the dataset that the file is of, 0 where there is one
  /// @param row counted among the live rows of the file
  void row(int source, TableFile file, long row);
}
