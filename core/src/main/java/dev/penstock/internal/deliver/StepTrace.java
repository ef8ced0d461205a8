package dev.penstock.internal.deliver;

import dev.penstock.internal.slices.RowPart;
import java.io.IOException;
import java.util.List;

/// Is told which rows the consumer receives.
///
/// **Threads.** The consumer's, one batch after another.
@FunctionalInterface
public interface StepTrace {
  /// Takes note of a batch.
  ///
  /// @param number its number since the epoch was begun or gone on with, counted from 0
  /// @param rows what each of its rows was made of
  /// @throws IOException if it cannot be noted; then the batch is not delivered, and the epoch ends
  void received(long number, List<List<RowPart>> rows) throws IOException;
}
