package dev.penstock.internal.table;

import dev.penstock.schema.DataType;
import dev.penstock.spi.format.Bound;
import dev.penstock.spi.format.ColumnStatistics;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/// Turns a file's statistics into statistics of the table's values.
///
/// A bound is kept if the table's type holds exactly the same value: casts preserve the order, so a
/// bound of the file's values is a bound of the table's.
final class TableStatistics {
  private TableStatistics() {}

  static ColumnStatistics ofConstant(DataType type, @Nullable Comparable<?> value, long rows) {
    if (type.isNested()) {
      return ColumnStatistics.UNKNOWN;
    }
    boolean isNaN =
        (value instanceof Float single && single.isNaN())
            || (value instanceof Double number && number.isNaN());
    OptionalLong nans =
        type instanceof DataType.Floating
            ? OptionalLong.of(isNaN ? rows : 0)
            : OptionalLong.empty();
    Comparable<?> bound = isNaN || rows == 0 ? null : value;
    return new ColumnStatistics(
        OptionalLong.of(rows),
        OptionalLong.of(value == null ? rows : 0),
        nans,
        bound == null ? null : bound(bound, true, true),
        bound == null ? null : bound(bound, true, false));
  }

  static ColumnStatistics converted(DataType from, DataType to, ColumnStatistics statistics) {
    if (from.equals(to)) {
      return statistics;
    }
    if (from.isNested() || to.isNested()) {
      return ColumnStatistics.UNKNOWN;
    }
    boolean wasFloating = from instanceof DataType.Floating;
    // A NaN, which bounds ignore, becomes 0 when cast to an integer.
    boolean bounded = !wasFloating || to instanceof DataType.Floating || statistics.noNaN();
    OptionalLong nans =
        !(to instanceof DataType.Floating)
            ? OptionalLong.empty()
            : wasFloating ? statistics.nanCount() : OptionalLong.of(0);
    return new ColumnStatistics(
        statistics.valueCount(),
        statistics.nullCount(),
        nans,
        bounded ? converted(from, to, statistics.lower(), true) : null,
        bounded ? converted(from, to, statistics.upper(), false) : null);
  }

  private static @Nullable Bound converted(
      DataType from, DataType to, @Nullable Bound bound, boolean lower) {
    Comparable<?> value = bound == null ? null : converted(from, to, bound.value());
    return bound == null || value == null ? null : bound(value, bound.exact(), lower);
  }

  /// Returns a bound that includes zeros of both signs.
  private static Bound bound(Comparable<?> value, boolean exact, boolean lower) {
    return switch (value) {
      case Float number when number == 0 -> new Bound(lower ? -0.0f : 0.0f, false);
      case Double number when number == 0 -> new Bound(lower ? -0.0 : 0.0, false);
      default -> new Bound(value, exact);
    };
  }

  /// Returns a value, of the class that [Bound] names for `from`, in another type, or null if that
  /// does not hold it.
  static @Nullable Comparable<?> converted(DataType from, DataType to, Comparable<?> value) {
    if (from.equals(to) || (from.isBytes() && to.isBytes())) {
      return value;
    }
    try {
      if (value instanceof Long count && ticksPerDay(from) > 0) {
        return ticksPerDay(to) > 0 ? retimed(from, to, count) : null;
      }
      BigDecimal number = number(value);
      return number == null
          ? null
          : switch (to) {
            case DataType.Int _, DataType.Decimal _ -> Constants.of(to, number);
            case DataType.Floating(int bits) -> floating(bits, number);
            default -> null;
          };
    } catch (ArithmeticException | IllegalArgumentException _) {
      return null;
    }
  }

  private static @Nullable Long retimed(DataType from, DataType to, long count) {
    long fromTicks = ticksPerDay(from);
    long toTicks = ticksPerDay(to);
    long ratio = Math.max(fromTicks, toTicks) / Math.min(fromTicks, toTicks);
    return toTicks >= fromTicks
        ? (Long) Math.multiplyExact(count, ratio)
        : count % ratio == 0 ? (Long) (count / ratio) : null;
  }

  private static @Nullable BigDecimal number(Comparable<?> value) {
    return switch (value) {
      case Boolean bit -> bit ? BigDecimal.ONE : BigDecimal.ZERO;
      case Float number when !number.isInfinite() -> new BigDecimal(number);
      case Double number when !number.isInfinite() -> new BigDecimal(number);
      case BigInteger integer -> new BigDecimal(integer);
      case BigDecimal decimal -> decimal;
      case Long integer -> BigDecimal.valueOf(integer);
      default -> null;
    };
  }

  /// Returns how many units of a date, time or timestamp make a day; 0 for other types.
  static long ticksPerDay(DataType type) {
    return switch (type) {
      case DataType.Date _ -> 1;
      case DataType.Time(DataType.TimeUnit unit, boolean _) -> 86_400 * unit.perSecond();
      case DataType.Timestamp(DataType.TimeUnit unit, boolean _) -> 86_400 * unit.perSecond();
      default -> 0;
    };
  }

  private static @Nullable Comparable<?> floating(int bits, BigDecimal number) {
    double value = number.doubleValue();
    float single = (float) value;
    double kept =
        switch (bits) {
          case 16 -> Float.float16ToFloat(Float.floatToFloat16(single));
          case 32 -> single;
          default -> value;
        };
    boolean same = !Double.isInfinite(kept) && new BigDecimal(kept).compareTo(number) == 0;
    return !same ? null : bits == 64 ? (Comparable<?>) value : (Comparable<?>) single;
  }
}
