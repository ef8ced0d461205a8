package dev.penstock.blackbox.contract;

import dev.penstock.blackbox.files.Values;
import dev.penstock.filter.Filter;
import dev.penstock.filter.Filter.Column;
import dev.penstock.filter.Fold;
import dev.penstock.filter.Operator;
import dev.penstock.schema.DataType;
import dev.penstock.schema.Field;
import dev.penstock.schema.Schema;
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

/// A filter beside a plain evaluation of it, row by row, with SQL's three values: true, false and
/// null for unknown.
///
/// @param filter the filter
/// @param answer what it should say of a row
record NaiveFilter(Filter filter, Function<List<Object>, Boolean> answer) {
  private static final Filter ALWAYS = Filter.fold(List.of(), 1, 0).eq(0);
  private static final List<Operator> OPERATORS = List.of(Operator.values());

  boolean keeps(List<Object> row) {
    return Boolean.TRUE.equals(answer.apply(row));
  }

  /// Returns whether values of a type can be compared.
  static boolean isComparable(DataType type) {
    return switch (type) {
      case DataType.Interval _ -> false;
      default -> !type.isNested();
    };
  }

  /// Makes a filter of some columns of a table.
  ///
  /// @param rows gives values that are there
  static NaiveFilter random(Random random, Schema schema, List<List<Object>> rows, int depth) {
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
    int kind = random.nextInt(15);
    if (kind == 14) {
      return fold(random, schema);
    }
    if (kind == 0 || !isComparable(field.type())) {
      return new NaiveFilter(col.isNull(), row -> row.get(column) == null);
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

  /// Tests the fold of a key of one to three columns.
  private static NaiveFilter fold(Random random, Schema schema) {
    List<Integer> key = new ArrayList<>();
    for (int i = random.nextInt(3); i >= 0; i--) {
      int column = random.nextInt(schema.size());
      if (NaiveFold.takes(schema.fields().get(column).type())) {
        key.add(column);
      }
    }
    if (key.isEmpty()) {
      return new NaiveFilter(new Filter.And(List.of(ALWAYS, ALWAYS)), _ -> true);
    }
    List<DataType> types = key.stream().map(c -> schema.fields().get(c).type()).toList();
    List<String> names = key.stream().map(c -> schema.fields().get(c).name()).toList();
    Fold fold = Filter.fold(names, 1 + random.nextInt(5), random.nextLong());
    int[] wanted = random.ints(random.nextInt(4), 0, fold.k()).toArray();
    return new NaiveFilter(
        fold.in(wanted),
        row -> {
          List<Object> values = new ArrayList<>();
          key.forEach(c -> values.add(row.get(c)));
          int number = NaiveFold.of(fold, types, values);
          return Arrays.stream(wanted).anyMatch(each -> each == number);
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
