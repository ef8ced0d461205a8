package dev.penstock.batch;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.jspecify.annotations.Nullable;

/// Writes numbers of any type as the elements of a tensor, and reports which do not fit.
///
/// A number fits if the tensor's type holds it exactly. If the user has chosen the type, numbers
/// are also rounded to a floating type, as long as they stay finite, and booleans count as 0 and 1;
/// otherwise `BOOL` takes booleans only, and no other type takes them.
final class Elements {
  private static final long NONE = -1;

  private final MemorySegment memory;
  private final DType dtype;
  private final boolean chosen;

  Elements(Tensor to, boolean chosen) {
    this.memory = to.memory();
    this.dtype = to.dtype();
    this.chosen = chosen;
  }

  /// Returns the type of a boxed number or boolean, or null if the value is neither.
  static @Nullable DType typeOf(Object value) {
    return switch (value) {
      case Double _ -> DType.FLOAT64;
      case Float _ -> DType.FLOAT32;
      case Long _ -> DType.INT64;
      case Integer _ -> DType.INT32;
      case Short _ -> DType.INT16;
      case Byte _ -> DType.INT8;
      case Boolean _ -> DType.BOOL;
      default -> null;
    };
  }

  /// Writes a boxed number or boolean, and returns whether it fits.
  boolean put(long index, Object value) {
    return switch (value) {
      case Boolean flag -> (chosen || dtype == DType.BOOL) && putLong(index, flag ? 1 : 0);
      case Number _ when !chosen && dtype == DType.BOOL -> false;
      case Double number -> putDouble(index, number);
      case Float number -> putDouble(index, number);
      case Number number -> putLong(index, number.longValue());
      default -> false;
    };
  }

  /// Writes all elements of a tensor, and returns the index of the first that does not fit, or -1.
  long copy(Tensor from, long at) {
    long count = from.shape().elementCount();
    if (from.dtype() == dtype) {
      int width = dtype.bytes();
      MemorySegment.copy(from.memory(), 0, memory, at * width, count * width);
      return NONE;
    }
    boolean floating = from.dtype().isFloating();
    boolean unsigned = from.dtype() == DType.UINT64;
    for (long i = 0; i < count; i++) {
      boolean fits;
      if (floating) {
        fits = putDouble(at + i, from.getDouble(i));
      } else {
        long value = from.getLong(i);
        fits = (unsigned && value < 0) ? putHuge(at + i, from, i) : putLong(at + i, value);
      }
      if (!fits) {
        return i;
      }
    }
    return NONE;
  }

  /// Writes an unsigned 64-bit number beyond `Long.MAX_VALUE`; only a chosen floating type takes
  /// it, rounded.
  private boolean putHuge(long index, Tensor from, long i) {
    return chosen && dtype.isFloating() && putDouble(index, from.getDouble(i));
  }

  private boolean putLong(long index, long value) {
    return switch (dtype) {
      case BOOL -> putByte(index, value, 0, 1);
      case INT8 -> putByte(index, value, Byte.MIN_VALUE, Byte.MAX_VALUE);
      case UINT8 -> putByte(index, value, 0, 0xFF);
      case INT16 -> putShort(index, value, Short.MIN_VALUE, Short.MAX_VALUE);
      case UINT16 -> putShort(index, value, 0, 0xFFFF);
      case INT32 -> putInt(index, value, Integer.MIN_VALUE, Integer.MAX_VALUE);
      case UINT32 -> putInt(index, value, 0, 0xFFFF_FFFFL);
      case INT64 -> {
        memory.set(ValueLayout.JAVA_LONG_UNALIGNED, index * 8, value);
        yield true;
      }
      case UINT64 -> {
        memory.set(ValueLayout.JAVA_LONG_UNALIGNED, index * 8, value);
        yield value >= 0;
      }
      case FLOAT16, FLOAT32, FLOAT64 -> {
        double rounded = value;
        // 2^63 comes back as 2^63 - 1, which would look exact.
        boolean exact = (long) rounded == value && rounded != 0x1p63;
        if (chosen && dtype == DType.FLOAT32) {
          rounded = (float) value; // In one step: rounding twice may give another number.
        }
        yield (exact || chosen) && putDouble(index, rounded);
      }
    };
  }

  private boolean putByte(long index, long value, long min, long max) {
    memory.set(ValueLayout.JAVA_BYTE, index, (byte) value);
    return min <= value && value <= max;
  }

  private boolean putShort(long index, long value, long min, long max) {
    memory.set(ValueLayout.JAVA_SHORT_UNALIGNED, index * 2, (short) value);
    return min <= value && value <= max;
  }

  private boolean putInt(long index, long value, long min, long max) {
    memory.set(ValueLayout.JAVA_INT_UNALIGNED, index * 4, (int) value);
    return min <= value && value <= max;
  }

  private boolean putDouble(long index, double value) {
    return switch (dtype) {
      case FLOAT64 -> {
        memory.set(ValueLayout.JAVA_DOUBLE_UNALIGNED, index * 8, value);
        yield true;
      }
      case FLOAT32 -> {
        float rounded = (float) value;
        memory.set(ValueLayout.JAVA_FLOAT_UNALIGNED, index * 4, rounded);
        yield fits(value, rounded);
      }
      case FLOAT16 -> {
        short bits = Float.floatToFloat16((float) value);
        memory.set(ValueLayout.JAVA_SHORT_UNALIGNED, index * 2, bits);
        yield fits(value, Float.float16ToFloat(bits));
      }
      default -> {
        long whole = (long) value; // 0 for NaN; the nearest end if out of range
        yield whole == value && whole != Long.MAX_VALUE && putLong(index, whole);
      }
    };
  }

  private boolean fits(double value, double rounded) {
    return rounded == value
        || Double.isNaN(value)
        || (chosen && Double.isInfinite(rounded) == Double.isInfinite(value));
  }
}
