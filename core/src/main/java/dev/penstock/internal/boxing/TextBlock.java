package dev.penstock.internal.boxing;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/// Texts of ASCII that become strings when they are asked for: of rows side by side in a batch, or
/// of a dictionary.
///
/// **Threads.** Safe for any: two may make the same string.
final class TextBlock {
  private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT_UNALIGNED;

  private final byte[] bytes;
  private final int[] offsets;

  private TextBlock(byte[] bytes, int[] offsets) {
    this.bytes = bytes;
    this.offsets = offsets;
  }

  /// Copies texts `[from, end)`; null if they are not ASCII.
  static @Nullable TextBlock copy(MemorySegment values, MemorySegment offsets, int from, int end) {
    int start = offsets.getAtIndex(INT, from);
    byte[] bytes = new byte[offsets.getAtIndex(INT, end) - start];
    MemorySegment.copy(values, ValueLayout.JAVA_BYTE, start, bytes, 0, bytes.length);
    if (!AsciiStrings.isAscii(bytes, bytes.length)) {
      return null;
    }
    int[] ends = new int[end - from + 1];
    MemorySegment.copy(offsets, INT, 4L * from, ends, 0, ends.length);
    return new TextBlock(bytes, ends);
  }

  int size() {
    return offsets.length - 1;
  }

  String get(int index) {
    int at = offsets[index];
    return new String(bytes, at - offsets[0], offsets[index + 1] - at, StandardCharsets.ISO_8859_1);
  }

  /// Returns about how many bytes it takes on the heap.
  long heapBytes() {
    return 3L * ObjectMaker.ARRAY_BYTES + bytes.length + 4L * offsets.length;
  }
}
