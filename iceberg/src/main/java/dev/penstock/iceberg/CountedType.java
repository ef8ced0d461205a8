package dev.penstock.iceberg;

import dev.penstock.filter.Literal;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.ZoneOffset;
import org.apache.iceberg.types.Type;
import org.apache.iceberg.types.Types;
import org.jspecify.annotations.Nullable;

/// A type whose values are counts: integers, days, microseconds, unscaled decimals.
///
/// @param limit values lie in `[-limit, limit)`
record CountedType(Type type, BigInteger limit) {
  /// Returns the counted form of a type, or null if it has none.
  static @Nullable CountedType of(Type type) {
    return switch (type.typeId()) {
      case INTEGER, DATE -> new CountedType(type, BigInteger.ONE.shiftLeft(31));
      case LONG, TIME, TIMESTAMP, TIMESTAMP_NANO ->
          new CountedType(type, BigInteger.ONE.shiftLeft(63));
      case DECIMAL ->
          new CountedType(type, BigInteger.TEN.pow(((Types.DecimalType) type).precision()));
      default -> null;
    };
  }

  /// Returns the value of a literal, or null if it is not a number of this type.
  @Nullable BigDecimal count(Literal literal) {
    try {
      return switch (type.typeId()) {
        case INTEGER, LONG -> literal instanceof Literal.Num(BigDecimal value) ? value : null;
        case DECIMAL ->
            literal instanceof Literal.Num(BigDecimal value)
                ? value.scaleByPowerOfTen(((Types.DecimalType) type).scale())
                : null;
        case DATE -> day(literal);
        case TIME -> time(literal);
        case TIMESTAMP -> point(literal, ((Types.TimestampType) type).shouldAdjustToUTC(), 6);
        case TIMESTAMP_NANO ->
            point(literal, ((Types.TimestampNanoType) type).shouldAdjustToUTC(), 9);
        default -> null;
      };
    } catch (DateTimeException _) {
      return null; // The row filter reports the problem.
    }
  }

  private static @Nullable BigDecimal day(Literal literal) {
    LocalDate day =
        switch (literal) {
          case Literal.Day(LocalDate value) -> value;
          case Literal.Text(String text) -> LocalDate.parse(text);
          default -> null;
        };
    return day == null ? null : BigDecimal.valueOf(day.toEpochDay());
  }

  private static @Nullable BigDecimal time(Literal literal) {
    LocalTime time =
        switch (literal) {
          case Literal.TimeOfDay(LocalTime value) -> value;
          case Literal.Text(String text) -> LocalTime.parse(text);
          default -> null;
        };
    return time == null ? null : BigDecimal.valueOf(time.toNanoOfDay(), 3);
  }

  private static @Nullable BigDecimal point(Literal literal, boolean utc, int digits) {
    Literal value =
        literal instanceof Literal.Text(String text) ? Literal.timestamp(text) : literal;
    Instant point =
        switch (value) {
          case Literal.ZonedTimestamp(Instant zoned) when utc -> zoned;
          case Literal.LocalTimestamp(LocalDateTime local) -> local.toInstant(ZoneOffset.UTC);
          case Literal.Day(LocalDate day) -> day.atStartOfDay().toInstant(ZoneOffset.UTC);
          default -> null;
        };
    return point == null
        ? null
        : BigDecimal.valueOf(point.getEpochSecond())
            .scaleByPowerOfTen(digits)
            .add(BigDecimal.valueOf(point.getNano(), 9 - digits));
  }

  /// Returns the next lower value, or null if the number lies beyond all values.
  @Nullable BigInteger floor(BigDecimal count) {
    // Compared first: a huge exponent must not become a huge integer.
    BigDecimal end = new BigDecimal(limit);
    if (count.compareTo(end.negate()) < 0 || count.compareTo(end) >= 0) {
      return null;
    }
    boolean small = count.precision() - (long) count.scale() <= 0;
    return small
        ? BigInteger.valueOf(count.signum() < 0 ? -1 : 0)
        : count.setScale(0, RoundingMode.FLOOR).unscaledValue();
  }

  /// Returns a value as Iceberg's expressions take it.
  Object value(BigInteger count) {
    return switch (type.typeId()) {
      case INTEGER, DATE -> count.intValueExact();
      case DECIMAL -> new BigDecimal(count, ((Types.DecimalType) type).scale());
      case TIMESTAMP_NANO -> text(count.longValueExact());
      default -> count.longValueExact();
    };
  }

  /// As text, because Iceberg would take numbers for microseconds.
  private String text(long nanos) {
    LocalDateTime time =
        LocalDateTime.ofEpochSecond(
            Math.floorDiv(nanos, 1_000_000_000L),
            (int) Math.floorMod(nanos, 1_000_000_000L),
            ZoneOffset.UTC);
    return time + (((Types.TimestampNanoType) type).shouldAdjustToUTC() ? "+00:00" : "");
  }
}
