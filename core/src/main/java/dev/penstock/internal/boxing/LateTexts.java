package dev.penstock.internal.boxing;

import dev.penstock.internal.slices.Validity;
import dev.penstock.schema.DataType;
import dev.penstock.spi.format.ColumnSlice;
import dev.penstock.spi.format.TextDictionary;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// Copies texts together, to become strings when they are read: what it puts into a batch is for
/// [LateStrings].
///
/// Single rows, long texts and those that are not ASCII become strings at once, which also checks
/// that they are UTF-8.
final class LateTexts extends ObjectMaker {
  private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT_UNALIGNED;

  private static final int ROWS_LEAST = 8;
  private static final int BLOCK_BYTES = 64 << 10;

  /// Each batch that is kept keeps its dictionaries.
  private static final int DICTIONARY_BYTES = 2 << 20;

  private final ObjectMaker atOnce = new TextObjects(new DataType.Utf8());
  private ColumnSlice slice;
  private @Nullable TextDictionary dictionary;
  private @Nullable Coded coded;

  @SuppressWarnings("NullAway.Init") // bind() comes before make()
  LateTexts() {}

  /// Texts of a dictionary, and the strings that were made of them.
  private static final class Coded {
    private final TextBlock texts;
    private final @Nullable String[] made;

    Coded(TextBlock texts) {
      this.texts = texts;
      this.made = new String[texts.size()];
    }

    String get(int code) {
      String known = made[code];
      if (known == null) {
        known = texts.get(code);
        made[code] = known;
      }
      return known;
    }
  }

  @Override
  public void bind(ColumnSlice bound) {
    slice = bound;
    atOnce.bind(bound);
    TextDictionary of = bound.dictionary();
    if (of != null && !of.equals(dictionary)) {
      dictionary = of;
      coded = coded(of);
    }
  }

  private static @Nullable Coded coded(TextDictionary of) {
    long bytes = (long) of.offsets().getAtIndex(INT, of.size()) - of.offsets().getAtIndex(INT, 0);
    TextBlock texts =
        bytes + 4L * of.size() > DICTIONARY_BYTES
            ? null
            : TextBlock.copy(of.values(), of.offsets(), 0, of.size());
    return texts == null ? null : new Coded(texts);
  }

  @Override
  public long make(int from, int count, @Nullable Object[] objects, int to)
      throws BadValueException {
    MemorySegment codes = slice.codes();
    if (count < ROWS_LEAST || (codes != null && coded == null)) {
      return atOnce.make(from, count, objects, to);
    }
    if (codes != null) {
      int[] copied = new int[count];
      MemorySegment.copy(codes, INT, 4L * from, copied, 0, count);
      Coded of = Objects.requireNonNull(coded);
      put(row -> of.get(copied[row - to]), from, count, objects, to);
      return ARRAY_BYTES + 4L * count;
    }
    MemorySegment offsets = Objects.requireNonNull(slice.offsets());
    long made = 0;
    int end = from + count;
    for (int row = from; row < end; ) {
      int next = TextObjects.some(offsets, row, end, BLOCK_BYTES);
      TextBlock texts = TextBlock.copy(slice.values(), offsets, row, next);
      int at = to + row - from;
      if (texts == null || next - row < ROWS_LEAST) {
        next = Math.max(next, row + 1);
        made += atOnce.make(row, next - row, objects, at);
      } else {
        put(each -> texts.get(each - at), row, next - row, objects, at);
        made += texts.heapBytes();
      }
      row = next;
    }
    return made;
  }

  private void put(
      LateStrings.Block block, int from, int count, @Nullable Object[] objects, int to) {
    Arrays.fill(objects, to, to + count, block);
    MemorySegment validity = slice.validity();
    if (validity != null) {
      int end = from + count;
      for (int row = Validity.nextNull(validity, from, end);
          row < end;
          row = Validity.nextNull(validity, row + 1, end)) {
        objects[to + row - from] = null;
      }
    }
  }
}
