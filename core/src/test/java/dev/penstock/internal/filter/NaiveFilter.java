package dev.penstock.internal.filter;

import dev.penstock.filter.Filter;
import dev.penstock.filter.Fold;
import dev.penstock.filter.Literal;
import dev.penstock.filter.Operator;
import dev.penstock.internal.hash.XxHash64;
import dev.penstock.schema.DataType;
import dev.penstock.schema.DataType.TimeUnit;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.ZoneOffset;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// A filter evaluated row by row as SQL describes it: true, false or null for unknown.
///
/// Knows nothing of bound conditions: values and literals meet as exact numbers, code points or
/// doubles. Values are `Boolean`; `BigDecimal` for integers and decimals; `Double` for
/// floating-point numbers of any width; `Long` counts for dates, times and timestamps; `String` for
/// text; bytes and `UUID`s as hexadecimal digits in lower case.
final class NaiveFilter {
  private static final BigDecimal[] FLOAT16 = float16();

  private final Map<String, DataType> types;
  private final Map<Literal, Double> rounded = new HashMap<>();

  NaiveFilter(Map<String, DataType> types) {
    this.types = types;
  }

  @Nullable Boolean test(Filter filter, Function<String, @Nullable Object> row) {
    return switch (filter) {
      case Filter.Not(Filter part) -> {
        Boolean answer = test(part, row);
        yield answer == null ? null : (Boolean) !answer;
      }
      case Filter.And(List<Filter> parts) -> join(parts, row, false);
      case Filter.Or(List<Filter> parts) -> join(parts, row, true);
      case Filter.Comparison(String column, Operator operator, Literal literal) -> {
        Object value = row.apply(column);
        yield value == null ? null : (Boolean) compare(column, value, operator, literal);
      }
      case Filter.In in -> {
        Object value = row.apply(in.column());
        yield value == null
            ? null
            : (Boolean)
                in.values().stream()
                    .anyMatch(literal -> compare(in.column(), value, Operator.EQ, literal));
      }
      case Filter.IsNull(String column) -> row.apply(column) == null;
      case Filter.IsNaN(String column) -> {
        Object value = row.apply(column);
        yield value == null ? null : (Boolean) ((Double) value).isNaN();
      }
      case Filter.StartsWith(String column, String prefix) -> {
        Object value = row.apply(column);
        yield value == null ? null : (Boolean) ((String) value).startsWith(prefix);
      }
      case Filter.Like like -> {
        Object value = row.apply(like.column());
        yield value == null
            ? null
            : (Boolean)
                Pattern.compile(regex(like.pattern(), like.escape()), Pattern.DOTALL)
                    .matcher((String) value)
                    .matches();
      }
      case Filter.InFold(Fold fold, Set<Integer> folds) -> folds.contains(fold(fold, row));
      case Filter.ColumnComparison(String left, Operator operator, String right) -> {
        Object value = row.apply(left);
        Object other = row.apply(right);
        yield (value == null || other == null)
            ? null
            : (Boolean) compare(type(left), value, operator, type(right), other);
      }
    };
  }

  private int fold(Fold fold, Function<String, @Nullable Object> row) {
    ByteBuffer bytes = ByteBuffer.allocate(10_000).order(ByteOrder.LITTLE_ENDIAN);
    bytes.putLong(fold.seed());
    for (String column : fold.columns()) {
      Object value = row.apply(column);
      bytes.put((byte) (value == null ? 0 : 1));
      if (value != null) {
        add(bytes, type(column), value);
      }
    }
    long hash = XxHash64.hash(Arrays.copyOf(bytes.array(), bytes.position()));
    return new BigInteger(Long.toUnsignedString(hash)).mod(BigInteger.valueOf(fold.k())).intValue();
  }

  private static void add(ByteBuffer bytes, DataType type, Object value) {
    switch (value) {
      case Boolean truth -> bytes.putLong(truth ? 1 : 0);
      case BigDecimal number when type instanceof DataType.Int -> bytes.putLong(number.longValue());
      case BigDecimal number -> {
        for (int i = 0; i < 4; i++) {
          bytes.putLong(number.unscaledValue().shiftRight(64 * i).longValue());
        }
      }
      case Long days when type instanceof DataType.Date -> bytes.putLong(days);
      case Long count -> bytes.putLong(seconds(type, count).movePointRight(9).longValue());
      case String text -> {
        byte[] raw =
            type instanceof DataType.Utf8
                ? text.getBytes(StandardCharsets.UTF_8)
                : HexFormat.of().parseHex(text);
        bytes.putLong(raw.length).put(raw);
      }
      default -> throw new AssertionError(value.getClass());
    }
  }

  private @Nullable Boolean join(
      List<Filter> parts, Function<String, @Nullable Object> row, boolean decisive) {
    boolean unknown = false;
    for (Filter part : parts) {
      Boolean answer = test(part, row);
      if (answer == null) {
        unknown = true;
      } else if (answer == decisive) {
        return decisive;
      }
    }
    return unknown ? null : (Boolean) !decisive;
  }

  private static String regex(String pattern, String escape) {
    StringBuilder regex = new StringBuilder();
    boolean escaped = false;
    for (int point : pattern.codePoints().toArray()) {
      String one = Character.toString(point);
      if (!escaped && one.equals(escape)) {
        escaped = true;
        continue;
      }
      regex.append(escaped ? Pattern.quote(one) : wildcard(one));
      escaped = false;
    }
    return regex.toString();
  }

  private static String wildcard(String one) {
    return switch (one) {
      case "%" -> ".*";
      case "_" -> ".";
      default -> Pattern.quote(one);
    };
  }

  private DataType type(String column) {
    return Objects.requireNonNull(types.get(column));
  }

  private boolean compare(
      DataType type, Object value, Operator operator, DataType otherType, Object other) {
    if (value instanceof Double || other instanceof Double) {
      return compare(operator, number(value, otherType), number(other, type));
    }
    return operator.test(
        switch (value) {
          case Boolean truth -> truth.compareTo((Boolean) other);
          case BigDecimal number -> number.compareTo((BigDecimal) other);
          case String text when type instanceof DataType.Utf8 -> order(text, (String) other);
          case String hex -> hex.compareTo((String) other);
          case Long count -> seconds(type, count).compareTo(seconds(otherType, (Long) other));
          default -> throw new AssertionError(value.getClass());
        });
  }

  private double number(Object value, DataType other) {
    return value instanceof Double number
        ? number
        : rounded(new Literal.Num((BigDecimal) value), ((DataType.Floating) other).bits());
  }

  private static int order(String text, String other) {
    return Arrays.compare(text.codePoints().toArray(), other.codePoints().toArray());
  }

  private static boolean compare(Operator operator, double left, double right) {
    return switch (operator) {
      case EQ -> left == right;
      case NE -> left != right;
      case LT -> left < right;
      case LE -> left <= right;
      case GT -> left > right;
      case GE -> left >= right;
    };
  }

  private boolean compare(String column, Object value, Operator operator, Literal literal) {
    DataType type = type(column);
    if (type instanceof DataType.Floating(int bits)) {
      return compare(operator, (Double) value, rounded(literal, bits));
    }
    int order =
        switch (value) {
          case Boolean truth -> truth.compareTo(((Literal.Bool) literal).value());
          case BigDecimal number ->
              literal instanceof Literal.Infinity(boolean negative)
                  ? (negative ? 1 : -1)
                  : number.compareTo(((Literal.Num) literal).value());
          case String text when type instanceof DataType.Utf8 ->
              order(text, ((Literal.Text) literal).value());
          case String hex -> hex.compareTo(hex(literal));
          case Long count -> seconds(type, count).compareTo(seconds(literal));
          default -> throw new AssertionError(value.getClass());
        };
    return operator.test(order);
  }

  private static String hex(Literal literal) {
    return switch (literal) {
      case Literal.Bytes(String hex) -> hex.toLowerCase(Locale.ROOT);
      case Literal.Text(String uuid) -> uuid.replace("-", "");
      default -> throw new AssertionError(literal);
    };
  }

  /// The value of a date in days, of others in seconds.
  private static BigDecimal seconds(DataType type, long count) {
    return switch (type) {
      case DataType.Time(TimeUnit unit, boolean _) -> BigDecimal.valueOf(count, unit.digits());
      case DataType.Timestamp(TimeUnit unit, boolean _) -> BigDecimal.valueOf(count, unit.digits());
      default -> BigDecimal.valueOf(count * 86_400);
    };
  }

  private static BigDecimal seconds(Literal literal) {
    return switch (literal) {
      case Literal.Day(LocalDate day) -> BigDecimal.valueOf(day.toEpochDay() * 86_400);
      case Literal.TimeOfDay(LocalTime time) -> BigDecimal.valueOf(time.toNanoOfDay(), 9);
      case Literal.ZonedTimestamp(Instant point) -> seconds(point);
      case Literal.LocalTimestamp(LocalDateTime local) -> seconds(local.toInstant(ZoneOffset.UTC));
      case Literal.Text(String text) -> {
        if (text.endsWith("Z")) {
          yield seconds(Instant.parse(text));
        }
        if (text.contains("T")) {
          yield seconds(LocalDateTime.parse(text).toInstant(ZoneOffset.UTC));
        }
        yield text.contains(":")
            ? seconds(new Literal.TimeOfDay(LocalTime.parse(text)))
            : seconds(new Literal.Day(LocalDate.parse(text)));
      }
      default -> throw new AssertionError(literal);
    };
  }

  private static BigDecimal seconds(Instant point) {
    return BigDecimal.valueOf(point.getEpochSecond()).add(BigDecimal.valueOf(point.getNano(), 9));
  }

  private double rounded(Literal literal, int bits) {
    if (literal instanceof Literal.Infinity(boolean negative)) {
      return negative ? Double.NEGATIVE_INFINITY : Double.POSITIVE_INFINITY;
    }
    BigDecimal number = ((Literal.Num) literal).value();
    return switch (bits) {
      case 64 -> number.doubleValue();
      case 32 -> number.floatValue();
      default -> rounded.computeIfAbsent(literal, _ -> float16(number));
    };
  }

  /// The nearest of all there are, of two equally near the one whose last bit is 0; as if the
  /// greatest exponent were not that of infinity.
  private static double float16(BigDecimal number) {
    int best = 0;
    for (int bits = 1; bits <= 0x7c00; bits++) {
      BigDecimal distance = number.abs().subtract(FLOAT16[bits]).abs();
      int nearer = distance.compareTo(number.abs().subtract(FLOAT16[best]).abs());
      if (nearer < 0 || (nearer == 0 && (bits & 1) == 0)) {
        best = bits;
      }
    }
    double rounded = Float.float16ToFloat((short) best);
    return number.signum() < 0 ? -rounded : rounded;
  }

  private static BigDecimal[] float16() {
    BigDecimal[] all = new BigDecimal[0x7c01];
    for (int bits = 0; bits < 0x7c00; bits++) {
      all[bits] = new BigDecimal(Float.float16ToFloat((short) bits));
    }
    all[0x7c00] = BigDecimal.valueOf(65536);
    return all;
  }
}
