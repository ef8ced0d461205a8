package dev.penstock.internal.columns;

import dev.penstock.batch.DType;
import dev.penstock.batch.NullPolicy;
import dev.penstock.batch.NullValueException;
import dev.penstock.format.ColumnSlice;
import dev.penstock.internal.slices.Validity;
import dev.penstock.schema.Field;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.jspecify.annotations.Nullable;

/// Puts what the null policy says in the place of every null of a tensor.
public final class TensorNulls {
  private final int width;

  /// The bits to write; absent when a null is an error.
  private final @Nullable Long bits;

  /// Says which value is null where it must not be.
  public interface NullError {
    /// Returns the error.
    ///
    /// @param index the value
    /// @return the error that names it
    NullValueException of(int index);
  }

  /// Makes what replaces the nulls of a column.
  ///
  /// @param field the values: their name, type and whether they may be null
  /// @param dtype the type of the tensor's elements
  /// @param nulls what becomes of a null
  public TensorNulls(Field field, DType dtype, NullPolicy nulls) {
    this.width = dtype.bytes();
    this.bits =
        switch (nulls) {
          case NullPolicy.NaN _ ->
              dtype.isFloating() ? (Long) NullFill.bits(field, dtype, Double.NaN) : null;
          case NullPolicy.Fill(Number value) ->
              field.nullable() ? (Long) NullFill.bits(field, dtype, value) : null;
          case NullPolicy.Mask _ -> (Long) 0L;
          // A text is in the place of a code by now, or no value is ever null.
          case NullPolicy.Reject _, NullPolicy.FillText _ -> null;
        };
  }

  /// Replaces nulls, and writes which values are there.
  ///
  /// @param source the decoded values
  /// @param from the first of them
  /// @param count how many
  /// @param values the tensor's elements
  /// @param mask a byte for each element of the tensor; null when no mask is wanted
  /// @param to where the first value is in the tensor
  /// @param error names a null that has no place
  /// @throws NullValueException if a value is null that must not be
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
      if (validity == null) {
        mask.asSlice(to, count).fill((byte) 1);
      } else {
        Validity.expand(validity, from, count, mask, to);
      }
    }
    if (validity == null) {
      return;
    }
    if (bits == null) {
      int index = Validity.nextNull(validity, from, from + count);
      if (index < from + count) {
        throw error.of(index);
      }
    } else {
      fill(validity, from, count, values, to, bits);
    }
  }

  private void fill(
      MemorySegment validity, int from, int count, MemorySegment values, long to, long value) {
    for (int done = 0; done < count; done += 64) {
      long nulls = Validity.nulls(validity, from + done, Math.min(64, count - done));
      for (; nulls != 0; nulls &= nulls - 1) {
        long index = to + done + Long.numberOfTrailingZeros(nulls);
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
