package dev.penstock.internal.filter;

import dev.penstock.filter.Fold;
import dev.penstock.filter.Operator;
import dev.penstock.schema.DataType;
import dev.penstock.spi.format.ByteString;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/// A filter whose values have the types of their columns, and in which only leaves are negated.
///
/// With `not` only at the leaves, SQL's three-valued logic needs just one question: for which rows
/// is a leaf true? A negated leaf is true where its test fails on a value that is not null; for a
/// null, both are unknown. The rows of `all` are then those of every part, the rows of `any` those
/// of at least one.
///
/// Values have the class that [dev.penstock.spi.format.Bound] names for the column's type; a
/// floating-point value is never NaN or -0.0. Immutable; share it freely among threads.
public sealed interface Condition {
  static Condition always() {
    return new All(List.of());
  }

  static Condition never() {
    return new Any(List.of());
  }

  /// Returns whether this is [#always]; false for other conditions, even if they are equivalent.
  default boolean isAlways() {
    return this instanceof All(List<Condition> parts) && parts.isEmpty();
  }

  /// Returns whether this is [#never]; false for other conditions, even if they are equivalent.
  default boolean isNever() {
    return this instanceof Any(List<Condition> parts) && parts.isEmpty();
  }

  /// True where all parts are; without parts everywhere.
  record All(List<Condition> parts) implements Condition {}

  /// True where any part is; without parts nowhere.
  record Any(List<Condition> parts) implements Condition {}

  /// A test of one column, by name or dotted path; if negated, the test has to fail.
  record Leaf(String column, DataType type, Test test, boolean negated) implements Condition {
    Leaf negate() {
      return new Leaf(column, type, test, !negated);
    }
  }

  /// A comparison of two columns of the same row, by names or dotted paths, of types of one
  /// [PairKind]; if negated, the comparison has to fail.
  record Pair(
      String left,
      DataType leftType,
      Operator operator,
      String right,
      DataType rightType,
      boolean negated)
      implements Condition {
    Pair negate() {
      return new Pair(left, leftType, operator, right, rightType, !negated);
    }
  }

  /// A test of a row's fold; never unknown. The types are those of the fold's columns, in order; if
  /// negated, all other folds are wanted.
  record Folded(Fold fold, List<DataType> types, Set<Integer> folds, boolean negated)
      implements Condition {}

  /// Returns the names or paths of the columns that the condition looks at, in order of first
  /// appearance.
  default Set<String> columns() {
    Set<String> columns = new LinkedHashSet<>();
    switch (this) {
      case All(List<Condition> parts) -> parts.forEach(part -> columns.addAll(part.columns()));
      case Any(List<Condition> parts) -> parts.forEach(part -> columns.addAll(part.columns()));
      case Leaf leaf -> columns.add(leaf.column());
      case Pair pair -> {
        columns.add(pair.left());
        columns.add(pair.right());
      }
      case Folded folded -> columns.addAll(folded.fold().columns());
    }
    return columns;
  }

  sealed interface Test {
    record Compare(Operator operator, Comparable<?> value) implements Test {}

    /// The value is one of several, each of which is there once, in ascending order.
    record OneOf(List<Comparable<?>> values) implements Test {}

    record StartsWith(ByteString prefix) implements Test {}

    /// The text matches a pattern: the bytes of its text, as unsigned numbers, mixed with
    /// [Filter.Like#ANY_TEXT] and [Filter.Like#ANY_CHARACTER].
    record Matches(List<Integer> parts) implements Test {
      ByteString prefix() {
        int length = 0;
        while (length < parts.size() && parts.get(length) >= 0) {
          length++;
        }
        byte[] prefix = new byte[length];
        for (int i = 0; i < length; i++) {
          prefix[i] = parts.get(i).byteValue();
        }
        return ByteString.of(prefix);
      }
    }

    record IsNaN() implements Test {}

    /// The value is null. This is the only test that is not unknown for nulls.
    record IsNull() implements Test {}

    /// The same answer for all values that are not null, such as `x < 300` for 8-bit integers.
    record Constant(boolean answer) implements Test {}
  }
}
