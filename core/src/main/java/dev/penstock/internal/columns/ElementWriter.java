package dev.penstock.internal.columns;

import dev.penstock.spi.format.ColumnSlice;
import java.lang.foreign.MemorySegment;

/// Writes decoded values as the elements of a tensor. There is one for each column and worker.
///
/// **Threads.** One at a time.
interface ElementWriter {
  /// A value that is there, and that the tensor cannot hold.
  final class UnfitElementException extends Exception {
    private static final long serialVersionUID = 1L;

    private final int index;
    private final String remedy;

    /// Makes the exception.
    ///
    /// @param index the value's place in the slice
    /// @param value the value, and why it does not fit: what follows on "row 2 is "
    /// @param remedy what to do, a sentence
    UnfitElementException(int index, String value, String remedy) {
      super(value);
      this.index = index;
      this.remedy = remedy;
    }

    int index() {
      return index;
    }

    String remedy() {
      return remedy;
    }
  }

  /// Writes values. In the places of nulls anything may be written.
  ///
  /// @param slice the decoded values
  /// @param from the first value
  /// @param count how many
  /// @param elements the tensor's elements
  /// @param to where the first value goes
  void write(ColumnSlice slice, int from, int count, MemorySegment elements, long to)
      throws UnfitElementException;
}
