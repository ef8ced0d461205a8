package dev.penstock.internal.slices;

import static dev.penstock.internal.memory.Raw.INT;

import dev.penstock.internal.plan.RowOrder;
import dev.penstock.schema.DataType;
import dev.penstock.spi.format.ColumnSlice;
import dev.penstock.spi.format.ScratchMemory;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// Copies of lists, and of maps, which are lists of entries.
final class ListCopy extends ColumnCopy {
  /// Room is made for as many elements as the first lists have on average, times this.
  private static final double RESERVED_MORE = 1.2;

  /// More is not reserved: the lists may be shorter than the first ones.
  private static final long RESERVED_BYTES_MAX = 32L << 20;

  private final Offsets offsets = new Offsets(buffer());
  final ColumnCopy elements;
  private int[] chosenElements = {};

  ListCopy(DataType type, ColumnCopy elements, ScratchMemory memory) {
    super(type, List.of(elements), memory);
    this.elements = elements;
  }

  @Override
  void reserve(ColumnSlice some, int count) {
    if (some.rowCount() > 0 && elements instanceof FixedCopy fixed) {
      MemorySegment starts = Objects.requireNonNull(some.offsets());
      int found = starts.getAtIndex(INT, some.rowCount()) - starts.getAtIndex(INT, 0);
      double expected = RESERVED_MORE * found / some.rowCount() * count;
      long most = RESERVED_BYTES_MAX / Math.max(1, fixed.width);
      fixed.reserve((int) Math.min(expected, (double) most));
    }
  }

  @Override
  void appendInOrder(ColumnSlice slice, RowOrder order) {
    if (elements instanceof FixedCopy fixed) {
      fixed.reserve(slice.children().getFirst().rowCount());
    }
    super.appendInOrder(slice, order);
  }

  @Override
  void appendValues(ColumnSlice slice, Selection chosen) {
    MemorySegment starts = Objects.requireNonNull(slice.offsets());
    ColumnSlice source = slice.children().getFirst();
    boolean isPlain =
        elements instanceof FixedCopy && !elements.hasNulls() && source.nullCount() == 0;
    if (isPlain || chosen.isRange()) {
      appendRuns(starts, source, chosen);
    } else {
      appendElements(starts, source, chosen);
    }
  }

  /// Appends the elements of neighbouring lists at once.
  private void appendRuns(MemorySegment starts, ColumnSlice source, Selection chosen) {
    int count = chosen.count();
    MemorySegment ends = offsets.room(count, rows());
    int i = 0;
    while (i < count) {
      int row = chosen.row(i);
      int start = starts.getAtIndex(INT, row);
      int shift = Math.subtractExact(elements.rows(), start);
      int end = start;
      int next = row;
      do {
        end = starts.getAtIndex(INT, ++next);
        ends.setAtIndex(INT, rows() + i + 1L, Math.addExact(end, shift));
        i++;
      } while (i < count && chosen.row(i) == next);
      if (start < end) {
        elements.append(source, Selection.range(start, end - start));
      }
    }
  }

  private void appendElements(MemorySegment starts, ColumnSlice source, Selection chosen) {
    MemorySegment ends = offsets.room(chosen.count(), rows());
    int count = 0;
    for (int i = 0; i < chosen.count(); i++) {
      int row = chosen.row(i);
      int start = starts.getAtIndex(INT, row);
      int length = starts.getAtIndex(INT, row + 1L) - start;
      if (chosenElements.length < count + length) {
        int room = Math.max(2 * chosenElements.length, count + length);
        chosenElements = Arrays.copyOf(chosenElements, room);
      }
      for (int k = 0; k < length; k++) {
        chosenElements[count++] = start + k;
      }
      ends.setAtIndex(INT, rows() + i + 1L, Math.addExact(elements.rows(), count));
    }
    elements.append(source, chosen.ofElements(chosenElements, count));
  }

  /// Ends a list: its elements are those that came since the one before.
  void endList() {
    offsets.append(1, elements.rows(), rows());
    endPresent(1);
  }

  @Override
  void appendZeroValues(int count) {
    offsets.append(count, elements.rows(), rows());
  }

  @Override
  ColumnSlice slice(int rows, int nulls, @Nullable MemorySegment validity) {
    return ColumnSlice.list(type, rows, nulls, validity, offsets.segment(), elements.slice());
  }
}
