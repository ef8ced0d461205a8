package dev.penstock.internal.filter;

import dev.penstock.schema.DataType;
import dev.penstock.schema.DataType.TimeUnit;
import java.math.BigDecimal;
import java.math.BigInteger;
import org.jspecify.annotations.Nullable;

/// The common form in which the values of two columns are compared.
///
/// The rules are the same as for literals: numbers compare by exact value, except that numbers
/// compared with a floating-point column are first rounded to its type; a date compared with
/// timestamps is its midnight.
enum PairKind {
  BOOL,
  BYTES,
  /// Both count the same unit, in at most 64 signed bits.
  COUNTS,
  /// At least one is a floating-point number.
  FLOATING,
  /// Any other numbers or points in time.
  EXACT;

  /// Returns the common form of two types, or null if they cannot be compared.
  static @Nullable PairKind of(DataType left, DataType right) {
    if (left instanceof DataType.Bool && right instanceof DataType.Bool) {
      return BOOL;
    }
    if ((left instanceof DataType.Utf8 && right instanceof DataType.Utf8)
        || (isBytes(left) && isBytes(right))) {
      return BYTES;
    }
    if (isNumber(left) && isNumber(right)) {
      return left instanceof DataType.Floating || right instanceof DataType.Floating
          ? FLOATING
          : isCount(left) && isCount(right) && scale(left) == scale(right) ? COUNTS : EXACT;
    }
    boolean comparable =
        switch (left) {
          case DataType.Date _ ->
              right instanceof DataType.Date || right instanceof DataType.Timestamp;
          case DataType.Timestamp(TimeUnit _, boolean utc) ->
              right instanceof DataType.Date
                  || (right instanceof DataType.Timestamp(TimeUnit _, boolean other)
                      && utc == other);
          case DataType.Time(TimeUnit _, boolean utc) ->
              right instanceof DataType.Time(TimeUnit _, boolean other) && utc == other;
          default -> false;
        };
    return !comparable ? null : left.equals(right) ? COUNTS : EXACT;
  }

  private static boolean isBytes(DataType type) {
    return type instanceof DataType.Binary
        || type instanceof DataType.FixedBinary
        || type instanceof DataType.Uuid;
  }

  private static boolean isNumber(DataType type) {
    return type instanceof DataType.Int
        || type instanceof DataType.Floating
        || type instanceof DataType.Decimal;
  }

  /// Returns whether each unscaled value fits a `long`.
  static boolean isCount(DataType type) {
    return type instanceof DataType.Int(int bits, boolean signed)
        ? signed || bits < 64
        : !(type instanceof DataType.Floating) && type.byteWidth() <= 8;
  }

  /// Returns how many digits of a number are after the point.
  static int scale(DataType type) {
    return type instanceof DataType.Decimal(int _, int scale) ? scale : 0;
  }

  /// Returns the common form of a value, which is as [dev.penstock.spi.format.Bound] has it: values
  /// of both columns then have one class and its order. The order of the column's values is kept.
  static Comparable<?> common(Comparable<?> value, DataType type, DataType other) {
    return switch (value) {
      case Float number -> number.doubleValue() + 0.0;
      case Double number -> number + 0.0;
      case Long count -> rounded(exact(count, type), other);
      case BigInteger number -> rounded(new BigDecimal(number), other);
      case BigDecimal number -> rounded(number, other);
      default -> value;
    };
  }

  private static Comparable<?> rounded(BigDecimal number, DataType other) {
    return other instanceof DataType.Floating(int bits)
        ? (Comparable<?>) LiteralBinder.rounded(number, bits)
        : (Comparable<?>) number;
  }

  /// Returns the number that a count stands for; for times and dates, in seconds.
  static BigDecimal exact(long count, DataType type) {
    return switch (type) {
      case DataType.Date _ -> BigDecimal.valueOf(count * 86_400);
      case DataType.Time(TimeUnit unit, boolean _) -> BigDecimal.valueOf(count, unit.digits());
      case DataType.Timestamp(TimeUnit unit, boolean _) -> BigDecimal.valueOf(count, unit.digits());
      default -> BigDecimal.valueOf(count, scale(type));
    };
  }
}
