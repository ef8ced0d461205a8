package dev.penstock.testing;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.schema.DataType;
import dev.penstock.spi.format.Bound;
import dev.penstock.spi.format.ByteString;
import dev.penstock.spi.format.ColumnStatistics;
import dev.penstock.testing.TestTables.Table;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/// Statistics held against the values themselves.
public final class TestBounds {
  private TestBounds() {}

  /// Returns a value of [TestRows] as bounds have it.
  public static Comparable<?> value(DataType type, Object value) {
    return switch (type) {
      case DataType.Int(int bits, boolean signed) when bits == 64 && !signed ->
          BigInteger.valueOf((Long) value)
              .and(BigInteger.ONE.shiftLeft(64).subtract(BigInteger.ONE));
      case DataType.Floating(int bits) when bits == 16 ->
          Float.float16ToFloat(((Long) value).shortValue());
      case DataType.Decimal(int _, int scale) -> new BigDecimal((BigInteger) value, scale);
      case DataType.Utf8 _ -> ByteString.utf8((String) value);
      case DataType.Binary _, DataType.FixedBinary _, DataType.Uuid _, DataType.Interval _ ->
          ByteString.of(HexFormat.of().parseHex((String) value));
      default -> (Comparable<?>) value;
    };
  }

  /// Returns the values of some rows without the nulls.
  public static List<Comparable<?>> values(DataType type, List<@Nullable Object> rows) {
    List<Comparable<?>> values = new ArrayList<>();
    for (Object row : rows) {
      if (row != null) {
        values.add(value(type, row));
      }
    }
    return values;
  }

  /// Returns whether a value is NaN.
  public static boolean isNaN(Comparable<?> value) {
    return (value instanceof Float single && single.isNaN())
        || (value instanceof Double number && number.isNaN());
  }

  /// Checks that no value contradicts the statistics.
  public static void check(
      ColumnStatistics statistics, DataType type, List<@Nullable Object> rows) {
    List<Comparable<?>> values = values(type, rows);
    long nans = values.stream().filter(TestBounds::isNaN).count();
    statistics.valueCount().ifPresent(count -> assertThat(count).isEqualTo(rows.size()));
    statistics
        .nullCount()
        .ifPresent(count -> assertThat(count).isEqualTo(rows.size() - values.size()));
    statistics.nanCount().ifPresent(count -> assertThat(count).isEqualTo(nans));
    assertThat(statistics.allNull() && !values.isEmpty()).isFalse();
    assertThat(statistics.noNulls() && values.size() < rows.size()).isFalse();
    assertThat(statistics.noNaN() && nans > 0).isFalse();
    boolean lowerFound = false;
    boolean upperFound = false;
    for (Comparable<?> value : values) {
      if (!isNaN(value)) {
        lowerFound |= compare(statistics.lower(), value, 1);
        upperFound |= compare(statistics.upper(), value, -1);
      }
    }
    assertThat(isExact(statistics.lower()) && !lowerFound).isFalse();
    assertThat(isExact(statistics.upper()) && !upperFound).isFalse();
  }

  private static boolean isExact(@Nullable Bound bound) {
    return bound != null && bound.exact();
  }

  /// Returns whether a value is the bound, after checking that it is not beyond it.
  private static boolean compare(@Nullable Bound bound, Comparable<?> value, int beyond) {
    if (bound == null) {
      return false;
    }
    int order = Integer.signum(bound.compareTo(value));
    assertThat(order).as("%s and the value %s", bound, value).isNotEqualTo(beyond);
    return order == 0;
  }

  /// Puts values into a table that statistics easily get wrong: the least and the greatest, zeros,
  /// NaN, empty and long strings.
  public static void addExtremes(Random random, Table table) {
    for (int c = 0; c < table.columns().size(); c++) {
      List<Object> extremes = extremes(table.schema().fields().get(c).type());
      List<@Nullable Object> values = table.columns().get(c);
      int most = extremes.isEmpty() || random.nextBoolean() ? 0 : 1 + random.nextInt(10);
      for (int i = 0; i < most && !values.isEmpty(); i++) {
        int row = random.nextInt(values.size());
        if (values.get(row) != null) {
          values.set(row, extremes.get(random.nextInt(extremes.size())));
        }
      }
    }
  }

  private static List<Object> extremes(DataType type) {
    return switch (type) {
      case DataType.Int(int bits, boolean signed) ->
          signed
              ? List.of(0L, -1L, -1L << (bits - 1), ~(-1L << (bits - 1)))
              : List.of(0L, bits == 64 ? -1L : ~(-1L << bits), 1L << (bits - 1));
      case DataType.Floating(int bits) ->
          switch (bits) {
            case 16 -> List.of(0L, 0x8000L, 0x7e00L, 0xfe01L, 0x7c00L, 0xfc00L);
            case 32 ->
                List.of(0f, -0f, Float.NaN, Float.POSITIVE_INFINITY, Float.NEGATIVE_INFINITY);
            default ->
                List.of(0d, -0d, Double.NaN, Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY);
          };
      case DataType.Decimal(int precision, int _) -> {
        BigInteger greatest = BigInteger.TEN.pow(precision).subtract(BigInteger.ONE);
        yield List.of(greatest, greatest.negate(), BigInteger.ZERO, BigInteger.ONE.negate());
      }
      case DataType.Utf8 _ ->
          List.of(
              "",
              "\uffff",
              "\ud83d\ude00",
              "\u007f",
              "\u00ff".repeat(100),
              "\udbff\udfff".repeat(80));
      case DataType.Binary _ -> List.of("", "ff".repeat(100), "00", "ff", "7f80", "80");
      case DataType.FixedBinary(int width) ->
          List.of("ff".repeat(width), "00".repeat(width), "80".repeat(width));
      case DataType.Date _ -> List.of((long) Integer.MIN_VALUE, (long) Integer.MAX_VALUE, 0L);
      default -> Arrays.asList();
    };
  }
}
