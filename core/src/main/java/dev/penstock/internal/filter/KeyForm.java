package dev.penstock.internal.filter;

import dev.penstock.internal.memory.Raw;
import dev.penstock.schema.DataType;
import java.lang.foreign.MemorySegment;
import java.math.BigDecimal;
import java.math.BigInteger;
import org.jspecify.annotations.Nullable;

/// How the numbers of a column are mapped to keys: 64-bit integers in the same order.
///
/// With keys one kernel serves all types of numbers. Floating-point numbers are mapped by reversing
/// the order of the negative ones: -0.0 has key -1 and 0.0 key 0; NaNs lie beyond the infinities,
/// on both sides.
enum KeyForm {
  INT8,
  UINT8,
  INT16,
  UINT16,
  INT32,
  UINT32,
  INT64,
  UINT64,
  FLOAT16,
  FLOAT32,
  FLOAT64;

  /// Returns the form of a type, or null if its values have no keys.
  static @Nullable KeyForm of(DataType type) {
    return switch (type) {
      case DataType.Int(int bits, boolean signed) -> integer(bits, signed);
      case DataType.Floating(int bits) -> bits == 16 ? FLOAT16 : bits == 32 ? FLOAT32 : FLOAT64;
      case DataType.Decimal _ -> type.byteWidth() == 8 ? INT64 : null;
      case DataType.Date _, DataType.Time _, DataType.Timestamp _ ->
          type.byteWidth() == 4 ? INT32 : INT64;
      default -> null;
    };
  }

  private static KeyForm integer(int bits, boolean signed) {
    return switch (bits) {
      case 8 -> signed ? INT8 : UINT8;
      case 16 -> signed ? INT16 : UINT16;
      case 32 -> signed ? INT32 : UINT32;
      default -> signed ? INT64 : UINT64;
    };
  }

  boolean isFloating() {
    return this == FLOAT16 || this == FLOAT32 || this == FLOAT64;
  }

  /// Returns the key of negative infinity, or of the least 64-bit integer. Keys mirror the order of
  /// negative numbers.
  long least() {
    return ~most();
  }

  /// Returns the key of infinity, or of the greatest 64-bit integer.
  long most() {
    return switch (this) {
      case FLOAT16 -> key(Float.floatToFloat16(Float.POSITIVE_INFINITY));
      case FLOAT32 -> key(Float.floatToRawIntBits(Float.POSITIVE_INFINITY));
      case FLOAT64 -> key(Double.doubleToRawLongBits(Double.POSITIVE_INFINITY));
      default -> Long.MAX_VALUE;
    };
  }

  /// Returns the key of a value of a condition, or null if it is beyond 64 bits.
  @Nullable Long key(Comparable<?> value) {
    return switch (value) {
      case Long number -> number;
      case BigInteger number -> number.longValue() ^ Long.MIN_VALUE;
      case BigDecimal number ->
          number.unscaledValue().bitLength() < 64 ? number.unscaledValue().longValue() : null;
      case Float number ->
          this == FLOAT16
              ? key(Float.floatToFloat16(number))
              : key(Float.floatToRawIntBits(number));
      case Double number -> key(Double.doubleToRawLongBits(number));
      default -> throw new IllegalArgumentException("Not a number: '" + value + "'");
    };
  }

  private static long key(short bits) {
    return bits ^ ((bits >> 15) & 0x7fff);
  }

  private static long key(int bits) {
    return bits ^ ((bits >> 31) >>> 1);
  }

  private static long key(long bits) {
    return bits ^ ((bits >> 63) >>> 1);
  }

  /// Reads the keys of `count` rows from `first`. One loop for each form, so that each is compiled
  /// separately.
  void load(MemorySegment values, long first, int count, long[] keys) {
    switch (this) {
      case INT8 -> int8(values, first, count, keys);
      case UINT8 -> uint8(values, first, count, keys);
      case INT16 -> int16(values, first * 2, count, keys);
      case UINT16 -> uint16(values, first * 2, count, keys);
      case INT32 -> int32(values, first * 4, count, keys);
      case UINT32 -> uint32(values, first * 4, count, keys);
      case INT64 -> int64(values, first * 8, count, keys);
      case UINT64 -> uint64(values, first * 8, count, keys);
      case FLOAT16 -> float16(values, first * 2, count, keys);
      case FLOAT32 -> float32(values, first * 4, count, keys);
      case FLOAT64 -> float64(values, first * 8, count, keys);
    }
  }

  private static void int8(MemorySegment values, long at, int count, long[] keys) {
    for (int i = 0; i < count; i++) {
      keys[i] = values.get(Raw.BYTE, at + i);
    }
  }

  private static void uint8(MemorySegment values, long at, int count, long[] keys) {
    for (int i = 0; i < count; i++) {
      keys[i] = values.get(Raw.BYTE, at + i) & 0xffL;
    }
  }

  private static void int16(MemorySegment values, long at, int count, long[] keys) {
    for (int i = 0; i < count; i++) {
      keys[i] = values.get(Raw.SHORT, at + i * 2L);
    }
  }

  private static void uint16(MemorySegment values, long at, int count, long[] keys) {
    for (int i = 0; i < count; i++) {
      keys[i] = values.get(Raw.SHORT, at + i * 2L) & 0xffffL;
    }
  }

  private static void int32(MemorySegment values, long at, int count, long[] keys) {
    for (int i = 0; i < count; i++) {
      keys[i] = values.get(Raw.INT, at + i * 4L);
    }
  }

  private static void uint32(MemorySegment values, long at, int count, long[] keys) {
    for (int i = 0; i < count; i++) {
      keys[i] = values.get(Raw.INT, at + i * 4L) & 0xffff_ffffL;
    }
  }

  private static void int64(MemorySegment values, long at, int count, long[] keys) {
    for (int i = 0; i < count; i++) {
      keys[i] = values.get(Raw.LONG, at + i * 8L);
    }
  }

  private static void uint64(MemorySegment values, long at, int count, long[] keys) {
    for (int i = 0; i < count; i++) {
      keys[i] = values.get(Raw.LONG, at + i * 8L) ^ Long.MIN_VALUE;
    }
  }

  private static void float16(MemorySegment values, long at, int count, long[] keys) {
    for (int i = 0; i < count; i++) {
      keys[i] = key(values.get(Raw.SHORT, at + i * 2L));
    }
  }

  private static void float32(MemorySegment values, long at, int count, long[] keys) {
    for (int i = 0; i < count; i++) {
      keys[i] = key(values.get(Raw.INT, at + i * 4L));
    }
  }

  private static void float64(MemorySegment values, long at, int count, long[] keys) {
    for (int i = 0; i < count; i++) {
      keys[i] = key(values.get(Raw.LONG, at + i * 8L));
    }
  }
}
