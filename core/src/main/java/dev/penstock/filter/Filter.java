package dev.penstock.filter;

import dev.penstock.advice.Advice;
import dev.penstock.advice.Remedy;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/// A condition on the rows of a table: the rows for which it is true are kept.
///
/// Made with [#col] and the methods of [Column], or read from text with [#parse]:
///
/// ```java
/// Filter late = col("delay").ge(15).and(col("origin").in("ATL", "ORD"));
/// Filter same = Filter.parse("delay >= 15 and origin in ('ATL', 'ORD')");
/// ```
///
/// **Nulls** follow SQL: a comparison with a null is unknown, `not` unknown is unknown, and a row
/// is kept only if the whole condition is true. **NaN** equals nothing and is neither below nor
/// above anything: `x != 1` is true for it, `x < 1` and `x >= 1` are false; [IsNaN] finds it.
/// **Zeros** are equal regardless of sign. **Numbers** are compared by their exact value; beside a
/// floating-point column a literal is first rounded to the column's type. **Text** is compared by
/// its code points.
///
/// `toString()` gives the text form, which [#parse(String)] reads back to an equal filter.
///
/// Conditions may be nested 500 deep.
///
/// Immutable; share it freely among threads.
public sealed interface Filter {
  /// All conditions hold.
  ///
  /// @param parts the conditions, at least two
  record And(List<Filter> parts) implements Filter {
    /// Throws [IllegalArgumentException] if there are fewer than two, or they are nested too deep.
    public And {
      parts = FilterDepth.requireTwo(parts);
    }

    @Override
    public String toString() {
      return FilterText.of(this);
    }
  }

  /// At least one condition holds.
  ///
  /// @param parts the conditions, at least two
  record Or(List<Filter> parts) implements Filter {
    /// Throws [IllegalArgumentException] if there are fewer than two, or they are nested too deep.
    public Or {
      parts = FilterDepth.requireTwo(parts);
    }

    @Override
    public String toString() {
      return FilterText.of(this);
    }
  }

  /// The condition does not hold.
  ///
  /// @param part the condition
  record Not(Filter part) implements Filter {
    /// Throws [IllegalArgumentException] if it is nested too deep.
    public Not {
      FilterDepth.require(List.of(part));
    }

    @Override
    public String toString() {
      return FilterText.of(this);
    }
  }

  /// A column compares with a value.
  ///
  /// @param column the column's name or dotted path
  /// @param operator how
  /// @param value the value
  record Comparison(String column, Operator operator, Literal value) implements Filter {
    @Override
    public String toString() {
      return FilterText.column(column) + " " + operator + " " + value;
    }
  }

  /// A column compares with another column of the same row; unknown where either is null.
  ///
  /// @param left the name or dotted path of one column
  /// @param operator how
  /// @param right the name or dotted path of the other
  record ColumnComparison(String left, Operator operator, String right) implements Filter {
    @Override
    public String toString() {
      return FilterText.column(left) + " " + operator + " " + FilterText.column(right);
    }
  }

  /// A column has one of several values.
  ///
  /// @param column the column's name or dotted path
  /// @param values the values; none keeps no row
  record In(String column, Set<Literal> values) implements Filter {
    /// Keeps the order of the values.
    public In {
      values = java.util.Collections.unmodifiableSet(new LinkedHashSet<>(values));
    }

    @Override
    public String toString() {
      return FilterText.column(column) + " in " + FilterText.list(values);
    }
  }

  /// A column is null.
  ///
  /// @param column the column's name or dotted path
  record IsNull(String column) implements Filter {
    @Override
    public String toString() {
      return FilterText.column(column) + " is null";
    }
  }

  /// A floating-point column is NaN; unknown for a null.
  ///
  /// @param column the column's name or dotted path
  record IsNaN(String column) implements Filter {
    @Override
    public String toString() {
      return FilterText.column(column) + " is nan";
    }
  }

  /// A string column begins with a text.
  ///
  /// @param column the column's name or dotted path
  /// @param prefix the text
  record StartsWith(String column, String prefix) implements Filter {
    @Override
    public String toString() {
      return FilterText.column(column) + " starts with " + new Literal.Text(prefix);
    }
  }

  /// A string column matches a pattern, as in SQL's `like`: `%` stands for any text, even empty,
  /// `_` for one character (a code point), everything else for itself.
  ///
  /// @param column the column's name or dotted path
  /// @param pattern the pattern; the whole text has to match it
  /// @param escape the character that makes a following `%`, `_` or escape stand for itself; empty
  ///   for none
  record Like(String column, String pattern, String escape) implements Filter {
    /// In [#parts()]: any text.
    public static final int ANY_TEXT = -1;

    /// In [#parts()]: any one character.
    public static final int ANY_CHARACTER = -2;

    /// Throws [IllegalArgumentException] if the escape is more than one character, or is not
    /// followed by `%`, `_` or itself.
    public Like {
      if (escape.codePointCount(0, escape.length()) > 1) {
        throw new IllegalArgumentException(
            "Cannot escape by " + new Literal.Text(escape) + ": expected one character.");
      }
      LikePattern.parts(pattern, escape);
    }

    /// {@return the pattern without its escapes: code points, [#ANY_TEXT] and [#ANY_CHARACTER]}
    public int[] parts() {
      return LikePattern.parts(pattern, escape);
    }

    /// {@return the text before the first wildcard, without escapes: all texts that match begin
    /// with it}
    public String prefix() {
      return LikePattern.prefix(parts());
    }

    /// {@return an equivalent condition without a pattern, if there is one: a comparison for a text
    /// without wildcards, [StartsWith] for a pattern whose only wildcards are `%` at its end; else
    /// this one}
    public Filter simplified() {
      return LikePattern.simplified(this);
    }

    @Override
    public String toString() {
      return FilterText.column(column) + FilterText.like(this);
    }
  }

  /// A row is in one of several folds; never unknown.
  ///
  /// @param fold deals rows to folds
  /// @param folds the folds, each in `[0, fold.k())`; none keeps no row
  record InFold(Fold fold, Set<Integer> folds) implements Filter {
    /// Keeps the folds in ascending order. Throws [IllegalArgumentException] if a number is not in
    /// `[0, fold.k())`.
    public InFold {
      folds = java.util.Collections.unmodifiableSet(new TreeSet<>(folds));
      for (int each : folds) {
        if (each < 0 || each >= fold.k()) {
          throw new IllegalArgumentException(
              "There is no fold "
                  + each
                  + " of "
                  + fold
                  + ": expected numbers from 0 to "
                  + (fold.k() - 1)
                  + ".");
        }
      }
    }

    @Override
    public String toString() {
      return fold + " in " + FilterText.list(folds);
    }
  }

  /// Deals rows to folds by a key.
  ///
  /// @param columns names or dotted paths of the columns of the key; none to deal each row alone
  /// @param k how many folds there are, in `[1, 1_000_000]`
  /// @param seed other seeds give other folds
  /// @return the folds, to make conditions on
  /// @throws IllegalArgumentException if `k` is not in `[1, 1_000_000]`
  static Fold fold(List<String> columns, int k, long seed) {
    return new Fold(columns, k, seed);
  }

  /// Names a column to make conditions on.
  ///
  /// @param name the column's name, or the dotted path of a part of a struct
  /// @return the column
  static Column col(String name) {
    return new Column(name);
  }

  /// Reads a filter from text, for example `delay >= 15 and origin in ('ATL', 'ORD')`.
  ///
  /// Words may be in any case. From loose to tight: `or`, `and`, `not`, then conditions: `= == !=
  /// <> < <= > >=` between a column and a value in either order or between two columns, `[not] in
  /// (...)`, `[not] between A and B`, `is [not] null`, `is [not] nan`, `[not] starts with '...'`,
  /// `[not] like '...' [escape '...']`, or a boolean column alone. `fold(a, b, k, seed)` stands for
  /// a row's number in [Fold]; it compares with whole numbers, by `[not] in (...)` and `[not]
  /// between A and B`. Column names need double quotes if they contain anything but letters,
  /// digits, `_` and dots, or are words of this language; each part of a path may be quoted.
  /// Values: numbers, `infinity`, `'text'` (a quote in it is doubled), `true`, `false`, `x'CAFE'`
  /// for bytes, `date '2001-02-03'`, `time '13:45:00'`, `timestamp '2001-02-03T13:45:00'`, with `Z`
  /// or an offset for a point in time.
  ///
  /// @param text the text
  /// @return the filter
  /// @throws IllegalArgumentException if the text is not a filter; the message names the position
  static Filter parse(String text) {
    return new FilterParser(text).parse();
  }

  /// {@return the filter that is true if this one and another are; an existing `and` gets one more
  /// condition}
  ///
  /// @param other the other
  default Filter and(Filter other) {
    return new And(joined(this instanceof And(List<Filter> parts) ? parts : List.of(this), other));
  }

  /// {@return the filter that is true if this one or another is; an existing `or` gets one more
  /// condition}
  ///
  /// @param other the other
  default Filter or(Filter other) {
    return new Or(joined(this instanceof Or(List<Filter> parts) ? parts : List.of(this), other));
  }

  /// {@return the opposite; unknown stays unknown}
  default Filter not() {
    return new Not(this);
  }

  /// {@return the names or paths of the columns that the filter looks at, in order of first
  /// appearance}
  default Set<String> columns() {
    Set<String> columns = new LinkedHashSet<>();
    switch (this) {
      case And(List<Filter> parts) -> parts.forEach(part -> columns.addAll(part.columns()));
      case Or(List<Filter> parts) -> parts.forEach(part -> columns.addAll(part.columns()));
      case Not(Filter part) -> columns.addAll(part.columns());
      case Comparison comparison -> columns.add(comparison.column());
      case ColumnComparison(String left, Operator _, String right) -> {
        columns.add(left);
        columns.add(right);
      }
      case In in -> columns.add(in.column());
      case IsNull(String column) -> columns.add(column);
      case IsNaN(String column) -> columns.add(column);
      case StartsWith startsWith -> columns.add(startsWith.column());
      case Like like -> columns.add(like.column());
      case InFold in -> columns.addAll(in.fold().columns());
    }
    return columns;
  }

  /// A column, to make conditions on. Values are those that [Literal#of] takes; comparisons also
  /// take another column.
  ///
  /// @param name the column's name or dotted path
  record Column(String name) {
    /// {@return the condition that the value equals another}
    ///
    /// @param value the other
    public Filter eq(Object value) {
      return compare(Operator.EQ, value);
    }

    /// {@return the condition that the value differs from another}
    ///
    /// @param value the other
    public Filter ne(Object value) {
      return compare(Operator.NE, value);
    }

    /// {@return the condition that the value is less than another}
    ///
    /// @param value the other
    public Filter lt(Object value) {
      return compare(Operator.LT, value);
    }

    /// {@return the condition that the value is less than or equal to another}
    ///
    /// @param value the other
    public Filter le(Object value) {
      return compare(Operator.LE, value);
    }

    /// {@return the condition that the value is greater than another}
    ///
    /// @param value the other
    public Filter gt(Object value) {
      return compare(Operator.GT, value);
    }

    /// {@return the condition that the value is greater than or equal to another}
    ///
    /// @param value the other
    public Filter ge(Object value) {
      return compare(Operator.GE, value);
    }

    /// {@return the condition that the value is one of several}
    ///
    /// @param values the values
    public Filter in(Object... values) {
      return in(Arrays.asList(values));
    }

    /// {@return the condition that the value is one of several}
    ///
    /// @param values the values
    public Filter in(List<?> values) {
      Set<Literal> literals = new LinkedHashSet<>();
      values.forEach(value -> literals.add(literal(value)));
      return new In(name, literals);
    }

    /// {@return the condition that the value lies between two others, both included}
    ///
    /// @param low the lower one
    /// @param high the higher one
    public Filter between(Object low, Object high) {
      return ge(low).and(le(high));
    }

    /// {@return the condition that the value is null}
    public Filter isNull() {
      return new IsNull(name);
    }

    /// {@return the condition that the value is not null}
    public Filter isNotNull() {
      return isNull().not();
    }

    /// {@return the condition that the value is NaN}
    public Filter isNaN() {
      return new IsNaN(name);
    }

    /// {@return the condition that the text begins with another}
    ///
    /// @param prefix the other
    public Filter startsWith(String prefix) {
      return new StartsWith(name, prefix);
    }

    /// {@return the condition that the text matches a pattern in which `%` stands for any text,
    /// even empty, and `_` for one character}
    ///
    /// @param pattern the pattern
    public Filter like(String pattern) {
      return new Like(name, pattern, "");
    }

    /// {@return the condition that the text matches a pattern as [#like(String)] takes it, in which
    /// `%` and `_` stand for themselves after an escape}
    ///
    /// @param pattern the pattern
    /// @param escape the escape
    /// @throws IllegalArgumentException if the escape is followed by another character
    public Filter like(String pattern, char escape) {
      return new Like(name, pattern, String.valueOf(escape));
    }

    /// Deals rows to folds by the column's value.
    ///
    /// @param k how many folds there are, in `[1, 1_000_000]`
    /// @param seed other seeds give other folds
    /// @return the folds, to make conditions on
    /// @throws IllegalArgumentException if `k` is not in `[1, 1_000_000]`
    public Fold fold(int k, long seed) {
      return new Fold(List.of(name), k, seed);
    }

    private Filter compare(Operator operator, Object value) {
      return value instanceof Column(String other)
          ? new ColumnComparison(name, operator, other)
          : new Comparison(name, operator, literal(value));
    }

    @SuppressWarnings("NullAway") // gives callers without null checks a clear message
    private Literal literal(Object value) {
      if (value == null) {
        throw Advice.argumentError(
            "Cannot compare column '%s' with null: nothing equals it. Use %s.",
            name, Remedy.of("where", "is null", "isNull()"));
      }
      return Literal.of(value);
    }
  }

  private static List<Filter> joined(List<Filter> parts, Filter other) {
    List<Filter> joined = new ArrayList<>(parts);
    joined.add(other);
    return joined;
  }
}
