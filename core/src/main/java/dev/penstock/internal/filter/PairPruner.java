package dev.penstock.internal.filter;

import dev.penstock.filter.Operator;
import dev.penstock.internal.filter.Condition.Pair;
import dev.penstock.schema.DataType;
import dev.penstock.spi.format.Bound;
import dev.penstock.spi.format.ColumnStatistics;
import org.jspecify.annotations.Nullable;

/// Decides a comparison of two columns by statistics, like [LeafPruner] for one.
final class PairPruner {
  private PairPruner() {}

  static Condition reduce(Pair pair, ColumnStatistics left, ColumnStatistics right) {
    if (!mayMatch(pair, left, right)) {
      return Condition.never();
    }
    boolean noNulls =
        (left.noNulls() && right.noNulls())
            || LeafPruner.isEmpty(left)
            || LeafPruner.isEmpty(right);
    return noNulls && !mayMatch(pair.negate(), left, right) ? Condition.always() : pair;
  }

  private static boolean mayMatch(Pair pair, ColumnStatistics left, ColumnStatistics right) {
    if (left.allNull() || right.allNull()) {
      return false;
    }
    boolean nan = mayBeNaN(pair.leftType(), left) || mayBeNaN(pair.rightType(), right);
    if (nan && (pair.operator() == Operator.NE) != pair.negated()) {
      return true;
    }
    return !LeafPruner.isOnlyNaN(left)
        && !LeafPruner.isOnlyNaN(right)
        && Bounds.of(pair.leftType(), pair.rightType(), left)
            .mayMatch(
                pair.negated() ? pair.operator().negated() : pair.operator(),
                Bounds.of(pair.rightType(), pair.leftType(), right));
  }

  private static boolean mayBeNaN(DataType type, ColumnStatistics known) {
    return type instanceof DataType.Floating && !known.noNaN();
  }

  /// The bounds of one column's values, in the common form with the other's; zeros are positive.
  record Bounds(@Nullable Comparable<?> lower, @Nullable Comparable<?> upper) {
    private static Bounds of(DataType type, DataType other, ColumnStatistics known) {
      return new Bounds(common(known.lower(), type, other), common(known.upper(), type, other));
    }

    private static @Nullable Comparable<?> common(
        @Nullable Bound bound, DataType type, DataType other) {
      return bound == null ? null : PairKind.common(bound.value(), type, other);
    }

    /// Returns whether a comparison of values within may be true. Bounds need not be exact for
    /// this: no value is beyond them, and between two equal bounds there is only one value.
    boolean mayMatch(Operator operator, Bounds other) {
      return switch (operator) {
        case EQ -> may(lower, other.upper, true) && may(other.lower, upper, true);
        // Values are certainly equal only if both sides have one and the same value.
        case NE ->
            lower == null
                || other.upper == null
                || other.lower == null
                || upper == null
                || LiteralBinder.order(lower, other.upper) != 0
                || LiteralBinder.order(other.lower, upper) != 0;
        case LT -> may(lower, other.upper, false);
        case LE -> may(lower, other.upper, true);
        case GT -> may(other.lower, upper, false);
        case GE -> may(other.lower, upper, true);
      };
    }

    private static boolean may(
        @Nullable Comparable<?> least, @Nullable Comparable<?> most, boolean equal) {
      return least == null || most == null || LiteralBinder.order(least, most) < (equal ? 1 : 0);
    }
  }
}
