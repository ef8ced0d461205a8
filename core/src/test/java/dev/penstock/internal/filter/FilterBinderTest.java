package dev.penstock.internal.filter;

import static dev.penstock.filter.Filter.col;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.filter.Filter;
import dev.penstock.filter.Operator;
import dev.penstock.internal.filter.Condition.All;
import dev.penstock.internal.filter.Condition.Any;
import dev.penstock.internal.filter.Condition.Leaf;
import dev.penstock.schema.DataType;
import dev.penstock.schema.DataType.TimeUnit;
import dev.penstock.schema.Field;
import dev.penstock.schema.Schema;
import dev.penstock.spi.format.ByteString;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class FilterBinderTest {
  private static final Schema SCHEMA =
      Schema.of(
          List.of(
              field("flag", new DataType.Bool()),
              field("i8", new DataType.Int(8, true)),
              field("u8", new DataType.Int(8, false)),
              field("i64", new DataType.Int(64, true)),
              field("u64", new DataType.Int(64, false)),
              field("f16", new DataType.Floating(16)),
              field("f32", new DataType.Floating(32)),
              field("f64", new DataType.Floating(64)),
              field("price", new DataType.Decimal(9, 2)),
              field("name", new DataType.Utf8()),
              field("raw", new DataType.Binary()),
              field("id", new DataType.Uuid()),
              field("day", new DataType.Date()),
              field("at", new DataType.Time(TimeUnit.MILLIS, false)),
              field("utc", new DataType.Timestamp(TimeUnit.MICROS, true)),
              field("local", new DataType.Timestamp(TimeUnit.MILLIS, false)),
              field("tags", new DataType.List(new DataType.Utf8(), true)),
              field("address", new DataType.Struct(List.of(field("city", new DataType.Utf8())))),
              field("key", new DataType.FixedBinary(16))));

  private static Field field(String name, DataType type) {
    return new Field(name, type, true);
  }

  private static Condition bind(String filter) {
    return FilterBinder.bind(Filter.parse(filter), SCHEMA);
  }

  private static Condition.Test test(String filter) {
    return ((Leaf) bind(filter)).test();
  }

  private static Condition.Test compare(Operator operator, Comparable<?> value) {
    return new Condition.Test.Compare(operator, value);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "nme = 'x' | Cannot filter by column 'nme': no such column. Did you mean 'name'? Columns are: [flag, i8, u8, i64,"
            + " u64, f16, f32, f64, price, name, raw, id, day, at, utc, local, tags, address, key].",
        "i8 = 'x' | Cannot compare column 'i8' with 'x': the column is int8 but the value is text."
            + " Expected a number.",
        "name < 5 | Cannot compare column 'name' with 5: the column is string but the value is a"
            + " number. Expected text in single quotes.",
        "name in ('a', 5) | Cannot compare column 'name' with 5: the column is string but the value"
            + " is a number. Expected text in single quotes.",
        "flag = 1 | Cannot compare column 'flag' with 1: the column is bool but the value is a"
            + " number. Expected true or false.",
        "f32 > true | Cannot compare column 'f32' with true: the column is float32 but the value is"
            + " a boolean. Expected a number.",
        "price = date '2001-02-03' | Cannot compare column 'price' with date '2001-02-03': the column"
            + " is decimal(9, 2) but the value is a date. Expected a number.",
        "raw = 'x' | Cannot compare column 'raw' with 'x': the column is binary but the value is"
            + " text. Expected bytes such as x'CAFE'.",
        "tags = 'x' | Cannot compare column 'tags' with 'x': the column is list<string> but the value"
            + " is text. Expected only 'is null' or 'is not null' for this type.",
        "id = '1-1-1-1-1' | Cannot compare column 'id' with '1-1-1-1-1': the column is uuid but the"
            + " value is text. Expected a UUID such as '123e4567-e89b-12d3-a456-426614174000'.",
        "day = '2001-02-30' | Cannot compare column 'day' with '2001-02-30': there is no such day"
            + " or time. Expected a date such as '2001-02-03'.",
        "day = '2001/02/03' | Cannot compare column 'day' with '2001/02/03': the column is date but"
            + " the value is text. Expected a date such as '2001-02-03'.",
        "day = timestamp '2001-02-03T04:05:06' | Cannot compare column 'day' with timestamp"
            + " '2001-02-03T04:05:06': the column is date but the value is a timestamp without a"
            + " zone. Expected a date such as '2001-02-03'.",
        "at = 5 | Cannot compare column 'at' with 5: the column is time[ms] but the value is a"
            + " number. Expected a time such as '13:45:00'.",
        "utc = time '13:45:00' | Cannot compare column 'utc' with time '13:45:00': the column is"
            + " timestamp[us, UTC] but the value is a time. Expected a timestamp such as"
            + " '2001-02-03T13:45:00Z'.",
        "local = timestamp '2001-02-03T04:05:06Z' | Cannot compare column 'local' with timestamp"
            + " '2001-02-03T04:05:06Z': the column is timestamp[ms] but the value is a timestamp"
            + " with a zone. Expected a timestamp without a zone such as '2001-02-03T13:45:00'.",
        "local = '2001-02-03T04:05:06+01:00' | Cannot compare column 'local' with"
            + " '2001-02-03T04:05:06+01:00': the column is timestamp[ms] but the value is text."
            + " Expected a timestamp without a zone such as '2001-02-03T13:45:00'.",
        "i64 is nan | Cannot look for NaN in column 'i64': it is int64 but only floating-point"
            + " columns have NaN. Use 'is null' to find nulls.",
        "day starts with '20' | Cannot look for the text that column 'day' starts with: it is date"
            + " but only strings start with a text.",
        "i8 like '1%' | Cannot match column 'i8' with a pattern: it is int8 but only strings match"
            + " patterns.",
        "key = 'x' | Cannot compare column 'key' with 'x': the column is fixed(16) but the value is"
            + " text. Expected bytes such as x'CAFE', or a UUID such as"
            + " '123e4567-e89b-12d3-a456-426614174000'.",
        "i8 = x'00' | Cannot compare column 'i8' with x'00': the column is int8 but the value is"
            + " bytes. Expected a number.",
        "i64 < nam | Cannot compare column 'i64' with column 'nam': no such column. Did you mean"
            + " 'name'? Columns are: [flag, i8, u8, i64, u64, f16, f32, f64, price, name, raw, id,"
            + " day, at, utc, local, tags, address, key]. Text to compare with is in single quotes.",
        "utc < local | Cannot compare column 'utc' with column 'local': the one is"
            + " timestamp[us, UTC] but the other is timestamp[ms]. Expected two columns of numbers,"
            + " text, bytes or booleans, of dates and timestamps, or of times; both in UTC or both"
            + " local.",
      })
  void whatCannotBeComparedIsRefusedByName(String filter, String message) {
    assertThatThrownBy(() -> bind(filter))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(message);
  }

  @Test
  void halfASurrogatePairIsNoText() {
    for (Filter filter : List.of(col("name").eq("\ud83d"), col("name").startsWith("\ud83d"))) {
      assertThatThrownBy(() -> FilterBinder.bind(filter, SCHEMA))
          .hasMessage(
              "Cannot compare column 'name' with '\ud83d': the text has half of a surrogate pair"
                  + " but strings are UTF-8, which has none.");
    }
  }

  @Test
  void valuesGetTheClassOfTheColumn() {
    assertThat(test("i64 = 5")).isEqualTo(compare(Operator.EQ, 5L));
    assertThat(test("u64 = 18446744073709551615"))
        .isEqualTo(compare(Operator.EQ, new BigInteger("18446744073709551615")));
    assertThat(test("f64 = 0.1")).isEqualTo(compare(Operator.EQ, 0.1));
    assertThat(test("f32 = 0.1")).isEqualTo(compare(Operator.EQ, 0.1f));
    assertThat(test("price = 1.5")).isEqualTo(compare(Operator.EQ, new BigDecimal("1.50")));
    assertThat(test("name = 'é'")).isEqualTo(compare(Operator.EQ, ByteString.utf8("é")));
    assertThat(test("address.city = 'x'")).isEqualTo(compare(Operator.EQ, ByteString.utf8("x")));
    assertThat(test("day = '1970-01-02'")).isEqualTo(compare(Operator.EQ, 1L));
    assertThat(test("at = '00:00:01.5'")).isEqualTo(compare(Operator.EQ, 1500L));
    assertThat(test("utc = '1970-01-01T01:00:00+01:00'")).isEqualTo(compare(Operator.EQ, 0L));
    assertThat(test("utc = '1970-01-01T00:00:01'")).isEqualTo(compare(Operator.EQ, 1_000_000L));
    assertThat(test("local = '1970-01-02'")).isEqualTo(compare(Operator.EQ, 86_400_000L));
    assertThat(test("flag = true")).isEqualTo(compare(Operator.EQ, true));
    assertThat(test("id = '00000000-0000-0001-0000-0000000000FF'"))
        .isEqualTo(
            compare(
                Operator.EQ,
                ByteString.of(new byte[] {0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, -1})));
  }

  @Test
  void bytesAndUuidsMeetInEveryFormOfSixteenBytes() {
    String uuid = "'00000000-0000-0001-0000-0000000000ff'";
    String hex = "x'000000000000000100000000000000ff'";
    for (String column : List.of("id", "key")) {
      assertThat(test(column + " = " + hex)).isEqualTo(test("id = " + uuid));
      assertThat(test(column + " = " + uuid)).isEqualTo(test("id = " + uuid));
      assertThat(test(column + " = x'00'")).isEqualTo(new Condition.Test.Constant(false));
      assertThat(test(column + " != x'00'")).isEqualTo(new Condition.Test.Constant(true));
      assertThat(test(column + " < x'01'"))
          .isEqualTo(compare(Operator.LT, ByteString.of(new byte[] {1})));
    }
    assertThat(test("raw >= x'CA'"))
        .isEqualTo(compare(Operator.GE, ByteString.of(new byte[] {-54})));
  }

  @Test
  void patternsWithoutInnerWildcardsAreSimplerConditions() {
    assertThat(bind("name like 'ab%'")).isEqualTo(bind("name starts with 'ab'"));
    assertThat(bind("name not like 'a!_%%' escape '!'"))
        .isEqualTo(bind("name not starts with 'a_'"));
    assertThat(bind("name like 'ab'")).isEqualTo(bind("name = 'ab'"));
    assertThat(bind("name like ''")).isEqualTo(bind("name = ''"));
    assertThat(bind("name like '%'")).isEqualTo(bind("name starts with ''"));
    assertThat(test("name like 'é%b'"))
        .isEqualTo(new Condition.Test.Matches(List.of(0xc3, 0xa9, Filter.Like.ANY_TEXT, 98)));
  }

  @Test
  void fractionsBesideIntegersRoundDownAndTurnTheComparison() {
    assertThat(test("i64 < 2.5")).isEqualTo(compare(Operator.LE, 2L));
    assertThat(test("i64 <= -2.5")).isEqualTo(compare(Operator.LE, -3L));
    assertThat(test("i64 > 2.5")).isEqualTo(compare(Operator.GT, 2L));
    assertThat(test("i64 >= 2.5")).isEqualTo(compare(Operator.GT, 2L));
    assertThat(test("i64 = 2.5")).isEqualTo(new Condition.Test.Constant(false));
    assertThat(test("i64 != 2.5")).isEqualTo(new Condition.Test.Constant(true));
    assertThat(test("price >= 0.001")).isEqualTo(compare(Operator.GT, new BigDecimal("0.00")));
    assertThat(test("at > '00:00:00.0005'")).isEqualTo(compare(Operator.GT, 0L));
    assertThat(test("local < '1969-12-31T23:59:59.9999'")).isEqualTo(compare(Operator.LE, -1L));
  }

  @Test
  void whatTheColumnCannotHaveIsDecidedAtOnce() {
    assertThat(test("i8 < 300")).isEqualTo(new Condition.Test.Constant(true));
    assertThat(test("i8 = 128")).isEqualTo(new Condition.Test.Constant(false));
    assertThat(test("u8 >= -1")).isEqualTo(new Condition.Test.Constant(true));
    assertThat(test("i64 < -infinity")).isEqualTo(new Condition.Test.Constant(false));
    assertThat(test("i8 in (1, 2.5, 300, -128)"))
        .isEqualTo(new Condition.Test.OneOf(List.of(-128L, 1L)));
  }

  @Test
  void numbersOfHugeExponentsAreNotWrittenOut() {
    BigDecimal huge = new BigDecimal("1e999999999");
    BigDecimal tiny = new BigDecimal("1e-999999999");
    for (String column : List.of("i64", "u64", "f16", "f32", "f64", "price")) {
      for (BigDecimal number : List.of(huge, tiny, huge.negate(), tiny.negate())) {
        FilterBinder.bind(col(column).lt(number).or(col(column).eq(number)), SCHEMA);
      }
    }
    assertThat(FilterBinder.bind(col("i64").gt(tiny), SCHEMA)).isEqualTo(bind("i64 > 0"));
    assertThat(FilterBinder.bind(col("i64").gt(tiny.negate()), SCHEMA)).isEqualTo(bind("i64 > -1"));
    assertThat(FilterBinder.bind(col("price").lt(tiny.negate()), SCHEMA))
        .isEqualTo(bind("price <= -0.01"));
  }

  @Test
  void zerosBesideFloatingPointColumnsArePositive() {
    assertThat(test("f64 = -1e-400")).isEqualTo(compare(Operator.EQ, 0.0));
    assertThat(test("f32 = -1e-60")).isEqualTo(compare(Operator.EQ, 0f));
    assertThat(test("f16 = -1e-20")).isEqualTo(compare(Operator.EQ, 0f));
  }

  @Test
  void literalsBesideFloat16AreRoundedOnce() {
    // 1 + 2^-11 is the middle of two neighbours, and 1e-12 above it is lost in a float32.
    BigDecimal middle = new BigDecimal("1.00048828125");
    assertThat(FilterBinder.bind(col("f16").eq(middle), SCHEMA))
        .isEqualTo(FilterBinder.bind(col("f16").eq(1), SCHEMA));
    assertThat(FilterBinder.bind(col("f16").eq(middle.add(new BigDecimal("1e-12"))), SCHEMA))
        .isEqualTo(FilterBinder.bind(col("f16").eq(1 + 0x1p-10), SCHEMA));
  }

  @Test
  void onlyLeavesAreNegated() {
    Condition one = bind("i8 = 1");
    Condition two = bind("i8 = 2");
    assertThat(bind("not (i8 = 1 and not i8 = 2)"))
        .isEqualTo(new Any(List.of(((Leaf) one).negate(), two)));
    assertThat(bind("not (i8 = 1 or i8 = 2)"))
        .isEqualTo(new All(List.of(((Leaf) one).negate(), ((Leaf) two).negate())));
  }

  @Test
  void conditionKnowsItsColumns() {
    assertThat(bind("name = 'x' and (i8 = 1 or not name is null) and f64 > 0").columns())
        .containsExactly("name", "i8", "f64");
  }
}
