package dev.penstock.internal.parquet.footer;

import dev.penstock.spi.format.Bound;
import dev.penstock.spi.format.ByteString;
import dev.penstock.spi.format.ColumnStatistics;
import java.util.Arrays;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/// The statistics that a file states of a column chunk or page, not yet checked.
///
/// A number is -1 if it is not stated. A bound is in PLAIN, null if there is none, and exact if it
/// is one of the values, not cut.
record StatedStatistics(
    long values,
    long nulls,
    long nans,
    @Nullable ByteString min,
    boolean minExact,
    @Nullable ByteString max,
    boolean maxExact) {
  /* What is not trusted, and why:
  - Null counts of leaves in lists: some writers count empty lists, others do not.
  - More nulls and NaNs than values: something else was counted.
  - A bound that is not a value of the type, such as 0 bytes for an int32: the writer had no bound.
  - An empty upper bound of text or bytes: some writers use it for bounds that were too long.
  - Both bounds if one is NaN: every comparison with it is false, so the other one is arbitrary.
  - A lower bound above the upper one: they were found with an order other than the column's.
  - Anything, if all values are null but there are bounds: one of the two is wrong. */

  static StatedStatistics counts(long values, long nulls, long nans) {
    return new StatedStatistics(values, nulls, nans, null, false, null, false);
  }

  StatedStatistics withMin(@Nullable ByteString value, boolean exact) {
    return new StatedStatistics(values, nulls, nans, value, exact, max, maxExact);
  }

  StatedStatistics withMax(@Nullable ByteString value, boolean exact) {
    return new StatedStatistics(values, nulls, nans, min, minExact, value, exact);
  }

  /// Returns the same with bounds of at most `most` bytes: text and bytes are cut, and the end of
  /// the greatest is then raised to stay an upper bound; longer bounds of other types are dropped.
  StatedStatistics shortened(LeafColumn leaf, int most) {
    StatedStatistics result = this;
    if (min != null && min.length() > most) {
      result =
          result.withMin(
              leaf.isBytes() ? ByteString.of(Arrays.copyOf(min.toByteArray(), most)) : null, false);
    }
    if (max != null && max.length() > most) {
      result = result.withMax(leaf.isBytes() ? raised(max, most) : null, false);
    }
    return result;
  }

  private static @Nullable ByteString raised(ByteString value, int most) {
    byte[] bytes = value.toByteArray();
    int last = most - 1;
    while (last >= 0 && bytes[last] == -1) {
      last--;
    }
    if (last < 0) {
      return null;
    }
    byte[] cut = Arrays.copyOf(bytes, last + 1);
    cut[last]++;
    return ByteString.of(cut);
  }

  ColumnStatistics checked(LeafColumn leaf) {
    OptionalLong valueCount = count(values);
    OptionalLong nullCount = leaf.nullable() ? count(nulls) : OptionalLong.of(0);
    if (leaf.repeated() || !isAtMost(nullCount, values)) {
      nullCount = OptionalLong.empty();
    }
    boolean allNull = nullCount.isPresent() && nullCount.equals(valueCount);
    if (allNull && (isSaid(min) || isSaid(max))) {
      return ColumnStatistics.UNKNOWN;
    }
    OptionalLong nanCount = leaf.isFloating() ? count(nans) : OptionalLong.empty();
    if (!isAtMost(nanCount, values - nullCount.orElse(0))) {
      nanCount = OptionalLong.empty();
    }
    Bound lower = bound(leaf, min, minExact, -0f);
    Bound upper = isUpperSaid(leaf) ? bound(leaf, max, maxExact, 0f) : null;
    boolean unusable = (min != null && lower == null) || (isUpperSaid(leaf) && upper == null);
    if (unusable || (lower != null && upper != null && lower.compareTo(upper.value()) > 0)) {
      lower = null;
      upper = null;
    }
    boolean noValues = valueCount.equals(OptionalLong.of(nullCount.orElse(0) + nanCount.orElse(0)));
    if (noValues && (lower != null || upper != null)) {
      return ColumnStatistics.UNKNOWN;
    }
    return new ColumnStatistics(valueCount, nullCount, nanCount, lower, upper);
  }

  private static OptionalLong count(long stated) {
    return stated < 0 ? OptionalLong.empty() : OptionalLong.of(stated);
  }

  private boolean isAtMost(OptionalLong count, long limit) {
    return count.isEmpty() || values < 0 || count.getAsLong() <= limit;
  }

  private static boolean isSaid(@Nullable ByteString bound) {
    return bound != null && bound.length() > 0;
  }

  private boolean isUpperSaid(LeafColumn leaf) {
    return max != null && (max.length() > 0 || !leaf.isBytes());
  }

  /// Returns a stated bound; null if there is none, or it cannot be used. Both zeros become `zero`,
  /// because files do not tell them apart.
  private static @Nullable Bound bound(
      LeafColumn leaf, @Nullable ByteString plain, boolean exact, float zero) {
    if (plain == null) {
      return null;
    }
    return switch (PlainValue.decode(leaf, plain)) {
      case null -> null;
      case Float value when value == 0 -> new Bound(zero, false);
      case Double value when value == 0 -> new Bound((double) zero, false);
      case Float value when value.isNaN() -> null;
      case Double value when value.isNaN() -> null;
      case Comparable<?> value -> new Bound(value, exact && plain.length() >= leaf.width());
    };
  }
}
