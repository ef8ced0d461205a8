package dev.penstock.internal.planfile;

import dev.penstock.spi.format.Bound;
import dev.penstock.spi.format.ByteString;
import dev.penstock.spi.format.ColumnStatistics;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/// The bytes of a block of statistics: those of a column in some row groups.
final class StatisticsCode {
  static final int BOUND_BYTES_MAX = 1024;

  /// Longer bounds would make the plan large: this much of them is kept.
  private static final int CUT_BYTES = 64;

  private static final int NONE = 0;
  private static final int BOOLEAN = 1;
  private static final int LONG = 2;
  private static final int FLOAT = 3;
  private static final int DOUBLE = 4;
  private static final int BIG_INTEGER = 5;
  private static final int DECIMAL = 6;
  private static final int BYTES = 7;
  private static final byte[] NO_BYTES = {};

  private StatisticsCode() {}

  static void write(BlockWriter out, List<ColumnStatistics> statistics) {
    writeCounts(out, statistics.stream().map(ColumnStatistics::valueCount).toList());
    writeCounts(out, statistics.stream().map(ColumnStatistics::nullCount).toList());
    writeCounts(out, statistics.stream().map(ColumnStatistics::nanCount).toList());
    List<@Nullable Bound> lower = new ArrayList<>();
    List<@Nullable Bound> upper = new ArrayList<>();
    for (ColumnStatistics each : statistics) {
      lower.add(cut(each.lower(), false));
      upper.add(cut(each.upper(), true));
    }
    writeBounds(out, lower);
    writeBounds(out, upper);
  }

  /// Returns a bound that is not too long: a text is cut, and an upper one raised then; null
  /// without one, or if it cannot be cut.
  private static @Nullable Bound cut(@Nullable Bound bound, boolean isUpper) {
    if (bound == null) {
      return null;
    }
    byte[] bytes = text(bound.value());
    if (bytes.length <= BOUND_BYTES_MAX) {
      return bound;
    }
    int end = CUT_BYTES;
    while (isUpper && end > 0 && bytes[end - 1] == -1) {
      end--;
    }
    if (end == 0 || !(bound.value() instanceof ByteString)) {
      return null;
    }
    byte[] start = Arrays.copyOf(bytes, end);
    start[end - 1] += (byte) (isUpper ? 1 : 0);
    return new Bound(ByteString.of(start), false);
  }

  /// Writes counts, each with 1 added; 0 is for an unknown one.
  private static void writeCounts(BlockWriter out, List<OptionalLong> counts) {
    out.numbers(counts.stream().mapToLong(count -> count.orElse(-1) + 1).toArray());
  }

  private static void writeBounds(BlockWriter out, List<@Nullable Bound> bounds) {
    long[] kinds = new long[bounds.size()];
    long[] exact = new long[bounds.size()];
    long[] numbers = new long[bounds.size()];
    List<byte[]> texts = new ArrayList<>();
    for (int i = 0; i < kinds.length; i++) {
      Bound bound = bounds.get(i);
      texts.add(bound == null ? NO_BYTES : text(bound.value()));
      if (bound != null) {
        kinds[i] = kind(bound.value());
        exact[i] = bound.exact() ? 1 : 0;
        numbers[i] = number(bound.value());
      }
    }
    out.numbers(kinds);
    out.numbers(exact);
    out.numbers(numbers);
    out.bytes(texts);
  }

  private static int kind(Comparable<?> value) {
    return switch (value) {
      case Boolean _ -> BOOLEAN;
      case Long _ -> LONG;
      case Float _ -> FLOAT;
      case Double _ -> DOUBLE;
      case BigInteger _ -> BIG_INTEGER;
      case BigDecimal _ -> DECIMAL;
      default -> BYTES;
    };
  }

  /// Returns the value if it is one of numbers with a fixed width; of a decimal the scale.
  private static long number(Comparable<?> value) {
    return switch (value) {
      case Boolean bit -> bit ? 1 : 0;
      case Long number -> number;
      case Float number -> Double.doubleToRawLongBits(number);
      case Double number -> Double.doubleToRawLongBits(number);
      case BigDecimal number -> number.scale();
      default -> 0;
    };
  }

  private static byte[] text(Comparable<?> value) {
    return switch (value) {
      case BigInteger number -> number.toByteArray();
      case BigDecimal number -> number.unscaledValue().toByteArray();
      case ByteString text -> text.toByteArray();
      default -> NO_BYTES;
    };
  }

  /// Reads the statistics of each row group of a block.
  static List<ColumnStatistics> read(BlockReader in, int rowGroups) {
    long[] values = in.counts(rowGroups, "a number of values");
    long[] nulls = in.counts(rowGroups, "a number of nulls");
    long[] nans = in.counts(rowGroups, "a number of NaN");
    List<@Nullable Bound> lower = readBounds(in, rowGroups);
    List<@Nullable Bound> upper = readBounds(in, rowGroups);
    in.requireEnd();
    List<ColumnStatistics> read = new ArrayList<>();
    for (int i = 0; i < rowGroups; i++) {
      read.add(
          new ColumnStatistics(
              known(values[i]), known(nulls[i]), known(nans[i]), lower.get(i), upper.get(i)));
    }
    return read;
  }

  private static OptionalLong known(long count) {
    return count == 0 ? OptionalLong.empty() : OptionalLong.of(count - 1);
  }

  private static List<@Nullable Bound> readBounds(BlockReader in, int rowGroups) {
    long[] kinds = in.counts(rowGroups, "a kind of bound");
    long[] exact = in.counts(rowGroups, "a flag");
    long[] numbers = in.numbers(rowGroups);
    List<byte[]> texts = in.bytes(rowGroups);
    List<@Nullable Bound> bounds = new ArrayList<>();
    for (int i = 0; i < rowGroups; i++) {
      bounds.add(
          kinds[i] == NONE
              ? null
              : new Bound(value(kinds[i], numbers[i], texts.get(i)), exact[i] != 0));
    }
    return bounds;
  }

  private static Comparable<?> value(long kind, long number, byte[] text) {
    BlockReader.require(kind, BYTES + 1L, "a kind of bound");
    BlockReader.require(text.length, BOUND_BYTES_MAX + 1L, "the length of a bound");
    return switch ((int) kind) {
      case BOOLEAN -> number != 0;
      case LONG -> number;
      case FLOAT -> (float) Double.longBitsToDouble(number);
      case DOUBLE -> Double.longBitsToDouble(number);
      case BIG_INTEGER -> new BigInteger(text);
      case DECIMAL -> new BigDecimal(new BigInteger(text), Math.toIntExact(number));
      default -> ByteString.of(text);
    };
  }
}
