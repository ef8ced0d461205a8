package dev.penstock.benchmarks.readers.trino;

import io.trino.spi.block.Block;
import io.trino.spi.block.DictionaryBlock;
import io.trino.spi.block.IntArrayBlock;
import io.trino.spi.block.LongArrayBlock;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/// From Trino's blocks to contiguous memory, as fast as its raw arrays allow.
final class BlockCopy {
  private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG_UNALIGNED;
  private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT_UNALIGNED;
  private static final long NAN = Double.doubleToRawLongBits(Double.NaN);

  private BlockCopy() {}

  /// Copies 64-bit values; nulls become NaN.
  static void longs(Block block, int rows, MemorySegment target) {
    switch (block) {
      case LongArrayBlock plain -> plain(plain, rows, target);
      case DictionaryBlock coded -> {
        LongArrayBlock dictionary = (LongArrayBlock) coded.getDictionary();
        long[] values = dictionary.getRawValues();
        int first = dictionary.getRawValuesOffset();
        int[] codes = coded.getRawIds();
        int start = coded.getRawIdsOffset();
        boolean nulls = dictionary.mayHaveNull();
        for (int i = 0; i < rows; i++) {
          int code = codes[start + i];
          long value = nulls && dictionary.isNull(code) ? NAN : values[first + code];
          target.setAtIndex(LONG, i, value);
        }
      }
      default -> throw new IllegalStateException("Cannot copy " + block.getClass());
    }
  }

  private static void plain(LongArrayBlock block, int rows, MemorySegment target) {
    long[] values = block.getRawValues();
    int first = block.getRawValuesOffset();
    long[] valid = block.getRawValueIsValid();
    if (!block.mayHaveNull() || valid == null) {
      MemorySegment.copy(values, first, target, LONG, 0, rows);
      return;
    }
    for (int i = 0; i < rows; i++) {
      int place = first + i;
      boolean present = (valid[place >> 6] >>> place & 1) != 0;
      target.setAtIndex(LONG, i, present ? values[place] : NAN);
    }
  }

  /// Copies 32-bit values without nulls.
  static void ints(Block block, int from, int rows, MemorySegment target) {
    switch (block) {
      case IntArrayBlock plain ->
          MemorySegment.copy(
              plain.getRawValues(), plain.getRawValuesOffset() + from, target, INT, 0, rows);
      case DictionaryBlock coded -> {
        IntArrayBlock dictionary = (IntArrayBlock) coded.getDictionary();
        int[] values = dictionary.getRawValues();
        int first = dictionary.getRawValuesOffset();
        int[] codes = coded.getRawIds();
        int start = coded.getRawIdsOffset() + from;
        for (int i = 0; i < rows; i++) {
          target.setAtIndex(INT, i, values[first + codes[start + i]]);
        }
      }
      default -> throw new IllegalStateException("Cannot copy " + block.getClass());
    }
  }
}
