package dev.penstock.spi.format;

import static dev.penstock.spi.format.LittleEndian.INT;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Objects;

/// Locates the bytes of single values of a slice, whatever its form: texts and bytes with offsets
/// or codes, or values of one width.
public final class BytesView {
  private static final ValueLayout.OfByte BYTE = ValueLayout.JAVA_BYTE;

  private final ColumnSlice slice;
  private final MemorySegment segment;
  private final int width;
  private long start;
  private int length;

  /// Makes a view of a slice.
  ///
  /// @param slice its values; valid as long as the view is used
  public BytesView(ColumnSlice slice) {
    this.slice = slice;
    TextDictionary dictionary = slice.dictionary();
    this.segment = dictionary == null ? slice.values() : dictionary.values();
    this.width = slice.type().byteWidth();
  }

  /// {@return whether a value is not null}
  ///
  /// @param row its row in the slice
  public boolean isPresent(int row) {
    MemorySegment validity = slice.validity();
    return validity == null || (validity.get(BYTE, row >>> 3) >>> (row & 7) & 1) != 0;
  }

  /// Moves to a value that is not null.
  ///
  /// @param row its row in the slice
  public void find(int row) {
    TextDictionary dictionary = slice.dictionary();
    MemorySegment offsets = slice.offsets();
    if (dictionary != null) {
      int code = Objects.requireNonNull(slice.codes()).getAtIndex(INT, row);
      between(dictionary.offsets(), code);
    } else if (offsets != null) {
      between(offsets, row);
    } else {
      start = (long) row * width;
      length = width;
    }
  }

  private void between(MemorySegment offsets, int index) {
    int first = offsets.getAtIndex(INT, index);
    start = first;
    length = offsets.getAtIndex(INT, index + 1L) - first;
  }

  /// {@return the memory of all values, which belongs to the slice}
  public MemorySegment segment() {
    return segment;
  }

  /// {@return where the value starts: the offset in bytes in [#segment()]}
  public long start() {
    return start;
  }

  /// {@return the length of the value in bytes}
  public int length() {
    return length;
  }
}
