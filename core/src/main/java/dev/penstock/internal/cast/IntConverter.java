package dev.penstock.internal.cast;

import dev.penstock.schema.DataType;
import dev.penstock.spi.format.ColumnSlice;
import dev.penstock.spi.format.ScratchMemory;
import java.lang.foreign.MemorySegment;
import java.math.BigDecimal;

/// Turns whole numbers of up to 64 bits (booleans, integers, dates, times, decimals of up to 18
/// digits) into others, or into floating-point numbers.
final class IntConverter extends NumberConverter {
  /* A block goes through three loops: load as long, change, store. Each is simple enough to
   * vectorize, and the block stays in the first-level cache between them. Errors in a block are
   * detected without a branch per value; only then a second pass looks for the first wrong value
   * that is not null.
   *
   * To change is one of: multiply by `factor`, divide by `factor` (times round to the earlier unit,
   * decimals towards zero), or nothing. `least` and `most` are the bounds of values to multiply, or
   * of quotients.
   */
  private final boolean unsigned;
  private final long factor;
  private final boolean divides;
  private final boolean floors;
  private final long least;
  private final long most;

  private final long lowest; // of the wanted type's range
  private final long highest;
  private final long[] values = new long[BLOCK];
  private final double[] floats;

  IntConverter(DataType from, DataType to, boolean lossy, ScratchMemory memory) {
    super(from, to, lossy, memory);
    this.unsigned = isUnsignedLong(from);
    this.floats = new double[to instanceof DataType.Floating ? BLOCK : 0];
    long ticksFrom = ticksPerDay(from);
    long ticksTo = ticksPerDay(to);
    boolean times = ticksFrom > 0 && ticksTo > 0;
    int digits = scale(to) - scale(from);
    this.divides = times ? ticksTo < ticksFrom : digits < 0;
    this.factor =
        times
            ? Math.max(ticksFrom, ticksTo) / Math.min(ticksFrom, ticksTo)
            : to instanceof DataType.Floating ? 1 : powerOfTen(Math.abs(digits));
    this.floors = times;
    boolean floating = to instanceof DataType.Floating;
    long low = floating ? Long.MIN_VALUE : least(to);
    this.lowest = unsigned ? Math.max(0, low) : low; // values from 2^63 on look negative
    this.highest = floating ? Long.MAX_VALUE : most(to);
    this.least = divides ? lowest : lowest / factor;
    this.most = divides ? highest : highest / factor;
  }

  private static long ticksPerDay(DataType type) {
    return switch (type) {
      case DataType.Date _ -> 1;
      case DataType.Time(DataType.TimeUnit unit, boolean _) -> 86_400 * unit.perSecond();
      case DataType.Timestamp(DataType.TimeUnit unit, boolean _) -> 86_400 * unit.perSecond();
      default -> 0;
    };
  }

  private static int scale(DataType type) {
    return type instanceof DataType.Decimal(int _, int scale) ? scale : 0;
  }

  @Override
  void block(ColumnSlice slice, int at, int count, MemorySegment target) throws LostValueException {
    load(slice.values(), at, count);
    if (to instanceof DataType.Floating(int bits)) {
      toFloats(slice, at, count, bits);
      store(floats, count, target, at, to.byteWidth());
      return;
    }
    if (divides) {
      divide(slice, at, count);
    } else {
      multiply(slice, at, count);
    }
    store(values, count, target, at, to.byteWidth());
  }

  private void load(MemorySegment source, int at, int count) {
    if (from instanceof DataType.Bool) {
      for (int i = 0; i < count; i++) {
        values[i] = (source.get(BYTE, (at + i) >>> 3) & 0xFFL) >>> (at + i & 7) & 1;
      }
      return;
    }
    boolean signed = !(from instanceof DataType.Int integer) || integer.signed();
    switch (from.byteWidth()) {
      case 1 -> {
        long mask = signed ? -1 : 0xFF;
        for (int i = 0; i < count; i++) {
          values[i] = source.get(BYTE, at + i) & mask;
        }
      }
      case 2 -> {
        long mask = signed ? -1 : 0xFFFF;
        for (int i = 0; i < count; i++) {
          values[i] = source.get(SHORT, (at + i) * 2L) & mask;
        }
      }
      case 4 -> {
        long mask = signed ? -1 : 0xFFFF_FFFFL;
        for (int i = 0; i < count; i++) {
          values[i] = source.get(INT, (at + i) * 4L) & mask;
        }
      }
      default -> {
        for (int i = 0; i < count; i++) {
          values[i] = source.get(LONG, (at + i) * 8L);
        }
      }
    }
  }

  private void multiply(ColumnSlice slice, int at, int count) throws LostValueException {
    int wrong = 0;
    for (int i = 0; i < count; i++) {
      wrong |= (values[i] < least ? 1 : 0) | (values[i] > most ? 1 : 0);
    }
    if (wrong == 0) {
      for (int i = 0; i < count && factor != 1; i++) {
        values[i] *= factor;
      }
      return;
    }
    for (int i = 0; i < count; i++) {
      boolean inside = values[i] >= least && values[i] <= most;
      if (!inside && !lossy && isPresent(slice, at + i)) {
        throw lost(at + i, text(values[i]), outOfRange());
      }
      values[i] = inside ? values[i] * factor : end(values[i]);
    }
  }

  private void divide(ColumnSlice slice, int at, int count) throws LostValueException {
    int wrong = 0;
    for (int i = 0; i < count; i++) {
      long value = values[i];
      long quotient = floors ? Math.floorDiv(value, factor) : value / factor;
      wrong |=
          (quotient * factor != value ? 1 : 0)
              | (quotient < least ? 1 : 0)
              | (quotient > most ? 1 : 0);
      values[i] = quotient;
    }
    if (wrong == 0) {
      return;
    }
    load(slice.values(), at, count);
    for (int i = 0; i < count; i++) {
      long value = values[i];
      long quotient = floors ? Math.floorDiv(value, factor) : value / factor;
      boolean outside = quotient < least || quotient > most;
      if (!lossy && (outside || quotient * factor != value) && isPresent(slice, at + i)) {
        throw lost(at + i, text(value), outside ? outOfRange() : inexact());
      }
      values[i] = outside ? end(quotient) : quotient;
    }
  }

  /// Returns the end of the range nearest to a value outside of it.
  private long end(long value) {
    return value < least && !unsigned ? lowest : highest;
  }

  private void toFloats(ColumnSlice slice, int at, int count, int bits) throws LostValueException {
    long magnitudes = 0;
    for (int i = 0; i < count; i++) {
      long value = values[i];
      magnitudes |= unsigned ? value : Math.abs(value);
      floats[i] = value;
    }
    int digits = bits == 64 ? 53 : bits == 32 ? 24 : 11;
    if (magnitudes >>> digits == 0) {
      return; // exact at this width
    }
    // A double that was rounded must not fall on the middle of two floats, and unsigned numbers
    // from 2^63 on need another conversion: so lower bits are cut off and any that were set are
    // kept as the last bit.
    int cut = bits == 64 ? 1 : 11;
    long rest = (1L << cut) - 1;
    for (int i = 0; i < count && magnitudes >>> 53 != 0; i++) {
      long value = values[i];
      if (bits < 64 ? excess(value, 53) != 0 : unsigned && value < 0) {
        long kept = unsigned ? value >>> cut : value >> cut;
        floats[i] = (kept | ((value & rest) == 0 ? 0 : 1)) * (rest + 1.0);
      }
    }
    for (int i = 0; i < count && !lossy; i++) {
      boolean outside = bits == 16 && Math.abs(floats[i]) > 65504;
      if ((outside || excess(values[i], digits) != 0) && isPresent(slice, at + i)) {
        throw lost(at + i, text(values[i]), outside ? outOfRange() : inexact());
      }
    }
  }

  /// Returns the bits of a number that do not fit into `digits` binary digits; 0 if it is exact.
  private long excess(long value, int digits) {
    long magnitude = unsigned ? value : Math.abs(value);
    return magnitude >>> Long.numberOfTrailingZeros(magnitude) >>> digits;
  }

  private Object text(long value) {
    return switch (from) {
      case DataType.Bool _ -> value != 0;
      case DataType.Decimal(int _, int scale) -> BigDecimal.valueOf(value, scale).toPlainString();
      default -> unsigned ? Long.toUnsignedString(value) : Long.toString(value);
    };
  }
}
