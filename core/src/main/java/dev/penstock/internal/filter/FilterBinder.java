package dev.penstock.internal.filter;

import dev.penstock.filter.Filter;
import dev.penstock.filter.Fold;
import dev.penstock.filter.Literal;
import dev.penstock.filter.Operator;
import dev.penstock.internal.choice.Choices;
import dev.penstock.internal.choice.Sentence;
import dev.penstock.internal.filter.Condition.All;
import dev.penstock.internal.filter.Condition.Any;
import dev.penstock.internal.filter.Condition.Folded;
import dev.penstock.internal.filter.Condition.Leaf;
import dev.penstock.internal.filter.Condition.Pair;
import dev.penstock.internal.filter.Condition.Test;
import dev.penstock.schema.DataType;
import dev.penstock.schema.Field;
import dev.penstock.schema.Schema;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableSet;
import java.util.Set;
import java.util.TreeSet;

/// Checks a filter against a schema and gives its values the types of their columns.
public final class FilterBinder {
  private final Schema schema;

  private FilterBinder(Schema schema) {
    this.schema = schema;
  }

  /// Returns the same condition in the columns' types. If a column does not exist, or its type
  /// cannot be compared with the value, the error names both.
  public static Condition bind(Filter filter, Schema schema) {
    return new FilterBinder(schema).bind(filter, false);
  }

  private Condition bind(Filter filter, boolean negated) {
    return switch (filter) {
      case Filter.Not(Filter part) -> bind(part, !negated);
      case Filter.And(List<Filter> parts) -> join(parts, negated, !negated);
      case Filter.Or(List<Filter> parts) -> join(parts, negated, negated);
      case Filter.Comparison(String column, Operator operator, Literal value) -> {
        Field field = field(column);
        Test test = LiteralBinder.compare(field, operator, value);
        yield new Leaf(column, field.type(), test, negated);
      }
      case Filter.ColumnComparison(String left, Operator operator, String right) ->
          pair(left, operator, right, negated);
      case Filter.In in -> oneOf(field(in.column()), in.values(), negated);
      case Filter.IsNull(String column) ->
          new Leaf(column, field(column).type(), new Test.IsNull(), negated);
      case Filter.IsNaN(String column) -> isNaN(field(column), negated);
      case Filter.StartsWith(String column, String prefix) ->
          startsWith(field(column), prefix, negated);
      case Filter.Like like -> like(field(like.column()), like, negated);
      case Filter.InFold(Fold fold, Set<Integer> folds) -> {
        List<DataType> types = fold.columns().stream().map(this::foldedType).toList();
        yield new Folded(fold, types, folds, negated);
      }
    };
  }

  /// Moves a negation to the parts, by De Morgan's laws, which also hold in three-valued logic.
  private Condition join(List<Filter> filters, boolean negated, boolean all) {
    List<Condition> parts = new ArrayList<>();
    filters.forEach(filter -> parts.add(bind(filter, negated)));
    return all ? new All(List.copyOf(parts)) : new Any(List.copyOf(parts));
  }

  private Field field(String column) {
    return schema
        .find(column)
        .orElseThrow(() ->
            new IllegalArgumentException(
                "Cannot filter by column '"
                    + column
                    + "': no such column. "
                    + Choices.listed("Columns", column, schema.names())));
  }

  private DataType foldedType(String column) {
    DataType type = field(column).type();
    if (!FoldHash.takes(type)) {
      throw new IllegalArgumentException(
          Sentence.of(
              "Cannot deal rows to folds by column '%s': it is %s. Expected integers, decimals,"
                  + " booleans, text, bytes, dates or times.",
              column, type));
    }
    return type;
  }

  private Condition pair(String left, Operator operator, String right, boolean negated) {
    DataType leftType = field(left).type();
    if (schema.find(right).isEmpty()) {
      throw new IllegalArgumentException(
          Sentence.of(
              "Cannot compare column '%s' with column '%s': no such column. %s %s",
              left,
              right,
              Choices.listed("Columns", right, schema.names()),
              right.equalsIgnoreCase("none")
                  ? "Write 'is null' to find nulls."
                  : "Text to compare with is in single quotes."));
    }
    DataType rightType = field(right).type();
    if (PairKind.of(leftType, rightType) == null) {
      throw new IllegalArgumentException(
          Sentence.of(
              "Cannot compare column '%s' with column '%s': the one is %s but the other is %s."
                  + " Expected two columns of numbers, text, bytes or booleans, of dates and"
                  + " timestamps, or of times; both in UTC or both local.",
              left, right, leftType, rightType));
    }
    return new Pair(left, leftType, operator, right, rightType, negated);
  }

  private static Condition oneOf(Field field, Set<Literal> literals, boolean negated) {
    // All values of a column have one class, whose order is used.
    NavigableSet<Comparable<?>> values = new TreeSet<>(LiteralBinder::order);
    for (Literal literal : literals) {
      // A value that the column cannot have compares as a constant, and is left out of the list.
      if (LiteralBinder.compare(field, Operator.EQ, literal)
          instanceof Test.Compare(Operator _, Comparable<?> value)) {
        values.add(value);
      }
    }
    return new Leaf(field.name(), field.type(), new Test.OneOf(List.copyOf(values)), negated);
  }

  private static Condition isNaN(Field field, boolean negated) {
    if (!(field.type() instanceof DataType.Floating)) {
      throw new IllegalArgumentException(
          Sentence.of(
              "Cannot look for NaN in column '%s': it is %s but only floating-point columns have"
                  + " NaN. Use 'is null' to find nulls.",
              field.name(), field.type()));
    }
    return new Leaf(field.name(), field.type(), new Test.IsNaN(), negated);
  }

  private static Condition startsWith(Field field, String prefix, boolean negated) {
    if (!(field.type() instanceof DataType.Utf8)) {
      throw new IllegalArgumentException(
          Sentence.of(
              "Cannot look for the text that column '%s' starts with: it is %s but only strings"
                  + " start with a text.",
              field.name(), field.type()));
    }
    Test test = new Test.StartsWith(LiteralBinder.utf8(field, prefix));
    return new Leaf(field.name(), field.type(), test, negated);
  }

  private Condition like(Field field, Filter.Like like, boolean negated) {
    if (!(field.type() instanceof DataType.Utf8)) {
      throw new IllegalArgumentException(
          Sentence.of(
              "Cannot match column '%s' with a pattern: it is %s but only strings match patterns.",
              field.name(), field.type()));
    }
    Filter simple = like.simplified();
    if (!simple.equals(like)) {
      return bind(simple, negated);
    }
    LiteralBinder.utf8(field, like.pattern());
    List<Integer> parts = new ArrayList<>();
    for (int part : like.parts()) {
      if (part < 0) {
        parts.add(part);
      } else {
        for (byte each : Character.toString(part).getBytes(StandardCharsets.UTF_8)) {
          parts.add(each & 0xff);
        }
      }
    }
    return new Leaf(field.name(), field.type(), new Test.Matches(List.copyOf(parts)), negated);
  }
}
