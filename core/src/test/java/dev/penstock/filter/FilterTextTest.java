package dev.penstock.filter;

import static dev.penstock.filter.Filter.col;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.testing.Seeded;
import java.math.BigDecimal;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class FilterTextTest {
  private static final List<Operator> OPERATORS = List.of(Operator.values());

  @Test
  void textMeansWhatTheMethodsMake() {
    assertThat(Filter.parse("delay >= 15 and origin in ('ATL','ORD') and date < '2001-02-01'"))
        .isEqualTo(
            new Filter.And(
                List.of(
                    col("delay").ge(15),
                    col("origin").in("ATL", "ORD"),
                    col("date").lt("2001-02-01"))));
  }

  @Test
  void andBindsTighterThanOrAndNotTighterStill() {
    Filter a = col("a").eq(1);
    Filter b = col("b").eq(2);
    Filter c = col("c").eq(3);

    assertThat(Filter.parse("a = 1 or b = 2 and not c = 3")).isEqualTo(a.or(b.and(c.not())));
    assertThat(Filter.parse("(a = 1 or b = 2) and c = 3")).isEqualTo(a.or(b).and(c));
  }

  @Test
  void wordsMayBeInAnyCaseAndColumnsKeepTheirs() {
    assertThat(Filter.parse("Price IS NOT NULL AND NOT Sold"))
        .isEqualTo(col("Price").isNotNull().and(col("Sold").eq(true).not()));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "5 < x | x > 5",
        "x == 5 | x = 5",
        "fold(a, 10, 7) in (2,0) | fold(a, 10, 7) in (0, 2)",
        "fold(a,\"b c\",10,-7) = 3 | fold(a, \"b c\", 10, -7) in (3)",
        "FOLD(10, 7) not in (3) | fold(10, 7) not in (3)",
        "fold(a, 10, 7) != 3 | fold(a, 10, 7) not in (3)",
        "fold(a, 10, 7) < 2 | fold(a, 10, 7) in (0, 1)",
        "fold(a, 10, 7) < 0 | fold(a, 10, 7) in ()",
        "fold(a, 10, 7) >= 8 | fold(a, 10, 7) not in (0, 1, 2, 3, 4, 5, 6, 7)",
        "fold(a, 10, 7) not between 0 and 7 | fold(a, 10, 7) not in (0, 1, 2, 3, 4, 5, 6, 7)",
        "fold(a, 4, 7) not in () | fold(a, 4, 7) not in ()",
        "fold = 1 or fold in (3) | fold = 1 or fold in (3)",
        "fold(fold, 4, 7) = 1 | fold(fold, 4, 7) in (1)",
        "x <> 5 | x != 5",
        "x between 1 and 2.5 | x >= 1 and x <= 2.5",
        "x not between 1 and 2 | not (x >= 1 and x <= 2)",
        "x not in (1, -2) | x not in (1, -2)",
        "x in () | x in ()",
        "x is nan or x is not nan | x is nan or x is not nan",
        "x>-1e3 | x > -1E+3",
        "x < .5 | x < 0.5",
        "x <= -infinity | x <= -infinity",
        "name = 'it''s' | name = 'it''s'",
        "name not starts with 'a' | name not starts with 'a'",
        "a.b.c = true | a.b.c = true",
        "\"a b\" = 1 | \"a b\" = 1",
        "\"say \"\"so\"\"\" = 1 | \"say \"\"so\"\"\" = 1",
        "\"and\" = 1 | \"and\" = 1",
        "date = date '2001-02-03' | date = date '2001-02-03'",
        "t = timestamp '2001-02-03 04:05' | t = timestamp '2001-02-03T04:05:00'",
        "t = timestamp '2001-02-03T04:05:06.5+01:00' | t = timestamp '2001-02-03T03:05:06.500Z'",
        "t = timestamp '2001-02-03T13:45Z' | t = timestamp '2001-02-03T13:45:00Z'",
        "t = timestamp '2001-02-03 13:45+0000' | t = timestamp '2001-02-03T13:45:00Z'",
        "t = timestamp '2001-02-03T13:45:00.5-05' | t = timestamp '2001-02-03T18:45:00.500Z'",
        "x = 1E+12345 | x = 1E+12345",
        "x = 1.5e-2147483646 | x = 1.5E-2147483646",
        "t = time '13:45' | t = time '13:45:00'",
        "b = x'cafe' or b in (X'00', x'') | b = x'CAFE' or b in (x'00', x'')",
        "x > 1 and x > y | x > 1 and x > y",
        "x < \"a b\" or not like = escape | x < \"a b\" or not (like = escape)",
        "x between y and 5 | x >= y and x <= 5",
        "s like 'a%' | s like 'a%'",
        "s not like '10!%' escape '!' | s not like '10!%' escape '!'",
        "\"st\".x = 1 and st.\"x\" = 2 | st.x = 1 and st.x = 2",
        "\"st\".\"x y\".z is null | \"st.x y.z\" is null",
        "\"a\"\"b\".1st > 2 | \"a\"\"b.1st\" > 2",
      })
  void textIsPrintedInOneForm(String text, String printed) {
    assertThat(Filter.parse(text)).hasToString(printed);
    assertThat(Filter.parse(printed)).isEqualTo(Filter.parse(text));
  }

  @Test
  void javaValuesBecomeLiterals() {
    assertThat(col("x").lt(0.1)).hasToString("x < 0.1");
    assertThat(col("x").lt(0.1f)).hasToString("x < 0.1");
    assertThat(col("x").lt(Double.POSITIVE_INFINITY)).hasToString("x < infinity");
    assertThat(col("x").lt(new BigDecimal("1.50"))).hasToString("x < 1.50");
    assertThat(col("x").eq(Instant.EPOCH)).hasToString("x = timestamp '1970-01-01T00:00:00Z'");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "x = | it ends at character 4 but expected a value or a column; text is in single quotes",
        "x = null | it has 'null' at character 5 but expected a value (write 'is null'",
        "x = 1 y = 2 | it has 'y' at character 7 but expected 'and', 'or' or the end",
        "(x = 1 | it ends at character 7 but expected ')'",
        "x = 'a | a quote opens at character 5 but expected one that closes it",
        "x = 12ab | a number runs into 'a' at character 7",
        "x in (1 2) | it has '2' at character 9 but expected ')'",
        "x = date 'tomorrow' | at character 10 but expected a date in ISO form",
        "t = timestamp '2001-02-03T13:45+19' | at character 15 but expected a timestamp in ISO form",
        "x = 1e-9999999999 | it has '1e-9999999999' at character 5 but expected a number with a",
        "x ; 1 | it has ';' at character 3 but expected a column, a value or an operator",
        "x not 1 | it has '1' at character 7 but expected 'in', 'between', 'like' or 'starts with'",
        "1 and x = 1 | it has 'and' at character 3 but expected a comparison",
        "in > 5 | it has 'in' at character 1 but expected a column; one that is called 'in' is in double quotes: \"in\"",
        "x = 1 and and < 5 | it has 'and' at character 11 but expected a column; one that is called 'and' is in double quotes: \"and\"",
        "not = 5 | it has '=' at character 5 but expected a column; one that is called 'not' is in double quotes: \"not\"",
        "true = 5 | it has '5' at character 8 but expected a column",
        "x < is | it has 'is' at character 5 but expected a value or a column; text is in single quotes; one that is called 'is' is in double quotes: \"is\"",
        "fold(a, 10) = 1 | it has ')' at character 11 but expected ','",
        "fold(a, 0, 7) = 1 | it has '0' at character 9 but expected the number of folds, from 1 to 1000000",
        "fold(a, 10, 0.5) = 1 | it has '0.5' at character 13 but expected a seed, a whole number of 64",
        "fold(a, 10, 7) = 10 | it has '10' at character 18 but expected a fold, a number from 0 to 9",
        "fold(a, 10, 7) in (1, x) | it has 'x' at character 23 but expected a fold",
        "fold(a, 10, 7) is null | it has 'is' at character 16 but expected a comparison",
        "x like 5 | it has '5' at character 8 but expected a text in single quotes",
        "b = x'ABC' | it has 'ABC' at character 6 but expected two hexadecimal digits for each byte",
        "x & y | it has '&' at character 3 but expected 'and'",
        "x is not None | it has 'None' at character 10 but expected 'null'",
        "x is True | it has 'True' at character 6 but expected '= true' or '= false' in place of 'is'",
        "x not null | it has 'null' at character 7 but expected 'is not null'",
        "x isnull | it has 'isnull' at character 3 but expected 'is null'",
        "x => 1 | it has '=>' at character 3 but expected one of =, !=, <, <=, > and >=",
        "!= 1 | it has '!=' at character 1 but expected a column",
        "1 < x < 3 | it has '<' at character 7 but expected 'and': a < b < c is written as a < b and b < c",
        "s ~ 'x' | it has '~' at character 3 but expected 'like', as in a like '%text%'",
        "s ilike 'x' | it has 'ilike' at character 3 but expected 'like'",
        "s.startswith('x') | it has '(' at character 13 but expected a comparison, 'in', 'like' or 'starts with'",
        "x in [1] | it has '[' at character 6 but expected a column's name alone",
        "x + 1 > 2 | it has '+' at character 3 but expected a comparison: filters do not calculate",
        "where x > 1 | it has 'x' at character 7 but expected the condition alone, without 'where'",
        "'x' > 1 | it has '1' at character 7 but expected a column; a column's name is in double quotes, or in none",
        "'x' is null | expected a comparison such as '<'; a column's name is in double quotes, or in none",
        "x = date '2001-02-30' | at character 10 but expected a date that exists",
        "x = 'it\\'s' | expected one that closes it; a quote within is written twice",
        "\"st\". = 5 | a path ends at character 6 but expected a name behind the dot",
      })
  void wrongTextIsRefusedWithItsPlace(String text, String sentence) {
    assertThatThrownBy(() -> Filter.parse(text))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("Cannot read the filter: ")
        .hasMessageContaining(sentence)
        .hasMessageEndingWith("[\"" + text + "\"]");
  }

  @Test
  void columnsCompareWithColumnsAndBytes() {
    assertThat(col("a").lt(col("b"))).isEqualTo(Filter.parse("a < b"));
    assertThat(col("a").between(col("b"), 5)).isEqualTo(Filter.parse("a between b and 5"));
    assertThat(col("a").lt(col("b")).columns()).containsExactly("a", "b");
    assertThat(col("a").eq(new byte[] {-54, -2})).isEqualTo(Filter.parse("a = x'CAFE'"));
    assertThat(col("a").like("5!%", '!')).isEqualTo(Filter.parse("a like '5!%' escape '!'"));
    assertThatThrownBy(() -> new Literal.Bytes("0x1")).hasMessageContaining("hexadecimal digits");
  }

  @Test
  void anEscapeIsBeforeWhatNeedsOne() {
    assertThatThrownBy(() -> Filter.parse("a like 'x!y' escape '!'"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "Cannot use the pattern 'x!y': the escape '!' at character 2 is before 'y' but expected"
                + " '%', '_' or '!' behind it.");
    assertThatThrownBy(() -> col("a").like("x!", '!')).hasMessageContaining("before its end");
    assertThatThrownBy(() -> Filter.parse("a like 'x' escape '!!'"))
        .hasMessage("Cannot escape by '!!': expected one character.");
  }

  @Test
  void emptyAndBottomlessTextIsRefused() {
    assertThatThrownBy(() -> Filter.parse(" ")).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> Filter.parse("(".repeat(100_000)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("nested more than");
  }

  @Test
  void deepFiltersAreReadBackAndDeeperOnesRefused() {
    Filter nots = col("x").eq(1);
    Filter turns = col("x").eq(1);
    Filter all = col("x").eq(1);
    for (int i = 0; i < 500; i++) {
      nots = nots.not();
      turns = i % 2 == 0 ? turns.or(col("y").eq(i)) : turns.and(col("y").eq(i));
    }
    for (int i = 0; i < 5000; i++) {
      all = all.or(col("y").eq(i));
    }
    for (Filter filter : List.of(nots, turns, all)) {
      assertThat(Filter.parse(filter.toString())).isEqualTo(filter).hasSameHashCodeAs(filter);
      assertThat(filter.columns()).contains("x");
    }
    Filter deepest = turns;
    for (Supplier<Filter> deeper :
        List.<Supplier<Filter>>of(
            nots::not, () -> deepest.or(col("y").eq(1)), () -> col("y").eq(1).and(deepest))) {
      assertThatThrownBy(deeper::get)
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageStartingWith("Cannot make the filter: it is nested more than 500 deep.");
    }
    assertThatThrownBy(() -> Filter.parse("not ".repeat(501) + "x"))
        .hasMessageContaining("nested more than 500 deep");
  }

  @Test
  void nullAndNanAreNoValues() {
    assertThatThrownBy(() -> col("x").eq(Double.NaN)).hasMessageContaining("Use isNaN()");
    assertThatThrownBy(() -> col("x").eq(new Object())).hasMessageContaining("a Object");
  }

  @Test
  void columnsAreNamedOnceInOrder() {
    assertThat(Filter.parse("b = 1 or (a = 2 and not b is null) or c.d starts with 'x'").columns())
        .containsExactly("b", "a", "c.d");
  }

  @Seeded(runs = 500)
  void anyFilterIsReadBackFromItsText(Random random) {
    Filter filter = filter(random, 4);

    assertThat(Filter.parse(filter.toString())).isEqualTo(filter);
  }

  private static Filter filter(Random random, int depth) {
    if (depth > 0 && random.nextInt(3) > 0) {
      List<Filter> parts = new ArrayList<>();
      for (int i = 0; i < 2 + random.nextInt(2); i++) {
        parts.add(filter(random, depth - 1));
      }
      return switch (random.nextInt(3)) {
        case 0 -> new Filter.And(parts);
        case 1 -> new Filter.Or(parts);
        default -> parts.getFirst().not();
      };
    }
    String[] names = {"x", "date", "a.b", "größe", "a b", "not", "1st", "\"", "𝒳", "_"};
    Filter.Column column = col(names[random.nextInt(names.length)]);
    return switch (random.nextInt(7)) {
      case 5 -> column.lt(col(names[random.nextInt(names.length)]));
      case 6 ->
          column.like(text(random) + "%_" + text(random) + (random.nextBoolean() ? "!!" : ""), '!');
      case 0 -> column.isNull();
      case 1 -> column.isNaN();
      case 2 -> column.startsWith(text(random));
      case 3 -> column.in(literal(random), literal(random));
      default ->
          new Filter.Comparison(
              column.name(), OPERATORS.get(random.nextInt(6)), Literal.of(literal(random)));
    };
  }

  private static String text(Random random) {
    String[] texts = {"", "a", "it's", "\"", "\\", "\n", "and", "€𝒳"};
    return texts[random.nextInt(texts.length)];
  }

  private static Object literal(Random random) {
    long number = random.nextLong() >> random.nextInt(64);
    return switch (random.nextInt(10)) {
      case 9 -> text(random).getBytes(java.nio.charset.StandardCharsets.UTF_8);
      case 0 -> number;
      case 1 -> Double.longBitsToDouble(random.nextLong() & ~(1L << 62));
      case 2 -> new BigDecimal(java.math.BigInteger.valueOf(number), random.nextInt(40) - 20);
      case 3 -> text(random);
      case 4 -> random.nextBoolean();
      case 5 -> LocalDate.ofEpochDay(random.nextInt(100_000));
      case 6 -> LocalTime.ofNanoOfDay(random.nextLong(86_400_000_000_000L));
      case 7 -> LocalDateTime.ofEpochSecond(random.nextInt(), 0, java.time.ZoneOffset.UTC);
      default -> Instant.ofEpochSecond(random.nextInt(), random.nextInt(1_000_000_000));
    };
  }
}
