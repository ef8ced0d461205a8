package dev.penstock.internal.memory;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;

/// Memory by address, for the decoding kernels.
///
/// A kernel first proves with [#address] that all it will touch lies inside a real segment, then
/// loops over plain addresses. Nothing else may use [#ALL].
public final class Raw {
  /// All memory there is, without bounds.
  public static final MemorySegment ALL = MemorySegment.NULL.reinterpret(Long.MAX_VALUE);

  /// A byte.
  public static final ValueLayout.OfByte BYTE = ValueLayout.JAVA_BYTE;

  /// Two bytes, little-endian, at any address.
  public static final ValueLayout.OfShort SHORT =
      ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

  /// Four bytes, little-endian, at any address.
  public static final ValueLayout.OfInt INT =
      ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

  /// Eight bytes, little-endian, at any address.
  public static final ValueLayout.OfLong LONG =
      ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

  private Raw() {}

  /// Returns the address of a range after checking that the segment holds all of it.
  ///
  /// @param segment the memory
  /// @param offset where the range starts, in bytes
  /// @param bytes how long it is
  /// @return the address of its first byte
  public static long address(MemorySegment segment, long offset, long bytes) {
    if (offset < 0 || bytes < 0 || offset > segment.byteSize() - bytes) {
      throw new IndexOutOfBoundsException(
          "Range [" + offset + ", " + (offset + bytes) + ") is not in " + segment.byteSize());
    }
    return segment.address() + offset;
  }

  /// Copies bytes; both ranges must have been proven.
  ///
  /// @param source the address of the first byte to read
  /// @param target the address of the first byte to write
  /// @param bytes how many
  public static void copy(long source, long target, long bytes) {
    MemorySegment.copy(ALL, source, ALL, target, bytes);
  }
}
