package dev.penstock.internal.filter;

import dev.penstock.internal.memory.Raw;
import dev.penstock.spi.format.ColumnSlice;
import dev.penstock.spi.format.TextDictionary;
import java.lang.foreign.MemorySegment;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// A test of values that are byte strings, of the requested rows only.
///
/// For a coded slice, the values of the dictionary are tested, once per dictionary; rows then look
/// up the answer.
final class ByteValues implements ValueCheck {
  private final int width;
  private final BytesCheck test;
  private @Nullable TextDictionary tested;
  private byte[] answers = new byte[0]; // for each value of the dictionary, 1 if it passes, else 0
  private int passing;

  /// Makes the test of values of `width` bytes; 0 if values have offsets.
  ByteValues(int width, BytesCheck test) {
    this.width = width;
    this.test = test;
  }

  @Override
  public void begin(ColumnSlice slice) {
    TextDictionary dictionary = slice.dictionary();
    if (dictionary == null || dictionary.equals(tested)) {
      return;
    }
    int size = dictionary.size();
    MemorySegment offsets = dictionary.offsets();
    Objects.checkFromIndexSize(0, 4 * (size + 1L), offsets.byteSize());
    if (answers.length <= size) {
      answers = new byte[size + 1]; // One at least, because nulls have code 0.
    }
    tested = null;
    passing = 0;
    for (int i = 0; i < size; i++) {
      boolean passes =
          test.test(
              dictionary.values(), offsets.get(Raw.INT, i * 4L), offsets.get(Raw.INT, i * 4L + 4));
      answers[i] = (byte) (passes ? 1 : 0);
      passing += answers[i];
    }
    tested = dictionary;
  }

  @Override
  public long test(ColumnSlice slice, int word, long asked) {
    MemorySegment codes = slice.codes();
    if (codes != null) {
      return coded(codes, Objects.requireNonNull(slice.dictionary()).size(), slice, word);
    }
    return width == 0 ? variable(slice, word, asked) : fixed(slice.values(), word, asked);
  }

  private long coded(MemorySegment codes, int size, ColumnSlice slice, int word) {
    if (passing == 0) {
      return 0;
    }
    if (passing == size) {
      return -1;
    }
    long first = (long) word << 6;
    int count = (int) Math.min(64, slice.rowCount() - first);
    long bits = 0;
    for (int i = 0; i < count; i++) {
      bits |= (long) answers[codes.get(Raw.INT, (first + i) * 4)] << i;
    }
    return bits;
  }

  private long variable(ColumnSlice slice, int word, long asked) {
    MemorySegment offsets = Objects.requireNonNull(slice.offsets());
    long bits = 0;
    for (long left = asked; left != 0; left &= left - 1) {
      int i = Long.numberOfTrailingZeros(left);
      long at = (((long) word << 6) + i) * 4;
      boolean passes =
          test.test(slice.values(), offsets.get(Raw.INT, at), offsets.get(Raw.INT, at + 4));
      bits |= (passes ? 1L : 0L) << i;
    }
    return bits;
  }

  private long fixed(MemorySegment values, int word, long asked) {
    long bits = 0;
    for (long left = asked; left != 0; left &= left - 1) {
      int i = Long.numberOfTrailingZeros(left);
      long at = (((long) word << 6) + i) * width;
      bits |= (test.test(values, at, at + width) ? 1L : 0L) << i;
    }
    return bits;
  }
}
