package dev.penstock.internal.filter;

import dev.penstock.schema.DataType;
import dev.penstock.spi.format.Bound;
import dev.penstock.spi.format.ByteString;
import dev.penstock.spi.format.ColumnStatistics;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.Arrays;
import java.util.OptionalLong;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/// Statistics of random rows as files have them: true, but often vague or missing.
final class HonestStatistics {
  private HonestStatistics() {}

  static ColumnStatistics of(Random random, RandomRows rows, String column, int from, int count) {
    DataType type = rows.type(column);
    long nulls = 0;
    long nans = 0;
    Comparable<?> least = null;
    Comparable<?> most = null;
    for (int row = from; row < from + count; row++) {
      Object value = rows.value(column, row);
      if (value == null) {
        nulls++;
      } else if (value.equals(Double.NaN)) {
        nans++;
      } else {
        Comparable<?> bound = RandomRows.bound(type, value);
        least = least == null || compare(bound, least) < 0 ? bound : least;
        most = most == null || compare(bound, most) > 0 ? bound : most;
      }
    }
    boolean bytes = type instanceof DataType.Utf8;
    return new ColumnStatistics(
        maybe(random, count),
        maybe(random, nulls),
        type instanceof DataType.Floating ? maybe(random, nans) : OptionalLong.empty(),
        least != null && random.nextInt(6) > 0 ? lower(random, least, bytes) : null,
        most != null && random.nextInt(6) > 0 ? upper(random, most, bytes) : null);
  }

  private static OptionalLong maybe(Random random, long count) {
    return random.nextInt(6) == 0 ? OptionalLong.empty() : OptionalLong.of(count);
  }

  private static Bound lower(Random random, Comparable<?> least, boolean text) {
    boolean widened = random.nextInt(4) == 0;
    return switch (least) {
      case Float number -> new Bound(number == 0 ? -0f : number, number != 0);
      case Double number -> new Bound(number == 0 ? -0d : number, number != 0);
      case ByteString bytes when widened && text && bytes.length() > 1 ->
          new Bound(
              ByteString.of(
                  Arrays.copyOf(bytes.toByteArray(), 1 + random.nextInt(bytes.length() - 1))),
              false);
      default -> {
        Comparable<?> near = widened ? near(least, -1 - random.nextInt(3)) : null;
        yield near != null && compare(near, least) < 0
            ? new Bound(near, false)
            : new Bound(least, true);
      }
    };
  }

  private static Bound upper(Random random, Comparable<?> most, boolean text) {
    boolean widened = random.nextInt(4) == 0;
    return switch (most) {
      case Float number -> new Bound(number == 0 ? 0f : number, number != 0);
      case Double number -> new Bound(number == 0 ? 0d : number, number != 0);
      case ByteString bytes when widened && text && bytes.length() > 1 -> {
        // Cut, and the last byte raised: UTF-8 has no byte 0xff that would overflow.
        byte[] cut = Arrays.copyOf(bytes.toByteArray(), 1 + random.nextInt(bytes.length() - 1));
        cut[cut.length - 1]++;
        yield new Bound(ByteString.of(cut), false);
      }
      default -> {
        Comparable<?> near = widened ? near(most, 1 + random.nextInt(3)) : null;
        yield near != null && compare(near, most) > 0
            ? new Bound(near, false)
            : new Bound(most, true);
      }
    };
  }

  private static @Nullable Comparable<?> near(Comparable<?> value, long distance) {
    return switch (value) {
      case Long number -> (Comparable<?>) (Long) (number + distance);
      case BigInteger number -> number.add(BigInteger.valueOf(distance));
      case BigDecimal number -> number.add(BigDecimal.valueOf(distance));
      default -> null;
    };
  }

  @SuppressWarnings("unchecked") // All values of a column are of one class.
  private static int compare(Comparable<?> left, Comparable<?> right) {
    return ((Comparable<Object>) left).compareTo(right);
  }
}
