package dev.penstock.internal.columns;

import dev.penstock.internal.boxing.ObjectMaker;
import dev.penstock.spi.format.ColumnSlice;
import dev.penstock.spi.format.Dictionary;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/// Writes strings as numbers.
///
/// The entries of a dictionary are coded once, when the dictionary is new; each of its rows then
/// takes one look-up. Other strings are looked up by their bytes.
final class TextCodeWriter implements ElementWriter {
  private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT_UNALIGNED;
  private static final int SHOWN_MAX = 100;

  private final TextCoder coder;
  private final OptionalInt unknown;
  private final String missing;
  private @Nullable Dictionary dictionary;
  private int[] entries = {};

  /// @param unknown the number of a text that the coder does not know; if absent, it is an error
  /// @param missing the message of that error, after the text
  TextCodeWriter(TextCoder coder, OptionalInt unknown, String missing) {
    this.coder = coder;
    this.unknown = unknown;
    this.missing = missing;
  }

  @Override
  public void write(ColumnSlice slice, int from, int count, MemorySegment elements, long to)
      throws UnfitElementException {
    int any =
        slice.codes() != null
            ? coded(slice, slice.codes(), from, count, elements, to)
            : plain(slice, from, count, elements, to);
    // A negative number is fine for a null, and for any row if it was chosen for unknown texts.
    if (any < 0 && unknown.isEmpty()) {
      requireKnown(slice, from, count, elements, to);
    }
  }

  /// Writes numbers; returns a negative number if any of them is negative.
  private int coded(
      ColumnSlice slice,
      MemorySegment codes,
      int from,
      int count,
      MemorySegment elements,
      long to) {
    int[] numbers = entries(Objects.requireNonNull(slice.dictionary()));
    int any = 0;
    for (int i = 0; i < count; i++) {
      int number = numbers[codes.getAtIndex(INT, from + i)];
      any |= number;
      elements.setAtIndex(INT, to + i, number);
    }
    return any;
  }

  @SuppressWarnings("ReferenceEquality") // slices that share a dictionary share the instance
  private int[] entries(Dictionary current) {
    if (current != dictionary) {
      // Nulls have code 0, also where the dictionary is empty.
      entries = new int[Math.max(1, current.size())];
      for (int i = 0; i < current.size(); i++) {
        entries[i] = number(current.values(), current.offsets(), i);
      }
      dictionary = current;
    }
    return entries;
  }

  private int plain(ColumnSlice slice, int from, int count, MemorySegment elements, long to) {
    MemorySegment validity = slice.validity();
    MemorySegment offsets = Objects.requireNonNull(slice.offsets());
    int any = 0;
    for (int i = 0; i < count; i++) {
      int row = from + i;
      boolean present = ObjectMaker.isPresent(validity, row);
      int number = present ? number(slice.values(), offsets, row) : 0;
      any |= number;
      elements.setAtIndex(INT, to + i, number);
    }
    return any;
  }

  private int number(MemorySegment values, MemorySegment offsets, int index) {
    int start = offsets.getAtIndex(INT, index);
    int length = offsets.getAtIndex(INT, index + 1L) - start;
    int code = coder.code(values, start, length);
    return code == TextCoder.UNKNOWN ? unknown.orElse(code) : code;
  }

  private void requireKnown(ColumnSlice slice, int from, int count, MemorySegment elements, long to)
      throws UnfitElementException {
    for (int i = 0; i < count; i++) {
      boolean known = elements.getAtIndex(INT, to + i) >= 0;
      if (!known && ObjectMaker.isPresent(slice.validity(), from + i)) {
        throw new UnfitElementException(
            from + i,
            "'" + text(slice, from + i) + "', " + missing,
            "Add it, or choose a code for such values, as in"
                + " StringEncoding.codes(vocabulary).unknown(-1).");
      }
    }
  }

  private static String text(ColumnSlice slice, int row) {
    int index = row;
    MemorySegment offsets = slice.offsets();
    if (slice.codes() != null && slice.dictionary() != null) {
      index = slice.codes().getAtIndex(INT, row);
      offsets = slice.dictionary().offsets();
    }
    Objects.requireNonNull(offsets);
    int start = offsets.getAtIndex(INT, index);
    int length = offsets.getAtIndex(INT, index + 1L) - start;
    MemorySegment bytes = slice.values().asSlice(start, Math.min(length, SHOWN_MAX));
    String text = new String(bytes.toArray(ValueLayout.JAVA_BYTE), StandardCharsets.UTF_8);
    return length > SHOWN_MAX ? text + "..." : text;
  }
}
