package dev.penstock.tck.internal;

import dev.penstock.filter.Filter;
import dev.penstock.filter.Filter.Column;
import dev.penstock.filter.Operator;
import dev.penstock.schema.DataType;
import dev.penstock.schema.Field;
import dev.penstock.schema.Schema;
import dev.penstock.tck.Values;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.NullUnmarked;

/// A filter beside a plain evaluation of it, row by row, with SQL's three values: true, false and
/// null for unknown.
///
/// @param filter the filter
/// @param answer what it should say of a row
@NullUnmarked // values of rows may be null
public record NaiveFilter(Filter filter, Function<List<Object>, Boolean> answer) {
  private static final List<Operator> OPERATORS = List.of(Operator.values());

  /// {@return whether the filter should keep a row}
  ///
  /// @param row its values
  public boolean keeps(List<Object> row) {
    return Boolean.TRUE.equals(answer.apply(row));
  }

  /// {@return whether values of a type can be compared}
  ///
  /// @param type the type
  public static boolean isComparable(DataType type) {
    return switch (type) {
      case DataType.Interval _ -> false;
      default -> !type.isNested();
    };
  }

  /// {@return a filter of some columns of a table}
  ///
  /// @param random the source of the filter
  /// @param schema the columns
  /// @param rows rows with values that are there
  /// @param depth how deep it may be nested; 0 for a single condition
  public static NaiveFilter random(
      Random random, Schema schema, List<List<Object>> rows, int depth) {
    return switch (depth == 0 ? 9 : random.nextInt(7)) {
      case 0, 1 -> {
        List<NaiveFilter> parts = several(random, schema, rows, depth - 1);
        Filter all = new Filter.And(parts.stream().map(NaiveFilter::filter).toList());
        yield new NaiveFilter(all, row -> not(any(parts, row, true)));
      }
      case 2, 3 -> {
        List<NaiveFilter> parts = several(random, schema, rows, depth - 1);
        Filter any = new Filter.Or(parts.stream().map(NaiveFilter::filter).toList());
        yield new NaiveFilter(any, row -> any(parts, row, false));
      }
      case 4 -> {
        NaiveFilter part = random(random, schema, rows, depth - 1);
        yield new NaiveFilter(part.filter.not(), row -> not(part.answer.apply(row)));
      }
      default -> leaf(random, schema, rows, random.nextInt(schema.size()));
    };
  }

  /// {@return the filter of the rows whose value in a column is null}
  ///
  /// @param schema the columns
  /// @param column the place of the column
  public static NaiveFilter isNull(Schema schema, int column) {
    Column col = Filter.col(schema.fields().get(column).name());
    return new NaiveFilter(col.isNull(), row -> row.get(column) == null);
  }

  /// {@return the filters that keep the rows with the least and the greatest value of a column}
  ///
  /// @param schema the columns
  /// @param rows some rows
  /// @param column the place of the column, whose values can be compared
  public static List<NaiveFilter> ofEnds(Schema schema, List<List<Object>> rows, int column) {
    Field field = schema.fields().get(column);
    List<Object> values =
        rows.stream()
            .map(row -> row.get(column))
            .filter(value -> value != null && isOrdered(value))
            .sorted(NaiveFilter::compare)
            .toList();
    return values.isEmpty()
        ? List.of()
        : Stream.of(values.getFirst(), values.getLast())
            .map(value ->
                of(
                    Filter.col(field.name()).eq(literal(field.type(), value)),
                    column,
                    other -> same(other, value)))
            .toList();
  }

  private static List<NaiveFilter> several(
      Random random, Schema schema, List<List<Object>> rows, int depth) {
    List<NaiveFilter> parts = new ArrayList<>();
    for (int i = 2 + random.nextInt(2); i > 0; i--) {
      parts.add(random(random, schema, rows, depth));
    }
    return parts;
  }

  private static Boolean not(Boolean answer) {
    return answer == null ? null : !answer;
  }

  /// True if any part is, unknown if none is but one is unknown.
  private static Boolean any(List<NaiveFilter> parts, List<Object> row, boolean negated) {
    boolean unknown = false;
    for (NaiveFilter part : parts) {
      Boolean answer = part.answer.apply(row);
      if (Boolean.valueOf(!negated).equals(answer)) {
        return true;
      }
      unknown |= answer == null;
    }
    return unknown ? null : false;
  }

  private static NaiveFilter leaf(
      Random random, Schema schema, List<List<Object>> rows, int column) {
    Field field = schema.fields().get(column);
    Column col = Filter.col(field.name());
    int kind = random.nextInt(14);
    if (kind == 0 || !isComparable(field.type())) {
      return isNull(schema, column);
    }
    Object value = value(random, field.type(), rows, column);
    Object other = value(random, field.type(), rows, column);
    Object literal = literal(field.type(), value);
    return switch (kind) {
      case 1, 2 -> of(col.eq(literal), column, v -> same(v, value));
      case 3 -> of(col.ne(literal), column, v -> !same(v, value));
      case 4 -> of(col.lt(literal), column, v -> isOrdered(v) && compare(v, value) < 0);
      case 5 -> of(col.le(literal), column, v -> isOrdered(v) && compare(v, value) <= 0);
      case 6 -> of(col.gt(literal), column, v -> isOrdered(v) && compare(v, value) > 0);
      case 7 -> of(col.ge(literal), column, v -> isOrdered(v) && compare(v, value) >= 0);
      case 8 ->
          of(
              col.between(literal, literal(field.type(), other)),
              column,
              v -> isOrdered(v) && compare(v, value) >= 0 && compare(v, other) <= 0);
      case 9 -> {
        List<Object> values = new ArrayList<>(List.of(value, other));
        for (int i = random.nextInt(20); i > 0; i--) {
          values.add(value(random, field.type(), rows, column));
        }
        List<Object> literals = values.stream().map(each -> literal(field.type(), each)).toList();
        yield of(col.in(literals), column, v -> values.stream().anyMatch(each -> same(v, each)));
      }
      case 10, 11 -> pair(random, schema, column);
      default -> special(random, col, field.type(), column, value);
    };
  }

  /// Bytes are hexadecimal digits here; a filter takes them as they are.
  private static Object literal(DataType type, Object value) {
    return type instanceof DataType.Binary || type instanceof DataType.FixedBinary
        ? HexFormat.of().parseHex((String) value)
        : value;
  }

  /// Compares a column with another one that is of its type, or with itself.
  private static NaiveFilter pair(Random random, Schema schema, int column) {
    Field field = schema.fields().get(column);
    List<Integer> same = new ArrayList<>();
    for (int c = 0; c < schema.size(); c++) {
      DataType type = schema.fields().get(c).type();
      if (type.equals(field.type()) || (isExact(type) && isExact(field.type()))) {
        same.add(c);
      }
    }
    int right = same.get(random.nextInt(same.size()));
    Operator operator = OPERATORS.get(random.nextInt(6));
    return new NaiveFilter(
        new Filter.ColumnComparison(field.name(), operator, schema.fields().get(right).name()),
        row -> {
          Object value = row.get(column);
          Object other = row.get(right);
          if (value == null || other == null) {
            return null;
          }
          return (isOrdered(value) && isOrdered(other))
              ? operator.test(compare(value, other))
              : (Boolean) (operator == Operator.NE);
        });
  }

  private static boolean isExact(DataType type) {
    return type instanceof DataType.Int || type instanceof DataType.Decimal;
  }

  private static NaiveFilter special(
      Random random, Column col, DataType type, int column, Object value) {
    if (type instanceof DataType.Floating) {
      return of(col.isNaN(), column, v -> Double.isNaN(((Number) v).doubleValue()));
    }
    if (type instanceof DataType.Utf8) {
      String text = (String) value;
      if (random.nextBoolean()) {
        return like(random, col, column, text);
      }
      int characters = random.nextInt(text.codePointCount(0, text.length()) + 1);
      String prefix = text.substring(0, text.offsetByCodePoints(0, characters));
      return of(col.startsWith(prefix), column, v -> ((String) v).startsWith(prefix));
    }
    return of(col.isNotNull(), column, _ -> true, false);
  }

  private static NaiveFilter like(Random random, Column col, int column, String text) {
    StringBuilder pattern = new StringBuilder();
    StringBuilder regex = new StringBuilder();
    for (int point : text.codePoints().toArray()) {
      String one = Character.toString(point);
      switch (random.nextInt(5)) {
        case 0 -> {
          pattern.append('_');
          regex.append('.');
        }
        case 1 -> {
          pattern.append('%');
          regex.append(".*");
        }
        default -> {
          pattern.append("%_!".contains(one) ? "!" : "").append(one);
          regex.append(Pattern.quote(one));
        }
      }
    }
    Pattern plain = Pattern.compile(regex.toString(), Pattern.DOTALL);
    return of(col.like(pattern.toString(), '!'), column, v -> plain.matcher((String) v).matches());
  }

  private static NaiveFilter of(Filter filter, int column, Function<Object, Boolean> answer) {
    return of(filter, column, answer, null);
  }

  private static NaiveFilter of(
      Filter filter, int column, Function<Object, Boolean> answer, Boolean ofNull) {
    return new NaiveFilter(
        filter, row -> row.get(column) == null ? ofNull : answer.apply(row.get(column)));
  }

  /// Returns a value of the column, or another.
  private static Object value(Random random, DataType type, List<List<Object>> rows, int column) {
    for (int i = 0; i < 5 && !rows.isEmpty(); i++) {
      Object value = rows.get(random.nextInt(rows.size())).get(column);
      if (value != null && isOrdered(value)) {
        return value;
      }
    }
    return Values.random(type, random);
  }

  private static boolean isOrdered(Object value) {
    return !(value instanceof Float || value instanceof Double)
        || !Double.isNaN(((Number) value).doubleValue());
  }

  private static boolean same(Object value, Object other) {
    return isOrdered(value) && compare(value, other) == 0;
  }

  private static int compare(Object value, Object other) {
    return switch (value) {
      case Float number -> Double.compare(number + 0.0, ((Number) other).doubleValue() + 0.0);
      case Double number -> Double.compare(number + 0.0, ((Number) other).doubleValue() + 0.0);
      case Number number ->
          new BigDecimal(number.toString()).compareTo(new BigDecimal(other.toString()));
      case String text ->
          Arrays.compareUnsigned(
              text.getBytes(StandardCharsets.UTF_8),
              ((String) other).getBytes(StandardCharsets.UTF_8));
      case UUID uuid -> uuid.toString().compareTo(other.toString());
      default -> natural(value, other);
    };
  }

  @SuppressWarnings({"unchecked", "rawtypes"}) // both are of the column's type
  private static int natural(Object value, Object other) {
    return ((Comparable) value).compareTo(other);
  }
}
