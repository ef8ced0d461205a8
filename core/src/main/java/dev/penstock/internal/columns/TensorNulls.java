package dev.penstock.internal.columns;

import dev.penstock.batch.DType;
import dev.penstock.batch.NullValueException;
import dev.penstock.internal.slices.Validity;
import dev.penstock.spi.format.ColumnSlice;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.jspecify.annotations.Nullable;

/// Replaces or refuses the nulls of a tensor, as [NullHandling.InTensor] says.
public record TensorNulls(DType dtype, NullHandling.InTensor nulls) {
  /// Replaces nulls, and writes the mask.
  ///
  /// @param mask a byte for each element of the tensor; null when no mask is wanted
  /// @param to where the first value is in the tensor
  /// @throws NullValueException if a value is null but nulls are refused
  public void apply(
      ColumnSlice source,
      int from,
      int count,
      MemorySegment values,
      @Nullable MemorySegment mask,
      long to,
      NullError error)
      throws NullValueException {
    MemorySegment validity = source.validity();
    if (mask != null) {
      mark(validity, from, count, mask, to);
    }
    if (validity == null) {
      return;
    }
    switch (nulls) {
      case NullHandling.Refuse _ -> NullError.requireNone(validity, from, count, error);
      case NullHandling.Replace(long bits) -> fill(validity, from, count, values, to, bits);
      case NullHandling.Mask _ -> fill(validity, from, count, values, to, 0);
    }
  }

  /// Writes a mask: one byte for each value, 1 if it is not null.
  static void mark(
      @Nullable MemorySegment validity, int from, int count, MemorySegment mask, long to) {
    if (validity == null) {
      mask.asSlice(to, count).fill((byte) 1);
    } else {
      Validity.expand(validity, from, count, mask, to);
    }
  }

  private void fill(
      MemorySegment validity, int from, int count, MemorySegment values, long to, long value) {
    int width = dtype.bytes();
    for (int done = 0; done < count; done += 64) {
      long absent = Validity.nulls(validity, from + done, Math.min(64, count - done));
      for (; absent != 0; absent &= absent - 1) {
        long index = to + done + Long.numberOfTrailingZeros(absent);
        write(values, index * width, width, value);
      }
    }
  }

  private static void write(MemorySegment memory, long offset, int width, long bits) {
    switch (width) {
      case 1 -> memory.set(ValueLayout.JAVA_BYTE, offset, (byte) bits);
      case 2 -> memory.set(ValueLayout.JAVA_SHORT_UNALIGNED, offset, (short) bits);
      case 4 -> memory.set(ValueLayout.JAVA_INT_UNALIGNED, offset, (int) bits);
      default -> memory.set(ValueLayout.JAVA_LONG_UNALIGNED, offset, bits);
    }
  }
}
