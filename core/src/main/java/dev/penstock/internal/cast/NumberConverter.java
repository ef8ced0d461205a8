package dev.penstock.internal.cast;

import dev.penstock.internal.memory.Buffer;
import dev.penstock.internal.number.Float16;
import dev.penstock.schema.DataType;
import dev.penstock.spi.format.ColumnSlice;
import dev.penstock.spi.format.ScratchMemory;
import java.lang.foreign.MemorySegment;
import java.math.BigInteger;

/// Converts numbers, dates and times of a fixed width, block by block.
abstract class NumberConverter extends Converter {
  /// The values of a block, few enough for the first-level cache: loaded, changed, stored.
  static final int BLOCK = 1024;

  final DataType from;
  final DataType to;
  final boolean lossy;
  private final Buffer converted;

  NumberConverter(DataType from, DataType to, boolean lossy, ScratchMemory memory) {
    this.from = from;
    this.to = to;
    this.lossy = lossy;
    this.converted = new Buffer(memory);
  }

  @Override
  public final ColumnSlice convert(ColumnSlice slice, int first, int end)
      throws LostValueException {
    MemorySegment target = converted.ensure((long) end * to.byteWidth());
    for (int at = first; at < end; at += BLOCK) {
      block(slice, at, Math.min(BLOCK, end - at), target);
    }
    return ColumnSlice.fixed(to, slice.rowCount(), slice.nullCount(), slice.validity(), target);
  }

  /// Converts `[at, at + count)`, at most [#BLOCK] values, to the same places of the target.
  abstract void block(ColumnSlice slice, int at, int count, MemorySegment target)
      throws LostValueException;

  final LostValueException lost(int index, Object value, String reason) {
    return new LostValueException(index, "the value '" + value + "' (" + from + ") " + reason);
  }

  final String outOfRange() {
    return "is out of its range";
  }

  final String inexact() {
    return "has no exact counterpart in it";
  }

  /// Writes the lower bytes of whole numbers; nothing is lost where they are in range.
  static void store(long[] values, int count, MemorySegment target, int at, int width) {
    switch (width) {
      case 1 -> {
        for (int i = 0; i < count; i++) {
          target.set(BYTE, at + i, (byte) values[i]);
        }
      }
      case 2 -> {
        for (int i = 0; i < count; i++) {
          target.set(SHORT, (at + i) * 2L, (short) values[i]);
        }
      }
      case 4 -> {
        for (int i = 0; i < count; i++) {
          target.set(INT, (at + i) * 4L, (int) values[i]);
        }
      }
      default -> {
        for (int i = 0; i < count; i++) {
          target.set(LONG, (at + i) * 8L, values[i]);
        }
      }
    }
  }

  /// Writes floating-point numbers, rounded to the nearest of the width.
  static void store(double[] values, int count, MemorySegment target, int at, int width) {
    switch (width) {
      case 2 -> {
        for (int i = 0; i < count; i++) {
          target.set(SHORT, (at + i) * 2L, Float16.nearest(values[i]));
        }
      }
      case 4 -> {
        for (int i = 0; i < count; i++) {
          target.set(INT, (at + i) * 4L, Float.floatToRawIntBits((float) values[i]));
        }
      }
      default -> {
        for (int i = 0; i < count; i++) {
          target.set(LONG, (at + i) * 8L, Double.doubleToRawLongBits(values[i]));
        }
      }
    }
  }

  /// Returns the least value of an integer, date or time type, clamped to a `long`.
  static long least(DataType type) {
    return switch (type) {
      case DataType.Int(int bits, boolean signed) -> signed ? Long.MIN_VALUE >> (64 - bits) : 0;
      case DataType.Decimal(int precision, int _) -> -(powerOfTen(precision) - 1);
      case DataType.Date _ -> Integer.MIN_VALUE;
      default -> type.byteWidth() == 4 ? Integer.MIN_VALUE : Long.MIN_VALUE;
    };
  }

  /// Returns the greatest value of an integer, date or time type, clamped to a `long`.
  static long most(DataType type) {
    return switch (type) {
      case DataType.Int(int bits, boolean signed) when !signed ->
          bits == 64 ? Long.MAX_VALUE : (1L << bits) - 1;
      case DataType.Decimal _ -> -least(type);
      default -> ~least(type);
    };
  }

  static boolean isUnsignedLong(DataType type) {
    return type instanceof DataType.Int(int bits, boolean signed) && bits == 64 && !signed;
  }

  /// Returns the least or the greatest value of a type, as [#least] and [#most] do for types that
  /// fit into a `long`.
  static BigInteger bound(DataType type, boolean least) {
    if (type instanceof DataType.Decimal(int precision, int _)) {
      BigInteger end = BigInteger.TEN.pow(precision);
      return least ? BigInteger.ONE.subtract(end) : end.subtract(BigInteger.ONE);
    }
    return !least && isUnsignedLong(type)
        ? BigInteger.TWO.pow(64).subtract(BigInteger.ONE)
        : BigInteger.valueOf(least ? least(type) : most(type));
  }

  /// Returns `10^exponent`, for an exponent of at most 18.
  static long powerOfTen(int exponent) {
    long power = 1;
    for (int i = 0; i < exponent; i++) {
      power *= 10;
    }
    return power;
  }
}
