package dev.penstock.internal.slices;

import static dev.penstock.internal.memory.Raw.BYTE;
import static dev.penstock.internal.memory.Raw.SHORT;

import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/// Which rows of a slice are copied: a range, or rows by their numbers in any order.
///
/// @param numbers the array that has the numbers, in `[from, to)`; null for a range
/// @param base what the numbers are too large by
/// @param isAscending whether each row is behind the one before it; false also if not known
/// @param kept the same rows as a mask, which copies bits faster; null if there is none
@SuppressWarnings("ArrayRecordComponent") // nobody compares them
public record Selection(
    int @Nullable [] numbers,
    int from,
    int to,
    int base,
    boolean isAscending,
    @Nullable RowMask kept) {
  public static Selection range(int first, int count) {
    return new Selection(null, first, first + count, 0, true, null);
  }

  /// Selects rows by number: `numbers[from]` to `numbers[to - 1]`, each less `base`.
  public static Selection of(int[] numbers, int from, int to, int base) {
    return new Selection(numbers, from, to, base, false, null);
  }

  /// Selects elements that are those of lists of this selection, in the same order.
  Selection ofElements(int[] elements, int count) {
    return new Selection(elements, 0, count, 0, isAscending, null);
  }

  int count() {
    return to - from;
  }

  /// Returns the row that comes at a place in `[0, count())`.
  int row(int place) {
    return numbers == null ? from + place : numbers[from + place] - base;
  }

  boolean isRange() {
    return numbers == null;
  }

  /// Copies values of a fixed width next to each other, the first to byte `at`.
  void copyValues(MemorySegment source, int width, MemorySegment target, long at) {
    int count = count();
    int[] each = numbers;
    if (each == null || areNeighbours(each)) {
      MemorySegment.copy(source, (long) row(0) * width, target, at, (long) count * width);
      return;
    }
    // One loop for each width, which the compiler can specialize.
    switch (width) {
      case 1 -> {
        for (int i = 0; i < count; i++) {
          target.set(BYTE, at + i, source.get(BYTE, (long) each[from + i] - base));
        }
      }
      case 2 -> {
        for (int i = 0; i < count; i++) {
          target.set(SHORT, at + i * 2L, source.get(SHORT, ((long) each[from + i] - base) * 2));
        }
      }
      case 4 -> Gather.ints(source, each, from, to, base, target, at);
      case 8 -> Gather.longs(source, each, from, to, base, target, at);
      default -> {
        for (int i = 0; i < count; i++) {
          long row = (long) each[from + i] - base;
          MemorySegment.copy(source, row * width, target, at + (long) i * width, width);
        }
      }
    }
  }

  private boolean areNeighbours(int[] each) {
    int wrong = each[to - 1] - each[from] - (to - 1 - from);
    for (int i = from + 1; i < to && wrong == 0; i++) {
      wrong = each[i] - each[i - 1] - 1;
    }
    return wrong == 0;
  }

  /// Copies bits next to each other, the first to bit `at`; bits behind the last one may change.
  /// Returns how many of them are set.
  int copyBits(MemorySegment source, MemorySegment target, int at) {
    if (kept != null) {
      return kept.copyBits(source, target, at);
    }
    if (isRange() && from % 8 == 0 && at % 8 == 0) {
      MemorySegment.copy(source, from / 8, target, at / 8, (count() + 7L) / 8);
      return count() - SlicePart.nulls(target, at, count());
    }
    int set = 0;
    int i = 0;
    while (i < count()) {
      int place = at + i;
      if ((place & 7) == 0 && count() - i >= 8) {
        int eight = eightBits(source, i);
        target.set(BYTE, place >>> 3, (byte) eight);
        set += Integer.bitCount(eight);
        i += 8;
      } else {
        int bit = Validity.bit(source, row(i));
        Validity.set(target, place, bit != 0);
        set += bit;
        i++;
      }
    }
    return set;
  }

  private int eightBits(MemorySegment source, int place) {
    int first = row(place);
    int[] each = numbers;
    if (each == null || (isAscending && row(place + 7) - first == 7)) { // neighbours
      int low = source.get(BYTE, first >>> 3) & 0xFF;
      int high = (first & 7) == 0 ? 0 : source.get(BYTE, (first >>> 3) + 1) & 0xFF;
      return (low | high << 8) >>> (first & 7) & 0xFF;
    }
    int eight = 0;
    for (int k = 0; k < 8; k++) {
      eight |= Validity.bit(source, each[from + place + k] - base) << k;
    }
    return eight;
  }
}
