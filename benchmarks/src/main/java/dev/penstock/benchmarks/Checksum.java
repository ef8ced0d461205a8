package dev.penstock.benchmarks;

import dev.penstock.batch.Batch;
import java.util.HexFormat;

/// A sum over all that a workload delivers, whatever the order of its rows.
///
/// The formulas are those that the data's generator applies to the arrays it writes, modulo `2^64`.
interface Checksum {
  /// Adds the rows of a batch.
  void add(Batch batch);

  /// Returns the sum over the rows so far.
  long value();

  /// Returns the sum as the manifest writes it.
  default String hex() {
    return HexFormat.of().toHexDigits(value());
  }
}
