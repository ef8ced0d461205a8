package dev.penstock.internal.filter;

import dev.penstock.internal.memory.Raw;
import dev.penstock.schema.DataType;
import dev.penstock.spi.format.ColumnSlice;
import dev.penstock.spi.format.TextDictionary;
import java.lang.foreign.MemorySegment;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.Objects;

interface PairOrder {
  int UNORDERED = Integer.MIN_VALUE; // the order of two values of which one is NaN

  /// Compares values that are not null: negative, 0 or positive for a left value below, equal to or
  /// above the right one; or [#UNORDERED].
  int order(ColumnSlice left, ColumnSlice right, int row);

  static PairOrder of(DataType left, DataType right) {
    return switch (Objects.requireNonNull(PairKind.of(left, right))) {
      case BOOL ->
          (one, other, row) -> Boolean.compare(bit(one.values(), row), bit(other.values(), row));
      case BYTES -> PairOrder::bytes;
      case COUNTS -> {
        Counts mine = counts(left);
        Counts others = counts(right);
        yield (one, other, row) ->
            Long.compare(mine.get(one.values(), row), others.get(other.values(), row));
      }
      case FLOATING -> {
        Floats mine = floats(left, right);
        Floats others = floats(right, left);
        yield (one, other, row) ->
            floating(mine.get(one.values(), row), others.get(other.values(), row));
      }
      case EXACT -> {
        Exact mine = exact(left);
        Exact others = exact(right);
        yield (one, other, row) ->
            Integer.signum(mine.get(one.values(), row).compareTo(others.get(other.values(), row)));
      }
    };
  }

  private static boolean bit(MemorySegment bits, int row) {
    return (bits.get(Raw.BYTE, row >> 3) >> (row & 7) & 1) != 0;
  }

  /// Compares floating-point numbers; the two zeros are equal.
  private static int floating(double left, double right) {
    return left < right ? -1 : left > right ? 1 : left == right ? 0 : UNORDERED;
  }

  private static int bytes(ColumnSlice left, ColumnSlice right, int row) {
    long from = start(left, row);
    long to = end(left, row);
    long otherFrom = start(right, row);
    long otherTo = end(right, row);
    long differs =
        MemorySegment.mismatch(left.values(), from, to, right.values(), otherFrom, otherTo);
    return differs < 0
        ? 0
        : differs == Math.min(to - from, otherTo - otherFrom)
            ? Long.compare(to - from, otherTo - otherFrom)
            : Byte.compareUnsigned(
                left.values().get(Raw.BYTE, from + differs),
                right.values().get(Raw.BYTE, otherFrom + differs));
  }

  private static long start(ColumnSlice slice, int row) {
    return edge(slice, row, 0);
  }

  private static long end(ColumnSlice slice, int row) {
    return edge(slice, row, 1);
  }

  /// Returns where the bytes of a value begin, or end if `end` is 1.
  private static long edge(ColumnSlice slice, int row, int end) {
    MemorySegment codes = slice.codes();
    if (codes != null) {
      TextDictionary dictionary = Objects.requireNonNull(slice.dictionary());
      return dictionary.offsets().get(Raw.INT, (codes.get(Raw.INT, row * 4L) + end) * 4L);
    }
    int width = slice.type().byteWidth();
    return width > 0
        ? (long) (row + end) * width
        : Objects.requireNonNull(slice.offsets()).get(Raw.INT, (row + end) * 4L);
  }

  interface Counts {
    long get(MemorySegment values, int row);
  }

  private static Counts counts(DataType type) {
    boolean signed = !(type instanceof DataType.Int(int _, boolean sign)) || sign;
    return switch (type.byteWidth()) {
      case 1 ->
          signed
              ? (values, row) -> values.get(Raw.BYTE, row)
              : (values, row) -> values.get(Raw.BYTE, row) & 0xffL;
      case 2 ->
          signed
              ? (values, row) -> values.get(Raw.SHORT, row * 2L)
              : (values, row) -> values.get(Raw.SHORT, row * 2L) & 0xffffL;
      case 4 ->
          signed
              ? (values, row) -> values.get(Raw.INT, row * 4L)
              : (values, row) -> values.get(Raw.INT, row * 4L) & 0xffff_ffffL;
      default -> (values, row) -> values.get(Raw.LONG, row * 8L);
    };
  }

  interface Floats {
    double get(MemorySegment values, int row);
  }

  /// Returns a reader of a column that is compared with another; one of them has floating-point
  /// numbers.
  private static Floats floats(DataType type, DataType other) {
    if (type instanceof DataType.Floating(int bits)) {
      return switch (bits) {
        case 16 -> (values, row) -> Float.float16ToFloat(values.get(Raw.SHORT, row * 2L));
        case 32 -> (values, row) -> Float.intBitsToFloat(values.get(Raw.INT, row * 4L));
        default -> (values, row) -> Double.longBitsToDouble(values.get(Raw.LONG, row * 8L));
      };
    }
    int bits = ((DataType.Floating) other).bits();
    if (bits >= 32 && PairKind.isCount(type) && PairKind.scale(type) == 0) {
      Counts counts = counts(type);
      return bits == 64
          ? (values, row) -> counts.get(values, row)
          : (values, row) -> (float) counts.get(values, row);
    }
    Exact exact = exact(type);
    return (values, row) -> LiteralBinder.rounded(exact.get(values, row), bits);
  }

  interface Exact {
    BigDecimal get(MemorySegment values, int row);
  }

  private static Exact exact(DataType type) {
    if (PairKind.isCount(type)) {
      Counts counts = counts(type);
      return (values, row) -> PairKind.exact(counts.get(values, row), type);
    }
    int width = type.byteWidth();
    int scale = PairKind.scale(type);
    boolean signed = type instanceof DataType.Decimal;
    return (values, row) -> {
      byte[] bytes = new byte[width]; // the highest first
      for (int i = 0; i < width; i++) {
        bytes[width - 1 - i] = values.get(Raw.BYTE, (long) row * width + i);
      }
      return new BigDecimal(signed ? new BigInteger(bytes) : new BigInteger(1, bytes), scale);
    };
  }
}
