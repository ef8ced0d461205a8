package dev.penstock.spi.format;

import dev.penstock.internal.choice.Sentence;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/// What is known about the values of one column in a run of rows without reading them.
///
/// Only reliable statements of a file appear here: a format drops what contradicts itself and what
/// a writer is known to get wrong. Rows that these statistics rule out do not exist; rows that they
/// allow may or may not exist.
///
/// The bounds ignore nulls and NaN: `upper` may rule out `x > 5`, but only [#noNulls()] rules out
/// `isNull`, and only [#noNaN()] rules out conditions that hold for NaN.
///
/// For a part of a struct, a row without the struct counts as a null. For lists and maps, the
/// bounds and `valueCount` are those of the elements, and nulls are not counted, because writers
/// disagree about empty lists.
///
/// Immutable; share it freely among threads.
///
/// @param valueCount how many values there are, nulls and NaN included
/// @param nullCount how many of them are null
/// @param nanCount how many of them are NaN; empty for columns that are not floating-point
/// @param lower a lower bound of the values; null if unknown, or if all are null or NaN
/// @param upper an upper bound of the values; null if unknown, or if all are null or NaN
public record ColumnStatistics(
    OptionalLong valueCount,
    OptionalLong nullCount,
    OptionalLong nanCount,
    @Nullable Bound lower,
    @Nullable Bound upper) {
  /// Nothing is known.
  public static final ColumnStatistics UNKNOWN =
      new ColumnStatistics(
          OptionalLong.empty(), OptionalLong.empty(), OptionalLong.empty(), null, null);

  /// Throws [IllegalArgumentException] if a count is negative, there are more nulls and NaN than
  /// values, the lower bound is above the upper one, or there are bounds without a value.
  public ColumnStatistics {
    long others = nullCount.orElse(0) + nanCount.orElse(0);
    if (valueCount.orElse(0) < 0 || nullCount.orElse(0) < 0 || nanCount.orElse(0) < 0) {
      throw new IllegalArgumentException(
          "Counts must not be negative, got " + valueCount + ", " + nullCount + ", " + nanCount);
    }
    if (others > valueCount.orElse(Long.MAX_VALUE)) {
      throw new IllegalArgumentException(
          Sentence.of(
              "Nulls and NaN must be at most %s, got %s and %s", valueCount, nullCount, nanCount));
    }
    if (lower != null && upper != null && lower.compareTo(upper.value()) > 0) {
      throw new IllegalArgumentException(
          "Lower bound must not be above upper bound, got " + lower + " and " + upper);
    }
    if ((lower != null || upper != null) && valueCount.equals(OptionalLong.of(others))) {
      throw new IllegalArgumentException(
          "Without values there must be no bounds, got " + lower + " and " + upper);
    }
  }

  /// {@return whether every value is null; true only if that is known, or if there are no values}
  public boolean allNull() {
    return nullCount.isPresent() && nullCount.equals(valueCount);
  }

  /// {@return whether no value is null; true only if that is known}
  public boolean noNulls() {
    return nullCount.isPresent() && nullCount.getAsLong() == 0;
  }

  /// {@return whether no value of a floating-point column is NaN; true only if that is known}
  public boolean noNaN() {
    return nanCount.isPresent() && nanCount.getAsLong() == 0;
  }
}
