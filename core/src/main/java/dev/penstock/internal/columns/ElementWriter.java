package dev.penstock.internal.columns;

import dev.penstock.spi.format.ColumnSlice;
import java.lang.foreign.MemorySegment;

/// Writes decoded values as the elements of a tensor. There is one for each column and worker.
///
/// **Threads.** One at a time.
interface ElementWriter {
  /// A non-null value that the tensor cannot hold.
  final class UnfitElementException extends Exception {
    private static final long serialVersionUID = 1L;

    private final int index;
    private final String remedy;

    /// @param index the value's place in the slice
    /// @param value the value and why it does not fit; the text that follows "row 2 is "
    /// @param remedy what to do, as a sentence
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

  /// Writes values from `from` on, the first to element `to`; anything in the place of a null.
  void write(ColumnSlice slice, int from, int count, MemorySegment elements, long to)
      throws UnfitElementException;
}
