package dev.penstock.internal.decode;

import dev.penstock.internal.columns.ColumnPlan.MatrixPlan;
import dev.penstock.internal.columns.MatrixColumns;
import dev.penstock.internal.columns.Transpose;
import dev.penstock.internal.slices.Rows;
import dev.penstock.internal.slices.SelectedSlice;
import dev.penstock.internal.slices.Selection;
import dev.penstock.spi.format.ScratchMemory;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/// Columns of a feature matrix in a window, each row at its place.
///
/// **Ownership.** Owns its memory, taken for the first row, until [#close()].
///
/// **Threads.** One at a time.
final class WindowMatrix {
  private final MatrixColumns columns;
  private final long rowBytes;
  private final long bytes;
  private final ScratchMemory memory;
  private @Nullable MemorySegment placed;
  private @Nullable MemorySegment strip;

  /// @param columns the columns; closed with this
  WindowMatrix(MatrixColumns columns, int rows, ScratchMemory memory) {
    this.columns = columns;
    this.rowBytes = columns.width() * 4L;
    this.bytes = rows * rowBytes;
    this.memory = memory;
  }

  boolean is(MatrixPlan plan, int first) {
    return columns.plan().equals(plan) && columns.first() == first;
  }

  /// Copies rows to their places: the first to `places[from]`.
  ///
  /// @throws IOException if a value is null but nulls are refused
  void place(Rows rows, int[] places, int from) throws IOException {
    MemorySegment target = placed;
    if (target == null) {
      target = memory.take(bytes);
      placed = target;
    }
    MemorySegment working = strip;
    if (working == null) {
      working = memory.take(Transpose.stripBytes(columns.width()));
      strip = working;
    }
    MemorySegment matrix = target.asSlice(0, bytes);
    SelectedSlice chosen = rows.chosen();
    Selection selection = chosen == null ? null : chosen.chosen();
    int[] indexes = selection == null ? null : selection.numbers();
    if (chosen != null && indexes != null && Transpose.isCopied(columns.width())) {
      MemorySegment[] all = columns.floatsOfSlice(chosen);
      if (all != null) {
        Transpose.floats(all, indexes, places, from, rows.count(), working, matrix);
        return;
      }
    }
    Transpose.floats(columns.floats(rows), places, from, rows.count(), working, matrix);
  }

  MemorySegment rows(long first, int count) {
    return placed == null ? MemorySegment.NULL : placed.asSlice(first * rowBytes, count * rowBytes);
  }

  void close() {
    columns.close();
    if (placed != null) {
      memory.give(placed);
      placed = null;
    }
    if (strip != null) {
      memory.give(strip);
      strip = null;
    }
  }
}
