package dev.penstock.tokens;

import dev.penstock.schema.DataType;
import dev.penstock.spi.format.ColumnSlice;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;

/// A column of lists of token ids that is being made, row by row.
final class IdLists {
  private static final DataType ID = new DataType.Int(32, true);

  /// Its elements are never null.
  static final DataType TYPE = new DataType.List(ID, false);

  private final byte[] validity;
  private final int[] ends; // of the list of each row, from 1
  private long[] words = new long[1024]; // two ids each: slices are read by words
  private int ids;
  private int rows;
  private int nulls;

  IdLists(int rows) {
    validity = new byte[rows / 8 + 1];
    ends = new int[rows + 1];
  }

  /// Adds ids to the list of the next row.
  ///
  /// @throws ArithmeticException if all lists have more than 2^31 ids
  void add(long[] more) {
    long wanted = (long) ids + more.length;
    if (wanted > 2L * words.length) {
      Math.toIntExact(wanted);
      words = Arrays.copyOf(words, (int) Math.max(wanted / 2 + 1, words.length * 3L / 2));
    }
    MemorySegment all = MemorySegment.ofArray(words);
    for (long id : more) {
      all.setAtIndex(ValueLayout.JAVA_INT, ids++, Math.toIntExact(id));
    }
  }

  /// Ends the list of the next row.
  void end() {
    validity[rows >>> 3] |= (byte) (1 << (rows & 7));
    ends[++rows] = ids;
  }

  /// Makes the next row a null.
  void addNull() {
    nulls++;
    ends[++rows] = ids;
  }

  ColumnSlice slice() {
    MemorySegment values = MemorySegment.ofArray(words).asSlice(0, (long) ids * Integer.BYTES);
    return ColumnSlice.list(
        TYPE,
        rows,
        nulls,
        nulls == 0 ? null : MemorySegment.ofArray(validity),
        MemorySegment.ofArray(ends),
        ColumnSlice.fixed(ID, ids, 0, null, values));
  }
}
