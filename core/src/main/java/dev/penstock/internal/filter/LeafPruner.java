package dev.penstock.internal.filter;

import dev.penstock.filter.Operator;
import dev.penstock.internal.filter.Condition.Leaf;
import dev.penstock.internal.filter.Condition.Test;
import dev.penstock.schema.DataType;
import dev.penstock.spi.format.Bound;
import dev.penstock.spi.format.ByteString;
import dev.penstock.spi.format.ColumnStatistics;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/// Decides a test of one column by statistics, where they suffice.
final class LeafPruner {
  /* Three kinds of values are treated separately: nulls, known only by the null count; NaNs, known
   * only by the NaN count; and all others, which are within the bounds.
   *
   * All values match if none matches the opposite. So the same facts decide both questions.
   */

  private LeafPruner() {}

  static Condition reduce(Leaf leaf, ColumnStatistics known) {
    if (!mayMatch(leaf, known)) {
      return Condition.never();
    }
    if (mustMatch(leaf, known)) {
      return Condition.always();
    }
    return leaf.test() instanceof Test.OneOf(List<Comparable<?>> values)
        ? new Leaf(
            leaf.column(), leaf.type(), new Test.OneOf(inBounds(values, known)), leaf.negated())
        : leaf;
  }

  /// Returns false only if no value matches.
  static boolean mayMatch(Leaf leaf, ColumnStatistics known) {
    if (leaf.test() instanceof Test.IsNull) {
      return leaf.negated() ? !known.allNull() : !known.noNulls() && !isEmpty(known);
    }
    if (known.allNull()) {
      return false;
    }
    boolean floating = leaf.type() instanceof DataType.Floating;
    boolean nan = floating && !known.noNaN();
    return (nan && holdsForNaN(leaf.test()) != leaf.negated())
        || (!isOnlyNaN(known) && mayMatchNumber(leaf, known));
  }

  /// Returns whether all values match: if none matches the opposite, and there are no nulls, for
  /// which neither is true.
  private static boolean mustMatch(Leaf leaf, ColumnStatistics known) {
    return (known.noNulls() || isEmpty(known) || leaf.test() instanceof Test.IsNull)
        && !mayMatch(leaf.negate(), known);
  }

  static boolean isEmpty(ColumnStatistics known) {
    return known.valueCount().equals(OptionalLong.of(0));
  }

  static boolean isOnlyNaN(ColumnStatistics known) {
    return known.nullCount().isPresent()
        && known.nanCount().isPresent()
        && known
            .valueCount()
            .equals(OptionalLong.of(known.nullCount().getAsLong() + known.nanCount().getAsLong()));
  }

  private static boolean holdsForNaN(Test test) {
    return switch (test) {
      case Test.Compare(Operator operator, Comparable<?> _) -> operator == Operator.NE;
      case Test.IsNaN _ -> true;
      case Test.Constant(boolean answer) -> answer;
      case Test.OneOf _, Test.StartsWith _, Test.Matches _, Test.IsNull _ -> false;
    };
  }

  /// Returns false only if no value matches that is neither null nor NaN.
  private static boolean mayMatchNumber(Leaf leaf, ColumnStatistics known) {
    Bound lower = known.lower();
    Bound upper = known.upper();
    boolean negated = leaf.negated();
    return switch (leaf.test()) {
      case Test.Constant(boolean answer) -> answer != negated;
      case Test.IsNaN _ -> negated;
      case Test.IsNull _ -> true;
      case Test.Compare(Operator operator, Comparable<?> value) ->
          new PairPruner.Bounds(positive(lower), positive(upper))
              .mayMatch(
                  negated ? operator.negated() : operator, new PairPruner.Bounds(value, value));
      case Test.OneOf(List<Comparable<?>> values) ->
          negated
              ? onlyValue(lower, upper) == null || inBounds(values, known).isEmpty()
              : !inBounds(values, known).isEmpty();
      case Test.StartsWith(ByteString prefix) ->
          negated
              ? !(startsWith(lower, prefix) && startsWith(upper, prefix))
              : mayStartWith(prefix, lower, upper);
      case Test.Matches matches ->
          onlyValue(lower, upper) instanceof ByteString only
              ? matches(only, matches) != negated
              : negated || mayStartWith(matches.prefix(), lower, upper);
    };
  }

  private static boolean mayStartWith(
      ByteString prefix, @Nullable Bound lower, @Nullable Bound upper) {
    return (upper == null || order(upper, prefix) >= 0)
        && (lower == null || order(lower, prefix) <= 0 || startsWith(lower, prefix));
  }

  private static boolean matches(ByteString text, Test.Matches test) {
    return BytesCheck.of(test).test(MemorySegment.ofArray(text.toByteArray()), 0, text.length());
  }

  /// Returns the only value that is within the bounds, or null.
  private static @Nullable Comparable<?> onlyValue(@Nullable Bound lower, @Nullable Bound upper) {
    return lower != null && upper != null && order(lower, positive(upper.value())) == 0
        ? positive(upper.value())
        : null;
  }

  private static boolean startsWith(@Nullable Bound bound, ByteString prefix) {
    return bound != null && bound.value() instanceof ByteString text && text.startsWith(prefix);
  }

  private static List<Comparable<?>> inBounds(List<Comparable<?>> values, ColumnStatistics known) {
    Bound lower = known.lower();
    Bound upper = known.upper();
    int from = lower == null ? 0 : countBefore(values, lower, 1);
    int to = upper == null ? values.size() : countBefore(values, upper, 0);
    return from < to ? values.subList(from, to) : List.of();
  }

  /// Returns how many of some ascending values are below a bound, or, if `order` is 0, not above
  /// it.
  private static int countBefore(List<Comparable<?>> values, Bound bound, int order) {
    int from = 0;
    int to = values.size();
    while (from < to) {
      int middle = (from + to) >>> 1;
      if (order(bound, values.get(middle)) >= order) {
        from = middle + 1;
      } else {
        to = middle;
      }
    }
    return from;
  }

  /// Compares a bound with a value of a condition, the two zeros being equal.
  private static int order(Bound bound, Comparable<?> value) {
    return LiteralBinder.order(positive(bound.value()), value);
  }

  private static @Nullable Comparable<?> positive(@Nullable Bound bound) {
    return bound == null ? null : positive(bound.value());
  }

  private static Comparable<?> positive(Comparable<?> value) {
    return switch (value) {
      case Float number -> (Comparable<?>) (Float) (number + 0f);
      case Double number -> (Comparable<?>) (Double) (number + 0d);
      default -> value;
    };
  }
}
