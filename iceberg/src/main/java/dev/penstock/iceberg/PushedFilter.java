package dev.penstock.iceberg;

import dev.penstock.filter.Filter;
import dev.penstock.filter.Literal;
import dev.penstock.filter.Operator;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.BinaryOperator;
import java.util.stream.Stream;
import org.apache.iceberg.Schema;
import org.apache.iceberg.expressions.Expression;
import org.apache.iceberg.expressions.Expressions;
import org.apache.iceberg.types.Type;
import org.apache.iceberg.types.Types;
import org.jspecify.annotations.Nullable;

/// Turns a filter into an expression for Iceberg's planning.
///
/// The expression is true wherever the filter is true, and may be true elsewhere: it only rules out
/// files, and rows are later tested against the filter itself. Parts without a translation become
/// "always true". Negations are first moved to the leaves, so that this holds below them too.
///
/// Where the two differ, the expression keeps more. Iceberg's bounds ignore NaN, so a condition
/// that is true for NaN also asks for NaN. Zeros are equal here regardless of sign, but Iceberg's
/// bounds order -0.0 before 0.0.
///
/// @param read the columns as the filter names them
/// @param planned the same columns as planning names them, perhaps differently
record PushedFilter(Schema read, Schema planned) {
  /// Translates a filter.
  ///
  /// @return an expression on the names of `planned`
  Expression translate(Filter filter) {
    return translate(filter, false);
  }

  private Expression translate(Filter filter, boolean negated) {
    return switch (filter) {
      case Filter.Not(Filter part) -> translate(part, !negated);
      case Filter.And(List<Filter> parts) -> join(parts, negated, !negated);
      case Filter.Or(List<Filter> parts) -> join(parts, negated, negated);
      case Filter.InFold _ -> Expressions.alwaysTrue();
      default -> {
        Column column = column(filter.columns().iterator().next());
        Expression leaf = column == null ? null : leaf(column, filter, negated);
        yield leaf == null ? Expressions.alwaysTrue() : leaf;
      }
    };
  }

  private Expression join(List<Filter> filters, boolean negated, boolean all) {
    List<Expression> parts = new ArrayList<>();
    filters.forEach(filter -> parts.add(translate(filter, negated)));
    return all ? fold(parts, Expressions::and) : fold(parts, Expressions::or);
  }

  /// Joins parts as a balanced tree, because Iceberg walks it recursively.
  private static Expression fold(List<Expression> parts, BinaryOperator<Expression> join) {
    int count = parts.size();
    return count == 1
        ? parts.getFirst()
        : join.apply(
            fold(parts.subList(0, count / 2), join), fold(parts.subList(count / 2, count), join));
  }

  /// A column that the filter names.
  private record Column(String name, Type type, boolean nested) {}

  private @Nullable Column column(String name) {
    Types.NestedField field = read.findField(name);
    Types.NestedField same = field == null ? null : planned.findField(field.fieldId());
    String called = same == null ? null : planned.findColumnName(same.fieldId());
    return same == null || called == null || field == null || !same.type().equals(field.type())
        ? null
        : new Column(called, same.type(), read.asStruct().field(same.fieldId()) == null);
  }

  /// Returns null where there is no translation.
  private static @Nullable Expression leaf(Column column, Filter leaf, boolean negated) {
    String name = column.name;
    return switch (leaf) {
      // Writers differ in counting the nulls of a struct's parts, because the struct itself may be
      // null.
      case Filter.IsNull _ ->
          negated ? Expressions.notNull(name) : column.nested ? null : Expressions.isNull(name);
      case Filter.IsNaN _ when isFloating(column.type) ->
          negated ? Expressions.notNaN(name) : Expressions.isNaN(name);
      case Filter.StartsWith(String _, String prefix) when isText(column.type, prefix) ->
          prefix.isEmpty()
              ? (negated ? Expressions.alwaysFalse() : Expressions.notNull(name))
              : negated
                  ? Expressions.notStartsWith(name, prefix)
                  : Expressions.startsWith(name, prefix);
      case Filter.Comparison(String _, Operator operator, Literal value) ->
          isFloating(column.type)
              ? floating(column, operator, value, negated)
              : compare(column, negated ? operator.negated() : operator, value);
      case Filter.In(String _, Set<Literal> values) -> in(column, values, negated);
      case Filter.Like like -> like(column, like, negated);
      default -> null;
    };
  }

  private static @Nullable Expression like(Column column, Filter.Like like, boolean negated) {
    Filter simple = like.simplified();
    if (!simple.equals(like)) {
      return leaf(column, simple, negated);
    }
    if (!isText(column.type, like.pattern())) {
      return null;
    }
    return negated || like.prefix().isEmpty()
        ? Expressions.notNull(column.name)
        : Expressions.startsWith(column.name, like.prefix());
  }

  private static boolean isFloating(Type type) {
    return type.typeId() == Type.TypeID.FLOAT || type.typeId() == Type.TypeID.DOUBLE;
  }

  private static boolean isText(Type type, String text) {
    return type.typeId() == Type.TypeID.STRING
        && StandardCharsets.UTF_8.newEncoder().canEncode(text);
  }

  private static Expression expression(String name, Operator operator, Object value) {
    return switch (operator) {
      case EQ -> Expressions.equal(name, value);
      case NE -> Expressions.notEqual(name, value);
      case LT -> Expressions.lessThan(name, value);
      case LE -> Expressions.lessThanOrEqual(name, value);
      case GT -> Expressions.greaterThan(name, value);
      case GE -> Expressions.greaterThanOrEqual(name, value);
    };
  }

  /// Compares values other than floating-point numbers; nulls are never kept.
  private static @Nullable Expression compare(Column column, Operator operator, Literal literal) {
    Object plain = plain(column.type, literal);
    if (plain != null) {
      return expression(column.name, operator, plain);
    }
    CountedType counted = CountedType.of(column.type);
    BigDecimal count = counted == null ? null : counted.count(literal);
    if (counted == null || count == null) {
      return null;
    }
    BigInteger floor = counted.floor(count);
    if (floor == null) { // beyond all values
      boolean kept = operator.test(count.signum() < 0 ? 1 : -1);
      return kept ? Expressions.notNull(column.name) : Expressions.alwaysFalse();
    }
    Object value = counted.value(floor);
    if (count.compareTo(new BigDecimal(floor)) == 0) {
      return expression(column.name, operator, value);
    }
    return switch (operator) {
      case EQ -> Expressions.alwaysFalse();
      case NE -> Expressions.notNull(column.name);
      case LT, LE -> Expressions.lessThanOrEqual(column.name, value);
      case GT, GE -> Expressions.greaterThan(column.name, value);
    };
  }

  /// Returns a literal of a column of strings or booleans as Iceberg takes it, or null.
  private static @Nullable Object plain(Type type, Literal literal) {
    return switch (literal) {
      case Literal.Text(String text) when isText(type, text) -> text;
      case Literal.Bool(boolean truth) when type.typeId() == Type.TypeID.BOOLEAN -> truth;
      default -> null;
    };
  }

  private static @Nullable Expression floating(
      Column column, Operator operator, Literal literal, boolean negated) {
    String name = column.name;
    Double number = number(column.type, literal);
    if (number == null) {
      return null;
    }
    Operator wanted = negated ? operator.negated() : operator;
    boolean zero = number == 0;
    Expression values =
        switch (wanted) {
          case EQ ->
              zero
                  ? Expressions.in(name, zeros(column.type))
                  : expression(name, wanted, boxed(column.type, number));
          case NE ->
              zero
                  ? Expressions.notNull(name)
                  : expression(name, wanted, boxed(column.type, number));
          case GE -> expression(name, wanted, boxed(column.type, zero ? -0.0 : number));
          case LT, LE, GT -> expression(name, wanted, boxed(column.type, number));
        };
    // NaN differs from everything; every other test fails on NaN, so the test's negation holds.
    boolean nan = negated ? operator != Operator.NE : operator == Operator.NE;
    return nan ? Expressions.or(values, Expressions.isNaN(name)) : values;
  }

  /// Returns the number rounded to the column's type, as the row filter does.
  private static @Nullable Double number(Type type, Literal literal) {
    boolean single = type.typeId() == Type.TypeID.FLOAT;
    return switch (literal) {
      case Literal.Num(BigDecimal value) ->
          single ? (double) value.floatValue() : value.doubleValue();
      case Literal.Infinity(boolean negative) ->
          negative ? Double.NEGATIVE_INFINITY : Double.POSITIVE_INFINITY;
      default -> null;
    };
  }

  private static Object boxed(Type type, double number) {
    return type.typeId() == Type.TypeID.FLOAT ? (Object) (float) number : (Object) number;
  }

  private static List<Object> zeros(Type type) {
    return List.of(boxed(type, 0.0), boxed(type, -0.0));
  }

  private static @Nullable Expression in(Column column, Set<Literal> literals, boolean negated) {
    List<Object> values = new ArrayList<>();
    for (Literal literal : literals) {
      Stream<Object> found = values(column, literal);
      if (found == null) {
        return null;
      }
      found.forEach(values::add);
    }
    if (negated) {
      // "not in" lets Iceberg rule out only files of a single value, and NaN and zeros need care.
      return values.isEmpty() || isFloating(column.type)
          ? Expressions.notNull(column.name)
          : Expressions.notIn(column.name, values);
    }
    return values.isEmpty() ? Expressions.alwaysFalse() : Expressions.in(column.name, values);
  }

  /// Returns the values of the column that equal a literal, or null if unknown.
  private static @Nullable Stream<Object> values(Column column, Literal literal) {
    if (isFloating(column.type)) {
      Double number = number(column.type, literal);
      return number == null
          ? null
          : number == 0 ? zeros(column.type).stream() : Stream.of(boxed(column.type, number));
    }
    Object plain = plain(column.type, literal);
    if (plain != null) {
      return Stream.of(plain);
    }
    CountedType counted = CountedType.of(column.type);
    BigDecimal count = counted == null ? null : counted.count(literal);
    if (counted == null || count == null) {
      return null;
    }
    BigInteger floor = counted.floor(count);
    return floor == null || count.compareTo(new BigDecimal(floor)) != 0
        ? Stream.empty()
        : Stream.of(counted.value(floor));
  }
}
